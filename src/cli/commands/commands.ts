// `platformctl commands …`, and how a command is shown.

import type { QueryInput, ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Json } from "../../domain/payload/json.ts";
import { redacted } from "../../domain/payload/redaction.ts";
import { awaitCommand, exitStatusOf } from "../actions/wait-for-command.ts";
import type { Invocation } from "../command.ts";
import { usageError } from "../exit.ts";
import { isWholeId } from "../names/naming.ts";
import { resolveAgent, resolveRoute, resolveService } from "../names/resolve.ts";
import { resolveCommand } from "../names/resolve-command.ts";
import { printPages } from "../output/listing.ts";
import { pastMoment } from "../output/moments.ts";
import { type ListView, type OutputOptions, printOne, section } from "../output/output.ts";
import { valueSection } from "../output/values.ts";
import type { Io } from "../terminal/io.ts";

type Command = ReplyData<Routes["commands.list"]>[number];
export type CommandDetail = ReplyData<Routes["commands.get"]>;
type Query = NonNullable<QueryInput<Routes["commands.list"]>>;

export const commandView: ListView<Command> = {
  columns: [
    { name: "id", value: (command) => command.id, kind: "key" },
    { name: "status", value: (command) => command.status, kind: "state" },
    { name: "service", value: (command) => command.serviceCode },
    { name: "action", value: (command) => command.action },
    { name: "created", value: (command) => command.createdAt, kind: "time" },
    { name: "took", value: (command) => tookOf(command) },
    { name: "error", value: (command) => command.errorCode },
    // Cut, one type looks like the other: it is whole, or the first to be left out.
    { name: "type", value: (command) => command.type, kind: "key" },
    { name: "agent", value: (command) => command.agentCode, wide: true },
    { name: "message", value: (command) => command.errorMessage, wide: true },
    { name: "by", value: (command) => makerOf(command.source), wide: true },
    { name: "event", value: (command) => command.source.eventId, kind: "key", wide: true },
    { name: "route", value: (command) => command.source.routeId, kind: "key", wide: true },
    { name: "reason", value: (command) => command.reason, wide: true },
    { name: "cancelled", value: (command) => command.cancelOutcome, wide: true },
    { name: "deliveries", value: (command) => command.deliveries, wide: true },
    { name: "retry of", value: (command) => command.retryOf, kind: "key", wide: true },
  ],
  nameOf: (command) => command.id,
  whenEmpty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
};

export async function listCommands(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { status, type, action, agent, service, event, route, from, to } = options as Record<
    string,
    string | undefined
  >;
  const times = {
    from: from === undefined ? undefined : pastMoment("--from", from, io.now()),
    to: to === undefined ? undefined : pastMoment("--to", to, io.now()),
  };
  if (event !== undefined && !isWholeId("bev_", event)) {
    throw usageError(`--event ${event}: give the whole id; \`events list\` shows it.`);
  }
  const api = await invocation.client();
  const agentId = agent === undefined ? undefined : await resolveAgent(api, agent);
  const serviceId = service === undefined ? undefined : await resolveService(api, service);
  const routeId = route === undefined ? undefined : await resolveRoute(api, route);
  const filters = { status, type, action, agentId, serviceId, eventId: event, routeId, ...times };
  await printPages(invocation, commandView, filters, (page) =>
    api.page("commands.list", { query: { ...page, ...filters } as Query }),
  );
}

export async function getCommand({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const commandId = await resolveCommand(api, args[0] ?? "");
  const command = await api.call("commands.get", { params: { commandId } });
  printCommand(io, options as OutputOptions, command);
}

export async function waitForCommand(invocation: Invocation): Promise<number> {
  const { io, args, options, signal, client } = invocation;
  const { timeout: timeoutSeconds } = options as { timeout: number };
  const api = await client();
  const commandId = await resolveCommand(api, args[0] ?? "");
  const command = await awaitCommand({ io, api, signal, options, commandId, timeoutSeconds });
  printCommand(io, options as OutputOptions, command);
  return exitStatusOf(io, command, timeoutSeconds);
}

export async function cancelCommand({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const commandId = await resolveCommand(api, args[0] ?? "");
  const command = await api.call("commands.cancel", { params: { commandId } });
  printCommand(io, options as OutputOptions, command);
}

export function printCommand(io: Io, options: OutputOptions, command: CommandDetail): void {
  printOne(io, options, command, commandView, () => partsOf(io, command));
  const key = generatedKeyOf(command);
  if (key === null) return;
  io.note(
    options.output === "name"
      ? "\nThe generated key was handed out with this answer, and -o name does not show it.\n"
      : "\nThe generatedKey is shown this once and never again: keep it now.\n",
  );
}

/** What the agent generated for whoever reads it first; null when there is nothing, or it was read. */
function generatedKeyOf({ result }: CommandDetail): string | null {
  const output = result?.output;
  if (typeof output !== "object" || output === null || Array.isArray(output)) return null;
  const { generatedKey } = output;
  return typeof generatedKey === "string" && generatedKey !== redacted ? generatedKey : null;
}

function partsOf(io: Io, command: CommandDetail): string {
  const { payload, result, lateResult } = command;
  return (
    cancellationLine(command) +
    (Object.keys(payload).length > 0 ? section("payload", payload) : "") +
    (result?.message === undefined || !result.success
      ? ""
      : valueSection(io, "message", result.message)) +
    (result?.output === undefined ? "" : valueSection(io, "output", result.output)) +
    (result?.error === undefined ? "" : errorSection(io, command, result.error)) +
    (lateResult === null ? "" : valueSection(io, "late result", lateResult as Json))
  );
}

function cancellationLine({ cancelledWhileRunning, cancelOutcome }: CommandDetail): string {
  // An older server does not say what became of it.
  if (!cancelledWhileRunning) return "";
  return `\nIt was cancelled while it ran. ${cancelSentences[cancelOutcome ?? "UNCONFIRMED"]}\n`;
}

const cancelSentences: Record<NonNullable<CommandDetail["cancelOutcome"]>, string> = {
  UNCONFIRMED: "The agent has not said yet whether it stopped: it may still finish.",
  STOPPED: "The agent stopped it.",
  FINISHED: "It had already ended by itself: see the late result.",
  NOT_STOPPED: "It did not end when the agent told it to: it may still run.",
  UNKNOWN: "It was lost with its agent: how far it came is not known.",
};

/** Code and message stand above already, unless they were cut. */
function errorSection(io: Io, command: CommandDetail, error: Json): string {
  if (typeof error !== "object" || error === null || Array.isArray(error)) {
    return valueSection(io, "error", error);
  }
  const { code, message, ...rest } = error;
  const more = {
    ...(code === undefined || code === command.errorCode ? {} : { code }),
    ...(message === undefined || message === command.errorMessage ? {} : { message }),
    ...rest,
  };
  return Object.keys(more).length === 0 ? "" : valueSection(io, "error", more);
}

function makerOf({ kind, name }: Command["source"]): string {
  if (kind === "bus") return name ? `route ${name}` : "bus";
  return name ?? kind;
}

function tookOf(command: Command): string | null {
  if (command.durationMs === null) return null;
  const { durationMs } = command;
  return durationMs < 1000 ? `${durationMs}ms` : `${(durationMs / 1000).toFixed(1)}s`;
}
