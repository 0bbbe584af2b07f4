// `platformctl actions …`: ask for the form, fill it in, confirm, run, wait, show.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { formText } from "../../form/form-text.ts";
import { resolveService } from "../../names/resolve.ts";
import { viewOf } from "../../nouns/view.ts";
import {
  isForPeople,
  type OutputOptions,
  printOne,
  section,
  type View,
} from "../../output/output.ts";
import { valueSection } from "../../output/values.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import { noteLine } from "../../terminal/notes.ts";
import { confirmOrRefuse, refuseWithoutTerminal } from "../../terminal/prompts.ts";
import { printCommand } from "../commands/show.ts";
import { awaitCommand, exitStatusOf, noteCommand } from "../commands/wait-for-command.ts";
import { earlierCommand } from "./earlier-command.ts";
import {
  askAgent,
  type FilledPayload,
  type PayloadOptions,
  type Prepared,
  payloadFor,
  type Target,
} from "./payload-source.ts";

type CommandSummary = Reply<"actions.execute">["command"];

interface RunOptions extends OutputOptions, PayloadOptions {
  reason?: string;
  wait?: boolean;
  detach?: boolean;
  timeout: number;
  requestId?: string;
}

const preparedView: View<Prepared> = {
  columns: [
    { name: "action", value: (prepared) => prepared.action.name },
    { name: "danger", value: (prepared) => prepared.action.dangerLevel, kind: "state" },
    { name: "confirm", value: (prepared) => prepared.action.requiresConfirmation },
    { name: "command", value: (prepared) => prepared.command?.id },
  ],
  nameOf: (prepared) => prepared.command?.id ?? prepared.action.name,
};

export async function prepare(invocation: Invocation): Promise<void> {
  const { io } = invocation;
  const options = invocation.options as OutputOptions;
  const prepared = await askAgent(await findDestination(invocation));
  const { currentState, initialPayload, inputSchema } = prepared;
  printOne(
    io,
    options,
    prepared,
    preparedView,
    () =>
      (currentState === null ? "" : valueSection(io, "current state", currentState)) +
      formText(io, inputSchema, options.output === "wide") +
      section("initial payload", initialPayload),
  );
}

/**
 * Makes the command, or takes the one that an earlier run with the same `--request-id` has made, and waits
 * for its end. Ends 0, 1 or 8 as the command did; 8, too, when the agent has not prepared it in time.
 */
export async function runAction(invocation: Invocation): Promise<number> {
  const { io, signal } = invocation;
  const options = invocation.options as unknown as RunOptions;
  if (options.detach && options.wait) throw usageError("give --wait or --detach, not both.");
  const target = await findDestination(invocation);
  const { command, preparingSeconds } =
    (await madeBefore(target, options)) ?? (await make(target, options));
  if (options.detach) {
    printOne(io, options, command, viewOf<typeof command>(nouns.commands));
    if (isForPeople(options)) io.note(`\nWait for it: platformctl commands wait ${command.id}\n`);
    return exit.done;
  }
  noteCommand(io, options, command);
  const timeoutSeconds = Math.max(0, options.timeout - preparingSeconds);
  const { api } = target;
  const wait = { io, api, signal, options, commandId: command.id, timeoutSeconds };
  const ended = await awaitCommand(wait);
  printCommand(io, options, ended);
  return exitStatusOf(io, ended, options.timeout);
}

interface Made {
  command: CommandSummary;
  /** What the prepare has taken of the `--timeout`. */
  preparingSeconds: number;
}

/** A whole payload is compared by the server: then there is nothing to look up. */
async function madeBefore(target: Target, options: RunOptions): Promise<Made | null> {
  const { requestId, payload, set } = options;
  if (requestId === undefined || payload !== undefined) return null;
  const command = await earlierCommand(target, requestId, set);
  if (!command) return null;
  noteLine(target.io, options, "ALREADY_RUN", "This request id has run it already.");
  return { command, preparingSeconds: 0 };
}

/**
 * Without `--payload`, starts from what the agent prepares, lays `--set` over it, and on a terminal asks for
 * the rest; with it, takes the payload as it is.
 */
async function make(target: Target, options: RunOptions): Promise<Made> {
  const { io, service, action } = target;
  const question = `Run ${action.name} (${action.dangerLevel}) on ${service.code} of ${service.agentCode}?`;
  const agreed = !action.requiresConfirmation || (options.yes ?? false);
  if (!agreed) refuseWithoutAnswer(target, question, options);
  const filled = await payloadFor(target, options);
  if (!agreed) io.note(`${section("payload", filled.shown)}\n`);
  await confirmOrRefuse(io, question, agreed);
  const { preparingSeconds } = filled;
  try {
    return { command: await execute(target, options, filled), preparingSeconds };
  } catch (error) {
    // Two runs at once: what the other was prepared may differ, and is what counts.
    const isReused = error instanceof AppError && error.code === "IDEMPOTENCY_KEY_REUSED";
    const before = isReused ? await madeBefore(target, options) : null;
    if (before) return before;
    throw error;
  }
}

/** Standard input that is the payload cannot answer a question too. */
function refuseWithoutAnswer({ io }: Target, question: string, { payload }: RunOptions): void {
  refuseWithoutTerminal(io, question);
  const why = "standard input is the payload";
  if (payload === "-") refuseWithoutTerminal({ interactive: false }, question, why);
}

async function execute(
  { api, service, action }: Target,
  { queue, reason }: RunOptions,
  { payload, prepareCommandId }: FilledPayload,
) {
  try {
    const { command } = await api.call("actions.execute", {
      params: { serviceId: service.id, actionName: action.name },
      query: { queue: queue ?? false },
      body: {
        payload,
        confirmation: action.requiresConfirmation,
        ...(prepareCommandId ? { prepareCommandId } : {}),
        ...(reason ? { reason } : {}),
      },
    });
    return command;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw new CliError(
      exit.interrupted,
      `interrupted while the command was being made; whether it was, shows: ` +
        `platformctl commands list --service ${service.code} --limit 1`,
      { code: "INTERRUPTED" },
    );
  }
}

async function findDestination({ io, args, signal, client }: Invocation): Promise<Target> {
  const [serviceText = "", actionName = ""] = args;
  const api = await client();
  const serviceId = await resolveService(api, serviceText);
  const service = await api.call("services.get", { params: { serviceId } });
  const action = service.actions.find((known) => known.name === actionName);
  if (action) return { io, api, signal, service, action };
  const names = service.actions.map((known) => known.name).join(", ") || "none";
  throw new CliError(
    exit.notFound,
    `${service.code} declares no action ${actionName}; it has: ${names}.`,
    { code: "ACTION_NOT_FOUND" },
  );
}
