// Each command is in the journal before its handler starts, runs at most once, and ends in one
// result (docs/decisions/0006-command-delivery.md).

import { setMaxListeners } from "node:events";
import type { Issue } from "../../domain/errors.ts";
import { maxHeldCommands, pollLimit } from "../../domain/limits.ts";
import { type Findings, findIssues, mismatchMessage } from "../../domain/payload/check.ts";
import type { Json } from "../../domain/payload/json.ts";
import { Bell } from "../bell.ts";
import { type ServerClock, timeFor } from "../connection/deadline.ts";
import type { Sharing } from "../connection/heartbeats.ts";
import type { Emit } from "../events/events.ts";
import type { Action, Service } from "../services/services.ts";
import { type CommandResult, type DeliveredCommand, failed, failedBy } from "./commands.ts";
import { emitJournalFailed, type Journal } from "./journal.ts";
import type { JournalEntry, KeptCommand } from "./journal-records.ts";
import type { Outbox } from "./outbox.ts";
import { type CommandOutput, silenced } from "./output/command-output.ts";
import { findAction, notRun, type Outcome, runCommand } from "./run-command.ts";
import { Turns } from "./turns.ts";

export interface WorkOptions {
  journal: Journal;
  outbox: Outbox;
  emit: Emit;
  concurrency: number;
  clock: ServerClock;
  /** Updates the clock and gets cancellations. Never rejects. */
  refreshClock: (signal: AbortSignal) => Promise<void>;
  sharing: () => Sharing;
  services: () => Service[];
  openOutput: (command: DeliveredCommand, action: Action) => CommandOutput;
}

/**
 * The limit is low, because the timeouts of waiting commands are already running. It is not lower,
 * so that one service's queue does not block other services.
 */
const maxWaiting = 20;

/** An agent without room does not poll. It gets cancellations from heartbeats at this interval. */
const askWhenFullMs = 5000;

export type Work = ReturnType<typeof createWork>;

export function createWork(options: WorkOptions) {
  const { journal, outbox, emit, concurrency, clock, refreshClock, services, openOutput } = options;
  const { sharing } = options;
  const turns = new Turns();
  const stopper = new AbortController();
  const ended = new Bell();
  /** Contains the commands whose handlers may have started and have not ended. */
  const cancels = new Map<string, AbortController>();
  let running = 0;
  /** The number of commands whose results the outbox does not have yet. */
  let open = 0;
  setMaxListeners(0, stopper.signal);

  function held(): string[] {
    return [...journal.inHand(), ...turns.waiting()].map(({ id }) => id);
  }

  /** If this is false, the server must not deliver commands again, because they may have run. */
  function knowsAll(): boolean {
    return journal.isComplete;
  }

  function room(): number {
    const slots = concurrency - running;
    const places = maxWaiting - turns.waiting().length;
    const unheld = maxHeldCommands - held().length;
    return Math.max(0, Math.min(slots, places, unheld, pollLimit.max));
  }

  async function whenRoom(signal: AbortSignal): Promise<void> {
    let askedAt = performance.now();
    while (room() === 0 && !signal.aborted) {
      const leftMs = askedAt + askWhenFullMs - performance.now();
      await ended.wait(signal, Math.min(leftMs, 1000));
      await giveUpExpired(signal);
      if (performance.now() - askedAt < askWhenFullMs) continue;
      await refreshClock(signal);
      askedAt = performance.now();
    }
  }

  /** Commands that had started in the previous process fail and do not run again. */
  async function recover(): Promise<void> {
    for (const entry of journal.inHand()) {
      if (entry.result) {
        outbox.send(entry, entry.result);
        continue;
      }
      const result = restarted(entry);
      emitFinished(entry, result, 0);
      await record(entry, result);
      outbox.send(entry, result);
    }
  }

  /** Returns how many cancellations were new. */
  function cancel(ids: readonly string[]): number {
    const fresh = ids.filter(isFreshlyCancelled);
    for (const commandId of fresh) {
      const message = `${commandId} was cancelled.`;
      emit("info", message, { type: "command.cancelled", commandId });
      const handler = cancels.get(commandId);
      if (handler) handler.abort();
      else void refuseCancelled(commandId);
    }
    return fresh.length;
  }

  function isFreshlyCancelled(id: string): boolean {
    const handler = cancels.get(id);
    if (handler) return !handler.signal.aborted;
    if (journal.find(id)) return false;
    // Another program with this agent's token may be running the command. An answer from here would
    // end the server's notices to that program.
    return isWaiting(id) || !sharing().isShared;
  }

  function isWaiting(id: string): boolean {
    return turns.waiting().some((command) => command.id === id);
  }

  async function refuseCancelled(id: string): Promise<void> {
    const [waiting] = turns.take((command) => command.id === id);
    if (waiting) await refuse([waiting], cancelledBefore);
    else {
      const isAlone = journal.knowsEarlier && !sharing().wasShared;
      const result = isAlone ? neverDelivered : maybeDelivered;
      await refuse([{ ...unknownCommand, id }], result);
    }
    ended.ring();
  }

  /** Records the commands, so that none runs if it is delivered again before its result is sent. */
  async function refuse(commands: KeptCommand[], result: CommandResult): Promise<void> {
    await journal.refused(commands, result).catch(storageFailed);
    for (const command of commands) outbox.send(command, result);
  }

  /** Resolves when the handlers whose turn has come can start. Never rejects. */
  async function accept(commands: DeliveredCommand[]): Promise<void> {
    const fresh = commands.filter((command) => !isKnown(command));
    for (const command of fresh) clock.delivered(command);
    await start(fresh.filter((command) => turns.came(command)));
  }

  /**
   * Aborts running handlers after `graceMs`. Waiting commands get no result, so that the server
   * delivers them again; if it must not deliver them again, they are refused.
   */
  async function stop(graceMs: number): Promise<void> {
    await leaveWaiting();
    const never = new AbortController().signal;
    const deadline = performance.now() + graceMs;
    while (open > 0 && !stopper.signal.aborted) {
      const left = deadline - performance.now();
      if (left > 0) await ended.wait(never, left);
      else stopper.abort();
    }
    while (open > 0) await ended.wait(never);
    stopper.abort();
  }

  async function leaveWaiting(): Promise<void> {
    const waiting = turns.take(() => true);
    const commandIds = waiting.map(({ id }) => id);
    if (commandIds.length === 0) return;
    if (!knowsAll()) return refuse(waiting, stopped);
    const message = `These commands wait until the agent starts again: ${commandIds.join(", ")}.`;
    emit("info", message, { type: "commands.left", commandIds });
  }

  async function giveUpExpired(signal: AbortSignal): Promise<void> {
    if (!turns.waiting().some((command) => isOver(command, clock))) return;
    await refreshClock(signal);
    if (signal.aborted) return;
    const over = turns.take((command) => isOver(command, clock));
    if (over.length === 0) return;
    for (const command of over) emitFinished(command, expired, 0);
    await refuse(over, expired);
  }

  /** Starts the handlers after the journal has recorded on disk that they may have started. */
  async function start(commands: DeliveredCommand[]): Promise<void> {
    if (commands.length === 0) return;
    running += commands.length;
    open += commands.length;
    const started = commands.map((command) => ({ command, cancel: new AbortController() }));
    for (const { command, cancel } of started) cancels.set(command.id, cancel);
    const refusal = await journal.received(commands).then(() => undefined, storageFailed);
    for (const { command, cancel } of started) void run(command, cancel.signal, refusal);
  }

  function isKnown(command: DeliveredCommand): boolean {
    const entry = journal.find(command.id);
    if (!entry && !isWaiting(command.id)) return false;
    emit("warn", `${command.id} was delivered again and is not run again.`, {
      type: "command.redelivered",
      ...factsOf(command),
    });
    if (entry?.state === "acknowledged") outbox.send(entry, alreadyRun);
    return true;
  }

  async function run(command: DeliveredCommand, cancel: AbortSignal, refusal?: CommandResult) {
    const startedAt = performance.now();
    const outcome = refusal
      ? notRun(refusal)
      : await outcomeOf(command, cancel).catch((error) => notRun(failedBy(error, "ACTION_FAILED")));
    const { result, ended: gone, sent } = outcome;
    cancels.delete(command.id);
    emitFinished(command, result, Math.round(performance.now() - startedAt));
    await record(command, result);
    void sendAfter(sent, command, result);
    await gone;
    running--;
    const next = turns.left(command);
    if (next) void start([next]);
    ended.ring();
  }

  function emitFinished(command: KeptCommand, result: CommandResult, durationMs: number): void {
    const errorCode = result.success ? null : result.error.code;
    const isCancelled = errorCode === "COMMAND_CANCELLED";
    const failure = isCancelled ? "was stopped" : `failed: ${errorCode}`;
    const outcome = errorCode === null ? "succeeded" : failure;
    emit(
      errorCode === null || isCancelled ? "info" : "warn",
      `${command.action} of ${command.serviceCode} ${outcome} (${command.id}).`,
      { type: "command.finished", ...factsOf(command), errorCode, durationMs },
    );
  }

  async function outcomeOf(command: DeliveredCommand, cancel: AbortSignal): Promise<Outcome> {
    const action = findAction(services(), command);
    if (!action) {
      const message = `The agent has no action ${command.action} of ${command.serviceCode}.`;
      return notRun(failed("ACTION_UNKNOWN", message));
    }
    if (clock.isDoubtful || timeFor(command, action.timeoutSeconds, clock) <= 0) {
      await refreshClock(stopper.signal);
    }
    if (cancel.aborted) return notRun(cancelledBefore);
    // A stop ends the update of the clock, so the clock may still be wrong.
    if (stopper.signal.aborted) return notRun(stopped);
    const timeMs = timeFor(command, action.timeoutSeconds, clock);
    if (timeMs <= 0) return notRun(expired);
    const output = openOutput(command, action);
    const problem = mismatch(command, action);
    if (problem) return notRun(output.clean(problem));
    emit("info", `${command.action} of ${command.serviceCode} starts (${command.id}).`, {
      type: "command.started",
      ...factsOf(command),
    });
    const log = (message: string, fields: object = {}) =>
      emit("info", message, { type: "command.log", ...factsOf(command), fields });
    const job = { command, action, timeMs, stop: stopper.signal, cancel, log };
    const { handle } = output;
    if (command.type === "ACTION_PREPARE") {
      const outcome = await runCommand({ ...job, output: silenced(handle) });
      return { ...outcome, result: output.cleanPrepared(outcome.result) };
    }
    const outcome = await runCommand({ ...job, output: handle });
    const result = output.clean(outcome.result);
    return { ...outcome, result, sent: output.end(stopper.signal) };
  }

  /** Returns null if the handler can get the payload. */
  function mismatch(command: DeliveredCommand, action: Action): CommandResult | null {
    const { issues, usable } = findingsOf(command, action);
    if (usable) return issues.length === 0 ? null : payloadInvalid(issues);
    const message =
      `The payload of ${command.id} could not be checked (${issues[0]?.message}). ` +
      `${command.action} of ${command.serviceCode} runs anyway, because the server accepted it.`;
    emit("warn", message, { type: "payload.unchecked", ...factsOf(command) });
    return null;
  }

  /** Never rejects: if storing fails, the result is sent anyway. */
  async function record({ id }: KeptCommand, result: CommandResult): Promise<void> {
    await journal.finished(id, result).catch(storageFailed);
  }

  /** `sent` never rejects. The service's next command does not wait for it. */
  async function sendAfter(
    sent: Promise<void> | undefined,
    command: KeptCommand,
    result: CommandResult,
  ): Promise<void> {
    await sent;
    outbox.send(command, result);
    open--;
    ended.ring();
  }

  function storageFailed(error: unknown): CommandResult {
    const message = emitJournalFailed(emit, error);
    return failed("AGENT_STORAGE_FAILED", `The action was not run. ${message}`);
  }

  return { held, knowsAll, room, whenRoom, recover, cancel, accept, stop };
}

function factsOf({ id, type, serviceCode, action }: KeptCommand) {
  return { commandId: id, commandType: type, serviceCode, action };
}

function restarted({ action, serviceCode }: JournalEntry): CommandResult {
  return failed(
    "AGENT_RESTARTED",
    `The agent restarted while ${action} of ${serviceCode} was running. The action may be partly ` +
      "done; it is not run again.",
  );
}

function isOver(command: DeliveredCommand, clock: ServerClock): boolean {
  return timeFor(command, undefined, clock) <= 0;
}

const expired = failed(
  "COMMAND_EXPIRED",
  "The command expired before the action could start; it was not run.",
);

const stopped = failed(
  "AGENT_STOPPED",
  "The agent was stopped before the action could start; it was not run.",
);

const cancelledBefore = failed(
  "COMMAND_CANCELLED",
  "The command was cancelled before the action could start; it was not run.",
);

const neverDelivered = failed(
  "COMMAND_CANCELLED",
  "The command was cancelled before it reached the agent; it was not run.",
);

const maybeDelivered = failed(
  "AGENT_RESTARTED",
  "The agent has no record of the command, but another program with this agent's token may have " +
    "received it. The action may be partly done.",
);

/** Placeholders for a cancelled command that the journal does not contain. */
const unknownCommand = { type: "ACTION_EXECUTE", serviceCode: "?", action: "?" } as const;

const alreadyRun = failed(
  "COMMAND_ALREADY_RUN",
  "The agent already ran this command and the server acknowledged its result. It is not run again.",
);

/**
 * Checks the payload, because the server may have checked it against an older schema, or against
 * the schema that `prepare` returned.
 */
function findingsOf({ type, payload }: DeliveredCommand, action: Action): Findings {
  const { inputSchema } = action;
  if (type === "ACTION_PREPARE" || inputSchema === undefined) return { issues: [], usable: true };
  return findIssues(payload, inputSchema as Parameters<typeof findIssues>[1]);
}

function payloadInvalid(issues: Issue[]): CommandResult {
  return failed("PAYLOAD_INVALID", mismatchMessage(issues), { issues } as unknown as Json);
}
