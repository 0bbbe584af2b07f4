// `rollouts start`: shows what would run, asks, and creates the rollout.

import type { Client } from "../../../client/client.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import { counted } from "../../../lib/counted.ts";
import { parseDurationSeconds } from "../../../lib/duration.ts";
import type { Invocation } from "../../command.ts";
import { createdBefore } from "../../connecting/request-ids.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import {
  isForPeople,
  type OutputOptions,
  printOne,
  section,
  type View,
} from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { wrapLines } from "../../output/text-width.ts";
import type { Io } from "../../terminal/io.ts";
import { noteFacts } from "../../terminal/notes.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass, runQuestion } from "../../waiting-flags.ts";
import {
  applyAsBefore,
  exactJsonIn,
  readPayload,
  readSettings,
  type Setting,
  textFrom,
} from "../actions/payload.ts";
import { type Preview, previewWithSettings, type Request } from "./declared.ts";
import {
  conditionOf,
  prepareServices,
  refuseRequestId,
  statesText,
  withProblems,
} from "./prepared.ts";
import { byReason, listed } from "./show.ts";
import { followCreated } from "./watch.ts";

export async function startRollout(invocation: Invocation): Promise<number | undefined> {
  const { io, options, client } = invocation;
  const isConditional = options.ifUnchanged === true;
  refuseRequestId(options, isConditional);
  const given = await requestOf(invocation);
  const api = await client();
  const earlier = options.dryRun ? null : await startedBefore(invocation, api, given);
  if (earlier) {
    const params = { rolloutId: earlier.id };
    return followCreated(invocation, api, await api.call("rollouts.get", { params }));
  }
  const { request, preview, text } = await previewOf(invocation, api, given, isConditional);
  if (options.dryRun) {
    printPreview(io, options, preview, text);
    return undefined;
  }
  if (preview.total === 0) throw nothingToRun(preview);
  const bypass = givenBypass(options);
  // Older servers have no policies.
  const { policies = [] }: Partial<Preview> = preview;
  const asks = policies.length > 0 && bypass.breakGlass === undefined;
  if (options.yes === true) noteLeftOut(invocation, preview);
  else {
    const approval = asks ? `It needs approval (${policiesOf(preview)}).\n` : "";
    io.note(`${summaryOf(preview)}${approval}${text}\n`);
  }
  const services = counted(preview.total, "service");
  const what = `the rollout of ${request.action} (${preview.dangerLevel}) on ${services}`;
  const question = asks
    ? `Ask for approval of ${what}?`
    : runQuestion(`Start ${what}`, bypass, policies);
  await confirmOrRefuse(io, question, options.yes === true);
  const body = { ...request, seed: preview.seed, confirmation: true, ...bypass };
  return followCreated(invocation, api, await api.call("rollouts.create", { body }));
}

/** Does not preview the services again, because they may have changed since the earlier run. */
function startedBefore(invocation: Invocation, api: Client, given: Request) {
  const { options } = invocation;
  const settings = settingsIn(options);
  return createdBefore(invocation, api, "rollouts.create", ({ payload: earlier }) => {
    const payload = applyAsBefore(given.payload ?? {}, settings, earlier);
    const body = { ...given, payload, confirmation: true, ...givenBypass(options) };
    return api.call("rollouts.create", { body });
  });
}

function settingsIn({ set = [] }: Invocation["options"]): Setting[] {
  return readSettings(set as string[]);
}

/** `text` begins with the result of `previewText`. Throws if nothing would run. */
export function printPreview(io: Io, options: OutputOptions, preview: Preview, text: string): void {
  printOne(io, options, preview, view, () => [wrapLines(text, io.width)]);
  if (isForPeople(options)) io.note("\nNothing was started.\n");
  if (preview.total === 0) throw nothingToRun(preview);
}

interface Previewed {
  request: Request;
  preview: Preview;
  /** The waves, the services left out, the payload and, with `--if-unchanged`, the states. */
  text: string;
}

/** With `isConditional`, each service is prepared first. */
async function previewOf(
  invocation: Invocation,
  api: Client,
  given: Request,
  isConditional: boolean,
): Promise<Previewed> {
  const settings = settingsIn(invocation.options);
  const advice = "Give the payload as JSON: --payload, or --payloads for each service.";
  const { request: wanted, preview: first } = await previewWithSettings(api, given, {
    io: invocation.io,
    options: invocation.options,
    settings,
    advice,
  });
  requireCanaries(wanted, first);
  if (!isConditional) return { request: wanted, preview: first, text: previewText(first) };
  const services = first.waves.flatMap((wave) => wave.services);
  const prepared = await prepareServices(invocation, api, wanted.action, services);
  const request = { ...wanted, seed: first.seed, ...conditionOf(prepared) };
  const second = await api.call("rollouts.preview", { body: request });
  const preview = withProblems(second, prepared);
  return { request, preview, text: previewText(preview) + statesText(prepared) };
}

/** An older server ignores `canary`, and would begin with any service. */
function requireCanaries({ canary }: Request, { canaries }: Partial<Preview>): void {
  if (canary === undefined || canaries !== undefined) return;
  throw usageError("--canary: this server is too old to support it; nothing was started.");
}

async function requestOf(invocation: Invocation): Promise<Request> {
  const { io, args, options, signal } = invocation;
  const given = options as Record<string, string | string[] | number | boolean | undefined>;
  const { selector, service, agent, status } = given;
  if (selector === undefined && !service && !agent && !status) {
    throw usageError(
      "choose services with --selector, --service, --agent or --status; --selector '' chooses all.",
    );
  }
  const source = given.payload as string | undefined;
  const payload = source === undefined ? {} : await readPayload(io, source, signal);
  const optional = {
    selector,
    services: service,
    agents: agent,
    status,
    waves: given.waves,
    canary: given.canary,
    name: given.name,
    reason: given.reason,
    deadlineSeconds: given.deadline,
    // A repeated request must be identical, so it must put the services into the same order.
    seed: given.requestId,
    payloadByService: await readByService(invocation, "--payloads"),
  };
  const known = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    action: args[0] ?? "",
    payload,
    maxParallel: given.parallel as number,
    maxFailures: given.maxFailures as string,
    between: betweenOf(String(given.between)),
    offline: given.offline as "skip",
    healthGate: given.healthGate === true,
    healthTimeoutSeconds: given.healthTimeout as number,
    ...Object.fromEntries(known),
  };
}

/** Reads an object for each service code. Returns undefined if the flag was not given. */
export async function readByService(
  { io, options, signal }: Invocation,
  flag: "--payloads" | "--secrets",
): Promise<Record<string, JsonObject> | undefined> {
  const source = options[flag.slice(2)] as string | undefined;
  if (source === undefined) return undefined;
  const value = exactJsonIn(flag, await textFrom(io, flag, source, signal));
  if (isJsonObject(value) && Object.values(value).every(isJsonObject)) {
    return value as Record<string, JsonObject>;
  }
  const example = { "--payloads": '{"level":"debug"}', "--secrets": '{"/password":"s3cret"}' };
  throw usageError(`${flag} must be JSON such as '{"web-1":${example[flag]}}'.`);
}

function betweenOf(text: string): Request["between"] {
  if (text === "continue" || text === "pause") return text;
  const seconds = parseDurationSeconds(text);
  if (seconds !== null && seconds >= 1) return seconds;
  throw usageError(`--between must be continue, pause or a time such as 60s, not ${text}.`);
}

const view: View<Preview> = {
  columns: [
    { name: "services", value: ({ total }) => total },
    { name: "waves", value: ({ waves }) => waves.length },
    { name: "stops", value: stopsWhen },
    { name: "danger", value: ({ dangerLevel }) => dangerLevel, kind: "state" },
    { name: "confirm", value: ({ requiresConfirmation }) => (requiresConfirmation ? "yes" : "no") },
    { name: "approval", value: (preview) => policiesOf(preview) || "not needed" },
    { name: "left out", value: ({ leftOut }) => leftOut.length },
  ],
  nameOf: ({ waves }) =>
    waves.flatMap(({ services }) => services.map(({ serviceCode }) => serviceCode)).join("\n"),
};

/** Older servers have no policies. */
function policiesOf({ policies = [] }: Partial<Preview>): string {
  return printableLine(policies.join(", "));
}

function summaryOf(preview: Preview): string {
  const { total, waves, maxFailures } = preview;
  const inWaves = waves.length === 1 ? "" : ` in ${waves.length} waves`;
  return `${counted(total, "service")}${inWaves}; it stops ${stopsWhen({ maxFailures })}.\n`;
}

function stopsWhen({ maxFailures }: Pick<Preview, "maxFailures">): string {
  return maxFailures === 0
    ? "at the first failure"
    : `after more than ${counted(maxFailures, "failure")}`;
}

export function previewText(preview: Preview): string {
  const { total, waves, canaries, leftOut, payload, warnings = [] } = preview;
  const ofWaves = waves.map(({ services }, at) => {
    const names = services.map(({ serviceCode }) => serviceCode);
    const title = at === 0 && canaries > 0 ? "wave 1 (canary)" : `wave ${at + 1}`;
    return `\n${title}: ${counted(services.length, "service")}\n  ${listed(names)}\n`;
  });
  const out = leftOut.length === 0 ? "" : `\nleft out\n${byReason(leftOut)}`;
  const input = Object.keys(payload).length === 0 ? "" : section("payload", payload);
  // If nothing would run, the error says why.
  const doubts = (total > 0 ? warnings : []).map(
    (warning) => `\nwarning: ${printableLine(warning)}\n`,
  );
  return [...ofWaves, out, input, ...doubts].join("");
}

/** A rollout can succeed without these services, so scripts say so, too. */
function noteLeftOut({ io, options }: Invocation, { leftOut }: Preview): void {
  if (leftOut.length === 0) return;
  const says =
    leftOut.length === 1 ? "1 service is left out" : `${leftOut.length} services are left out`;
  const note = { code: "SERVICES_LEFT_OUT", message: `${says}.`, services: leftOut };
  noteFacts(io, options, `${says}:\n${byReason(leftOut)}`, { note });
}

function nothingToRun(preview: Preview): CliError {
  return new CliError(exit.conflict, whyNothing(preview), { code: "ROLLOUT_HAS_NO_TARGETS" });
}

function whyNothing({ leftOut, warnings = [] }: Preview): string {
  const [first] = leftOut;
  if (first === undefined) {
    return ["no service was chosen.", ...warnings.map(printableLine)].join(" ");
  }
  const why = `${first.serviceCode}: ${first.message}`;
  return leftOut.length === 1
    ? `the chosen service is left out: ${why}`
    : `all ${leftOut.length} chosen services are left out; the first is ${why}`;
}
