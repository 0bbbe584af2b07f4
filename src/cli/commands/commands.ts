// `platformctl commands …`, and how a command is shown.

import type { Routes } from "../../api/index.ts";
import type { QueryInput, ReplyData } from "../../api/route.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import { redact, redacted } from "../../domain/redaction.ts";
import { awaitCommand, exitStatusOf } from "../await-command.ts";
import type { Invocation } from "../command.ts";
import type { Io } from "../io.ts";
import { type ListView, type OutputOptions, printList, printOne, section } from "../output.ts";
import { pageOf } from "../paging.ts";
import { resolveAgent, resolveService } from "../resolve.ts";
import { valueSection } from "../values.ts";

type Command = ReplyData<Routes["commands.list"]>[number];
export type CommandDetail = ReplyData<Routes["commands.get"]>;
type Query = NonNullable<QueryInput<Routes["commands.list"]>>;

export const commandView: ListView<Command> = {
  columns: [
    { name: "id", value: (command) => command.id, kind: "key" },
    { name: "status", value: (command) => command.status, kind: "state" },
    { name: "service", value: (command) => command.serviceCode },
    { name: "action", value: (command) => command.action },
    { name: "type", value: (command) => command.type },
    { name: "created", value: (command) => command.createdAt, kind: "time" },
    { name: "took", value: (command) => tookOf(command) },
    { name: "error", value: (command) => command.errorCode },
    { name: "message", value: (command) => command.errorMessage, wide: true },
    { name: "by", value: (command) => command.source.name ?? command.source.kind, wide: true },
    { name: "reason", value: (command) => command.reason, wide: true },
    { name: "deliveries", value: (command) => command.deliveries, wide: true },
  ],
  nameOf: (command) => command.id,
  whenEmpty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
};

export async function listCommands({ io, options, client }: Invocation): Promise<void> {
  const { status, type, action, agent, service } = options as Record<string, string | undefined>;
  const api = await client();
  const agentId = agent === undefined ? undefined : await resolveAgent(api, agent);
  const serviceId = service === undefined ? undefined : await resolveService(api, service);
  const filters = { status, type, action, agentId, serviceId };
  const query = { ...pageOf(options), ...filters } as Query;
  const { data, pagination } = await api.page("commands.list", { query });
  printList(io, options as OutputOptions, data, commandView, { pagination, filters });
}

export async function getCommand({ io, args, options, client }: Invocation): Promise<void> {
  const commandId = args[0] ?? "";
  const command = await (await client()).call("commands.get", { params: { commandId } });
  printCommand(io, options as OutputOptions, command);
}

export async function waitForCommand({ io, args, options, client }: Invocation): Promise<number> {
  const { timeout } = options as { timeout: number };
  const command = await awaitCommand(io, await client(), args[0] ?? "", timeout);
  printCommand(io, options as OutputOptions, command);
  return exitStatusOf(io, command, timeout);
}

export async function cancelCommand({ io, args, options, client }: Invocation): Promise<void> {
  const commandId = args[0] ?? "";
  const command = await (await client()).call("commands.cancel", { params: { commandId } });
  printCommand(io, options as OutputOptions, command);
}

/** `shownPayload`: how the payload is shown to people; without what looks secret when absent. */
export function printCommand(
  io: Io,
  options: OutputOptions,
  command: CommandDetail,
  shownPayload: JsonObject = redact(command.payload),
): void {
  printOne(io, options, command, commandView, () => partsOf(io, command, shownPayload));
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

function partsOf(io: Io, command: CommandDetail, payload: JsonObject): string {
  const { result, lateResult } = command;
  return (
    (command.cancelledWhileRunning
      ? "\nIt was cancelled while it ran: what the agent has begun it may still finish.\n"
      : "") +
    (Object.keys(payload).length > 0 ? section("payload", payload) : "") +
    (result?.message === undefined || !result.success
      ? ""
      : valueSection(io, "message", result.message)) +
    (result?.output === undefined ? "" : valueSection(io, "output", result.output)) +
    (result?.error === undefined ? "" : errorSection(io, command, result.error)) +
    (lateResult === null ? "" : valueSection(io, "late result", lateResult as Json))
  );
}

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

function tookOf(command: Command): string | null {
  if (command.durationMs === null) return null;
  const { durationMs } = command;
  return durationMs < 1000 ? `${durationMs}ms` : `${(durationMs / 1000).toFixed(1)}s`;
}
