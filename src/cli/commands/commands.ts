// `platformctl commands …`, and how a command is shown and waited for.

import type { Routes } from "../../api/index.ts";
import type { QueryInput, ReplyData } from "../../api/route.ts";
import type { Client } from "../../client/client.ts";
import { isTerminal } from "../../domain/commands.ts";
import type { Invocation } from "../command.ts";
import { exit } from "../exit.ts";
import type { Io } from "../io.ts";
import { printPages } from "../listing.ts";
import { pastMoment } from "../moments.ts";
import { type ListView, type OutputOptions, printOne, section } from "../output.ts";
import { startProgress } from "../progress.ts";
import { resolveAgent, resolveService } from "../resolve.ts";
import { resolveCommand } from "../resolve-command.ts";

type Command = ReplyData<Routes["commands.list"]>[number];
export type CommandDetail = ReplyData<Routes["commands.get"]>;
type Query = NonNullable<QueryInput<Routes["commands.list"]>>;

/** One request waits at most this long; then it is asked again. */
const waitSliceSeconds = 25;

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
    { name: "by", value: (command) => makerOf(command.source), wide: true },
    { name: "event", value: (command) => command.source.eventId, kind: "key", wide: true },
    { name: "route", value: (command) => command.source.routeId, kind: "key", wide: true },
    { name: "reason", value: (command) => command.reason, wide: true },
    { name: "deliveries", value: (command) => command.deliveries, wide: true },
    { name: "retry of", value: (command) => command.retryOf, kind: "key", wide: true },
  ],
  nameOf: (command) => command.id,
  whenEmpty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
};

export async function listCommands(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { status, type, action, agent, service, from, to } = options as Record<
    string,
    string | undefined
  >;
  const times = {
    from: from === undefined ? undefined : pastMoment("--from", from, io.now()),
    to: to === undefined ? undefined : pastMoment("--to", to, io.now()),
  };
  const api = await invocation.client();
  const agentId = agent === undefined ? undefined : await resolveAgent(api, agent);
  const serviceId = service === undefined ? undefined : await resolveService(api, service);
  const filters = { status, type, action, agentId, serviceId, ...times };
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

export async function waitForCommand({ io, args, options, client }: Invocation): Promise<number> {
  const { timeout } = options as { timeout: number };
  const api = await client();
  const commandId = await resolveCommand(api, args[0] ?? "");
  const command = await awaitCommand(io, api, commandId, timeout);
  printCommand(io, options as OutputOptions, command);
  return exitStatusOf(io, command, timeout);
}

export async function cancelCommand({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const commandId = await resolveCommand(api, args[0] ?? "");
  const command = await api.call("commands.cancel", { params: { commandId } });
  printCommand(io, options as OutputOptions, command);
}

/** The command once it has ended, or as it is after `timeoutSeconds`. Shows progress meanwhile. */
export async function awaitCommand(
  io: Io,
  client: Client,
  commandId: string,
  timeoutSeconds: number,
): Promise<CommandDetail> {
  const deadline = io.now() + timeoutSeconds * 1000;
  const progress = startProgress(io, "waiting");
  try {
    while (true) {
      const left = Math.max(0, Math.ceil((deadline - io.now()) / 1000));
      // The first look is a short one, so that the state is shown soon.
      const wait = Math.min(waitSliceSeconds, left, io.interactive ? 1 : waitSliceSeconds);
      const command = await client.call("commands.get", { params: { commandId }, query: { wait } });
      if (isTerminal(command.status) || left === 0) return command;
      progress.say(`${command.action} on ${command.serviceCode}: ${command.status}`);
    }
  } finally {
    progress.stop();
  }
}

export function printCommand(io: Io, options: OutputOptions, command: CommandDetail): void {
  printOne(io, options, command, commandView, () => partsOf(command));
}

/** 0 when it succeeded, 1 when it failed or was cancelled, 8 when it has not ended. */
export function exitStatusOf(io: Io, command: CommandDetail, timeoutSeconds: number): number {
  if (command.status === "SUCCEEDED") return exit.done;
  if (isTerminal(command.status)) return exit.failed;
  io.note(
    `Still ${command.status} after ${timeoutSeconds}s. Go on waiting: ` +
      `platformctl commands wait ${command.id}\n`,
  );
  return exit.stillPending;
}

function partsOf(command: CommandDetail): string {
  const { payload, result, lateResult } = command;
  return (
    (Object.keys(payload).length > 0 ? section("payload", payload) : "") +
    (result?.output === undefined ? "" : section("output", result.output)) +
    (result?.error === undefined ? "" : section("error", result.error)) +
    (lateResult === null ? "" : section("late result", lateResult))
  );
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
