// Builds the payload of `actions run` from `--payload`, or from prepared values and a form.

import type { Reply } from "../../../api/index.ts";
import { AppError, type ErrorCode } from "../../../domain/errors.ts";
import { type Path, putAt, valueAt } from "../../../domain/form/places.ts";
import { withDefaults } from "../../../domain/form/values.ts";
import { prepareTimeoutSeconds } from "../../../domain/limits.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { defaultsOf } from "../../../domain/payload/json-schema.ts";
import { secretMarks, shownPayload } from "../../../domain/secrets/hidden.ts";
import { formatDuration } from "../../../lib/duration.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { asksAnything, checkGiven, fillIn, requireValid } from "../../form/fill-in.ts";
import { pathLine, valueLine } from "../../form/lines.ts";
import { stars, type TerminalForm, terminalForm } from "../../form/terminal-form.ts";
import { fieldAt, missingFields } from "../../form/walk.ts";
import { printableLine, printableText } from "../../output/printable.ts";
import { resultSection } from "../../output/structured-result.ts";
import type { NoteOptions } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";
import { checkSettings } from "./check-settings.ts";
import { applySettings, readPayload, readSettings, type Setting } from "./payload.ts";
import type { Action, Service, Target } from "./target.ts";

export type Prepared = Reply<"actions.prepare">;

export interface PayloadOptions extends NoteOptions {
  set?: string[];
  /** The whole payload, if it was given (`givenPayload`). */
  payload?: JsonObject | undefined;
  queue?: boolean;
  defaults?: boolean;
  yes?: boolean;
  /** Whether to run only in the prepared state. By default, only HIGH actions at a terminal. */
  ifUnchanged?: boolean;
  /** How many seconds the agent may take to prepare the action. */
  timeout: number;
}

export interface FilledPayload {
  payload: JsonObject;
  /** The payload without its secrets. */
  shown: JsonObject;
  prepareCommandId?: string;
  preparingSeconds: number;
  /** Whether the action may run only in the state that was prepared. */
  ifUnchanged: boolean;
}

/** Reads `--payload`, which can be on standard input. Throws usage errors. */
export async function givenPayload({
  io,
  options: { payload },
  signal,
}: Invocation): Promise<JsonObject | undefined> {
  return payload === undefined ? undefined : readPayload(io, payload as string, signal);
}

/** Throws usage errors, PAYLOAD_INVALID, errors from the agent, and Interrupted. */
export async function payloadFor(target: Target, options: PayloadOptions): Promise<FilledPayload> {
  const { action } = target;
  const settings = readSettings(options.set ?? []);
  const { payload: whole } = options;
  const asked = performance.now();
  const prepared = preparesFirst(action, options) ? await askAgent(target, options.timeout) : null;
  if (prepared && options.ifUnchanged) requireState(target, prepared);
  const { inputSchema } = prepared ?? action;
  const preparation = {
    ...(prepared?.command ? { prepareCommandId: prepared.command.id } : {}),
    preparingSeconds: prepared === null ? 0 : (performance.now() - asked) / 1000,
    ifUnchanged: prepared !== null && dependsOnState(target, options, prepared),
  };
  if (whole !== undefined) {
    checkSettings({ ...target, options }, whole, settings, [inputSchema]);
    const payload = applySettings(whole, settings, inputSchema);
    return { payload, shown: shownOf(inputSchema, payload), ...preparation };
  }
  const initial = prepared?.initialPayload ?? defaultsOf(inputSchema);
  const state = prepared?.currentState ?? null;
  return {
    ...(await fill(target, options, settings, inputSchema, initial, state)),
    ...preparation,
  };
}

/** An offline agent cannot prepare an action, and some actions need no preparation. */
function preparesFirst(action: Action, { ifUnchanged, payload, queue }: PayloadOptions): boolean {
  if (ifUnchanged) return true;
  return payload === undefined && !queue && action.prepare !== false;
}

/** A user who confirms a dangerous action on a terminal relies on the state that was shown. */
function dependsOnState(
  { io, action }: Target,
  { ifUnchanged }: PayloadOptions,
  { canPlan }: Prepared,
): boolean {
  // An older server does not send `canPlan`.
  return ifUnchanged ?? (io.interactive && action.dangerLevel === "HIGH" && canPlan === true);
}

/** Throws if the state cannot be checked. An older server would ignore the condition. */
function requireState({ action, service }: Target, prepared: Prepared): void {
  const { canPlan, stateFingerprint } = prepared as Partial<Prepared>;
  if (canPlan) return;
  if (canPlan === undefined) {
    throw notComparable("PLAN_NOT_SUPPORTED", "this server is too old to check the state.");
  }
  if (stateFingerprint) {
    const message = `the program of the agent ${service.agentCode} is too old to check the state.`;
    throw notComparable("PLAN_NOT_SUPPORTED", message);
  }
  const message = `${action.name} reports no state, so there is nothing to compare.`;
  throw notComparable("STATE_NOT_REPORTED", message);
}

function notComparable(code: ErrorCode, why: string): CliError {
  return new CliError(exit.conflict, `${why} Nothing was run.`, { code });
}

/** After `withinSeconds`, throws an error; the prepare command continues until its timeout. */
export async function askAgent(
  { io, api, signal, service, action }: Target,
  withinSeconds: number = prepareTimeoutSeconds.max,
): Promise<Prepared> {
  const wanted = action.timeoutSeconds ?? prepareTimeoutSeconds.default;
  const seconds = Math.min(wanted, prepareTimeoutSeconds.max, withinSeconds);
  const what = `asking ${service.agentCode} to prepare ${action.name}`;
  using _ = startProgress(io, what, seconds);
  const ownTime = withinSeconds < Math.min(wanted, prepareTimeoutSeconds.max);
  const over = ownTime ? AbortSignal.timeout(withinSeconds * 1000) : null;
  try {
    const params = { serviceId: service.id, actionName: action.name };
    const either = over ? AbortSignal.any([signal, over]) : signal;
    const timeoutMs = (prepareTimeoutSeconds.max + 30) * 1000;
    const query = { fromCatalog: true };
    const within = { timeoutMs, signal: either };
    return await api.call("actions.prepare", { params, query }, within);
  } catch (error) {
    if (over?.aborted && !signal.aborted) throw notPrepared(service, action, withinSeconds);
    throw error instanceof AppError ? withAdvice(error, service) : error;
  }
}

function notPrepared({ agentCode }: Service, { name }: Action, seconds: number): CliError {
  return new CliError(
    exit.stillPending,
    `${agentCode} has not prepared ${name} within ${formatDuration(seconds)}; nothing was run. ` +
      "Increase --timeout, or give the whole payload with --payload.",
    { code: "PREPARE_PENDING" },
  );
}

async function fill(
  target: Target,
  options: PayloadOptions,
  settings: Setting[],
  schema: JsonObject,
  initial: JsonObject,
  state: Prepared["currentState"],
): Promise<Pick<FilledPayload, "payload" | "shown">> {
  const { io, action } = target;
  const form = terminalForm(schema);
  const given = settings.map(({ path }) => path);
  checkSettings({ ...target, options }, initial, settings, [schema]);
  let payload = applySettings(initial, settings, schema);
  addDefaults(form, initial, payload, given);
  checkGiven(form, payload, given);
  const asks = io.interactive && !options.defaults && asksAnything(form, given);
  const confirms = io.interactive && action.requiresConfirmation && !options.yes;
  if (asks || confirms) introduce(target, state);
  if (asks && !form.tooMany) {
    payload = await fillIn(io, form, payload, given);
  } else {
    if (asks) io.note("There are too many fields to ask for. The prepared values are used.\n");
    requireValid(form, payload);
  }
  const shown = shownOf(schema, payload);
  if (!io.interactive && !options.defaults) {
    for (const { path } of missingFields(form, payload, given)) {
      io.note(`${pathLine(path)}: ${valueLine(valueAt(shown, path) ?? null, 60)}, as prepared\n`);
    }
  }
  return { payload, shown };
}

/** Fills in the defaults of objects that the payload has only because of `--set`. */
function addDefaults(
  form: TerminalForm,
  initial: JsonObject,
  payload: JsonObject,
  given: readonly Path[],
): void {
  const created = given.flatMap((path) => path.map((_, depth) => path.slice(0, depth)));
  for (const path of created.filter((each) => valueAt(initial, each) === undefined)) {
    const field = fieldAt(form, path);
    const value = field && withDefaults(field, valueAt(payload, path));
    if (value !== undefined) putAt(payload, path, structuredClone(value));
  }
}

function introduce({ io, action, service }: Target, state: Prepared["currentState"]): void {
  const { label, description, dangerLevel } = action;
  io.note(`${printableLine(label || action.name)} (${dangerLevel})\n`);
  if (description) io.note(`${printableText(description)}\n`);
  const shape = { ...io, width: io.width ?? 80 };
  io.note(`${state === null ? "" : resultSection(shape, "current state", state, service.code)}\n`);
}

function shownOf(schema: JsonObject, payload: JsonObject): JsonObject {
  return shownPayload(payload, secretMarks(schema), stars);
}

function withAdvice(error: AppError, service: Service): AppError {
  const { commandId, code } = error.details ?? {};
  const advice: Partial<Record<AppError["code"], string>> = {
    ACTION_PREPARE_FAILED: ` (${code}). See platformctl commands get ${commandId}; to run the action without preparing it, use --payload.`,
    ACTION_PREPARE_TIMEOUT: ` Check that the agent runs: platformctl agents get ${service.agentCode}.`,
  };
  const more = advice[error.code];
  if (more === undefined) return error;
  const message = more.startsWith(" (") ? error.message.replace(/\.$/, "") : error.message;
  return error.reworded(message + more);
}
