// Each command is in the journal before its handler starts, runs at most once, and ends in one
// result (docs/decisions/0006-command-delivery.md).

import { setMaxListeners } from "node:events";
import { maxHeldCommands, pollLimit } from "../../domain/limits.ts";
import { Bell } from "../bell.ts";
import { type ServerClock, timeFor } from "../connection/deadline.ts";
import { messageOf } from "../connection/errors.ts";
import type { Emit } from "../events/events.ts";
import type { Action, Service } from "../services/services.ts";
import { type CommandResult, type DeliveredCommand, failed } from "./commands.ts";
import type { Journal } from "./journal.ts";
import type { JournalEntry, KeptCommand } from "./journal-records.ts";
import type { Outbox } from "./outbox.ts";
import { findingsOf, payloadInvalid } from "./payload-check.ts";
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
  services: () => Service[];
}

/**
 * The limit is low, because the timeouts of waiting commands are already running. It is not lower,
 * so that one service's queue does not block other services.
 */
const maxWaiting = 20;

/** An agent without room does not poll, so it gets cancellations by heartbeats at this interval. */
const askWhenFullMs = 5000;

export class Work {
  readonly #options: WorkOptions;
  readonly #turns = new Turns();
  readonly #stop = new AbortController();
  readonly #ended = new Bell();
  /** Contains the commands whose handlers may have started and have not ended. */
  readonly #cancels = new Map<string, AbortController>();
  #running = 0;
  /** The number of running handlers whose commands have no result yet. */
  #open = 0;

  constructor(options: WorkOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stop.signal);
  }

  held(): string[] {
    return [...this.#options.journal.inHand(), ...this.#turns.waiting()].map(({ id }) => id);
  }

  room(): number {
    const slots = this.#options.concurrency - this.#running;
    const places = maxWaiting - this.#turns.waiting().length;
    const unheld = maxHeldCommands - this.held().length;
    return Math.max(0, Math.min(slots, places, unheld, pollLimit.max));
  }

  async whenRoom(signal: AbortSignal): Promise<void> {
    let askedAt = performance.now();
    while (this.room() === 0 && !signal.aborted) {
      await this.#ended.wait(signal, 1000);
      await this.#giveUpExpired(signal);
      if (performance.now() - askedAt < askWhenFullMs) continue;
      await this.#options.refreshClock(signal);
      askedAt = performance.now();
    }
  }

  /** Commands that had started in the previous process fail and do not run again. */
  async recover(): Promise<void> {
    for (const entry of this.#options.journal.inHand()) {
      if (entry.result) {
        this.#options.outbox.send(entry, entry.result);
        continue;
      }
      const result = restarted(entry);
      this.#emitFinished(entry, result, 0);
      await this.#conclude(entry, result);
    }
  }

  /** Returns how many cancellations were new. */
  cancel(ids: readonly string[]): number {
    const fresh = ids.filter((id) => this.#isFreshlyCancelled(id));
    for (const commandId of fresh) {
      const message = `${commandId} was cancelled.`;
      this.#options.emit("info", message, { type: "command.cancelled", commandId });
      const running = this.#cancels.get(commandId);
      if (running) running.abort();
      else void this.#refuseCancelled(commandId);
    }
    return fresh.length;
  }

  #isFreshlyCancelled(id: string): boolean {
    const running = this.#cancels.get(id);
    return running ? !running.signal.aborted : this.#options.journal.find(id) === undefined;
  }

  async #refuseCancelled(id: string): Promise<void> {
    const [waiting] = this.#turns.take((command) => command.id === id);
    if (waiting) await this.#refuse([waiting], cancelledBefore);
    else await this.#refuse([{ ...unknownCommand, id }], neverDelivered);
    this.#ended.ring();
  }

  /** Records the commands, so that none runs if it is delivered again before its result is sent. */
  async #refuse(commands: KeptCommand[], result: CommandResult): Promise<void> {
    const { journal, outbox } = this.#options;
    await journal.refused(commands, result).catch((error: unknown) => this.#storageFailed(error));
    for (const command of commands) outbox.send(command, result);
  }

  /** Resolves when the handlers whose turn it is can start. Never rejects. */
  async accept(commands: DeliveredCommand[]): Promise<void> {
    const fresh = commands.filter((command) => !this.#isKnown(command));
    await this.#start(fresh.filter((command) => this.#turns.came(command)));
  }

  /**
   * Aborts running handlers after `graceMs`. Waiting commands are not acknowledged, so that the
   * server delivers them again.
   */
  async stop(graceMs: number): Promise<void> {
    this.#leaveWaiting();
    const never = new AbortController().signal;
    const deadline = performance.now() + graceMs;
    while (this.#open > 0 && !this.#stop.signal.aborted) {
      const left = deadline - performance.now();
      if (left > 0) await this.#ended.wait(never, left);
      else this.#stop.abort();
    }
    while (this.#open > 0) await this.#ended.wait(never);
    this.#stop.abort();
  }

  #leaveWaiting(): void {
    const commandIds = this.#turns.take(() => true).map(({ id }) => id);
    if (commandIds.length === 0) return;
    const message = `These commands were not started and wait for the next start: ${commandIds.join(", ")}.`;
    this.#options.emit("info", message, { type: "commands.left", commandIds });
  }

  async #giveUpExpired(signal: AbortSignal): Promise<void> {
    const { clock, refreshClock } = this.#options;
    if (!this.#turns.waiting().some((command) => isOver(command, clock))) return;
    await refreshClock(signal);
    if (signal.aborted) return;
    const over = this.#turns.take((command) => isOver(command, clock));
    if (over.length === 0) return;
    for (const command of over) this.#emitFinished(command, expired, 0);
    await this.#refuse(over, expired);
  }

  /** The journal first records on disk that the handlers may have started. */
  async #start(commands: DeliveredCommand[]): Promise<void> {
    if (commands.length === 0) return;
    this.#running += commands.length;
    this.#open += commands.length;
    const started = commands.map((command) => ({ command, cancel: new AbortController() }));
    for (const { command, cancel } of started) this.#cancels.set(command.id, cancel);
    const refusal = await this.#options.journal.received(commands).then(
      () => null,
      (error: unknown) => this.#storageFailed(error),
    );
    for (const { command, cancel } of started) void this.#run(command, cancel.signal, refusal);
  }

  #isKnown(command: DeliveredCommand): boolean {
    const entry = this.#options.journal.find(command.id);
    const isWaiting = this.#turns.waiting().some(({ id }) => id === command.id);
    if (!entry && !isWaiting) return false;
    this.#options.emit("warn", `${command.id} was delivered again and is not run again.`, {
      type: "command.redelivered",
      ...factsOf(command),
    });
    if (entry?.state === "acknowledged") this.#options.outbox.send(entry, alreadyRun);
    return true;
  }

  async #run(command: DeliveredCommand, cancel: AbortSignal, refusal: CommandResult | null) {
    const startedAt = performance.now();
    const { result, ended } = refusal ? notRun(refusal) : await this.#outcomeOf(command, cancel);
    this.#cancels.delete(command.id);
    this.#emitFinished(command, result, Math.round(performance.now() - startedAt));
    await this.#conclude(command, result);
    this.#open--;
    this.#ended.ring();
    await ended;
    this.#running--;
    const next = this.#turns.left(command);
    if (next) void this.#start([next]);
    this.#ended.ring();
  }

  #emitFinished(command: KeptCommand, result: CommandResult, durationMs: number): void {
    const errorCode = result.success ? null : result.error.code;
    const isCancelled = errorCode === "COMMAND_CANCELLED";
    const failure = isCancelled ? "was stopped" : `failed: ${errorCode}`;
    const outcome = errorCode === null ? "succeeded" : failure;
    this.#options.emit(
      errorCode === null || isCancelled ? "info" : "warn",
      `${command.action} of ${command.serviceCode} ${outcome} (${command.id}).`,
      { type: "command.finished", ...factsOf(command), errorCode, durationMs },
    );
  }

  async #outcomeOf(command: DeliveredCommand, cancel: AbortSignal): Promise<Outcome> {
    const { emit, clock } = this.#options;
    const action = findAction(this.#options.services(), command);
    if (!action) {
      const message = `The agent has no action ${command.action} of ${command.serviceCode}.`;
      return notRun(failed("ACTION_UNKNOWN", message));
    }
    if (timeFor(command, action.timeoutSeconds, clock) <= 0) {
      await this.#options.refreshClock(this.#stop.signal);
    }
    const timeMs = timeFor(command, action.timeoutSeconds, clock);
    if (timeMs <= 0) return notRun(expired);
    if (cancel.aborted) return notRun(cancelledBefore);
    const mismatch = this.#mismatch(command, action);
    if (mismatch) return notRun(mismatch);
    emit("info", `${command.action} of ${command.serviceCode} starts (${command.id}).`, {
      type: "command.started",
      ...factsOf(command),
    });
    const log = (message: string, fields: object = {}) =>
      emit("info", message, { type: "command.log", ...factsOf(command), fields });
    return runCommand({ command, action, timeMs, stop: this.#stop.signal, cancel, log });
  }

  /** Returns null if the handler can get the payload. */
  #mismatch(command: DeliveredCommand, action: Action): CommandResult | null {
    const { issues, usable } = findingsOf(command, action);
    if (usable) return issues.length === 0 ? null : payloadInvalid(issues);
    const message =
      `The payload of ${command.id} could not be checked (${issues[0]?.message}). ` +
      `${command.action} of ${command.serviceCode} runs anyway, because the server accepted it.`;
    this.#options.emit("warn", message, { type: "payload.unchecked", ...factsOf(command) });
    return null;
  }

  /** If storing fails, the result is sent anyway. */
  async #conclude(command: KeptCommand, result: CommandResult) {
    const { journal, outbox } = this.#options;
    await journal
      .finished(command.id, result)
      .catch((error: unknown) => this.#storageFailed(error));
    outbox.send(command, result);
  }

  #storageFailed(error: unknown): CommandResult {
    const message = `Cannot write the journal: ${messageOf(error)}`;
    this.#options.emit("error", message, { type: "journal.failed" });
    return failed("AGENT_STORAGE_FAILED", `The action was not run. ${message}`);
  }
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

const cancelledBefore = failed(
  "COMMAND_CANCELLED",
  "The command was cancelled before the action could start; it was not run.",
);

const neverDelivered = failed(
  "COMMAND_CANCELLED",
  "The command was cancelled before it reached the agent; it was not run.",
);

/** Placeholders for a command that was cancelled before its delivery. */
const unknownCommand = { type: "ACTION_EXECUTE", serviceCode: "?", action: "?" } as const;

const alreadyRun = failed(
  "COMMAND_ALREADY_RUN",
  "The agent already ran this command and the server acknowledged its result. It is not run again.",
);
