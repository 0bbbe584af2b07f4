// The commands in hand, from delivery to acknowledgement: each is in the journal before its handler
// starts, runs at most once, and ends in one result. (`decisions.md` 3.4)

import { setMaxListeners } from "node:events";
import { maxHeldCommands, pollLimit } from "../domain/limits.ts";
import { Bell } from "./bell.ts";
import { type CommandResult, type DeliveredCommand, failed } from "./commands.ts";
import { type ServerClock, timeFor } from "./deadline.ts";
import { messageOf } from "./errors.ts";
import type { Emit } from "./events.ts";
import type { Journal } from "./journal.ts";
import type { JournalEntry } from "./journal-records.ts";
import type { Outbox } from "./outbox.ts";
import { findAction, runCommand } from "./run-command.ts";
import type { Service } from "./services.ts";

export interface WorkOptions {
  journal: Journal;
  outbox: Outbox;
  emit: Emit;
  concurrency: number;
  clock: ServerClock;
  /** Asks the server for its time once more; does not reject. */
  refreshClock: () => Promise<void>;
  services: () => Service[];
}

export class Work {
  readonly #options: WorkOptions;
  readonly #stop = new AbortController();
  readonly #ended = new Bell();
  #running = 0;

  constructor(options: WorkOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stop.signal);
  }

  /** Ids for the poll's `held`. */
  held(): string[] {
    return this.#options.journal.inHand().map(({ id }) => id);
  }

  /** How many commands may come now: 0 to 10. */
  room(): number {
    const slots = this.#options.concurrency - this.#running;
    return Math.max(0, Math.min(slots, pollLimit.max, maxHeldCommands - this.held().length));
  }

  async whenRoom(signal: AbortSignal): Promise<void> {
    while (this.room() === 0 && !signal.aborted) await this.#ended.wait(signal, 1000);
  }

  /** Ends what a former process left: what had started is told as such, and not run again. */
  async recover(): Promise<void> {
    for (const entry of this.#options.journal.inHand()) {
      if (entry.result) this.#options.outbox.send(entry, entry.result);
      else await this.#conclude(entry, restarted(entry));
    }
  }

  /** Takes a delivery. Resolves when its handlers may start; does not reject. */
  async accept(commands: DeliveredCommand[]): Promise<void> {
    const fresh = commands.filter((command) => !this.#isKnown(command));
    if (fresh.length === 0) return;
    this.#running += fresh.length;
    const refusal = await this.#options.journal.received(fresh).then(
      () => null,
      (error: unknown) => this.#storageFailed(error),
    );
    for (const command of fresh) void this.#run(command, refusal);
  }

  /** Gives what runs `graceMs` to end, then aborts it. Resolves when all have their results. */
  async stop(graceMs: number): Promise<void> {
    const never = new AbortController().signal;
    const deadline = performance.now() + graceMs;
    while (this.#running > 0 && !this.#stop.signal.aborted) {
      const left = deadline - performance.now();
      if (left > 0) await this.#ended.wait(never, left);
      else this.#stop.abort();
    }
    while (this.#running > 0) await this.#ended.wait(never);
  }

  #isKnown(command: DeliveredCommand): boolean {
    const entry = this.#options.journal.find(command.id);
    if (!entry) return false;
    this.#options.emit("warn", `${command.id} was delivered again; it is not run again.`, {
      type: "command.redelivered",
      ...factsOf(command),
    });
    if (entry.state === "acknowledged") this.#options.outbox.send(entry, alreadyRun);
    return true;
  }

  async #run(command: DeliveredCommand, refusal: CommandResult | null): Promise<void> {
    const { emit } = this.#options;
    const startedAt = performance.now();
    const result = refusal ?? (await this.#resultOf(command));
    const durationMs = Math.round(performance.now() - startedAt);
    const errorCode = result.success ? null : result.error.code;
    emit(
      errorCode === null ? "info" : "warn",
      `${command.action} of ${command.serviceCode} ${errorCode === null ? "succeeded" : `failed: ${errorCode}`} (${command.id}).`,
      { type: "command.finished", ...factsOf(command), errorCode, durationMs },
    );
    await this.#conclude(command, result);
    this.#running--;
    this.#ended.ring();
  }

  async #resultOf(command: DeliveredCommand): Promise<CommandResult> {
    const { emit, clock } = this.#options;
    const action = findAction(this.#options.services(), command);
    if (!action) {
      const message = `The agent knows no action ${command.action} of ${command.serviceCode}.`;
      return failed("ACTION_UNKNOWN", message);
    }
    if (timeFor(command, action.timeoutSeconds, clock) <= 0) await this.#options.refreshClock();
    const timeMs = timeFor(command, action.timeoutSeconds, clock);
    if (timeMs <= 0) return failed("COMMAND_EXPIRED", "The command came after it had expired.");
    emit("info", `${command.action} of ${command.serviceCode} starts (${command.id}).`, {
      type: "command.started",
      ...factsOf(command),
    });
    const log = (message: string, fields: object = {}) =>
      emit("info", message, { type: "command.log", ...factsOf(command), fields });
    return runCommand({ command, action, timeMs, stop: this.#stop.signal, log });
  }

  /** The result is on disk before it is sent; if the disk does not take it, it is sent all the same. */
  async #conclude(command: { id: string; type: JournalEntry["type"] }, result: CommandResult) {
    const { journal, outbox } = this.#options;
    await journal
      .finished(command.id, result)
      .catch((error: unknown) => this.#storageFailed(error));
    outbox.send(command, result);
  }

  #storageFailed(error: unknown): CommandResult {
    const message = `The journal cannot be written: ${messageOf(error)}`;
    this.#options.emit("error", message, { type: "journal.failed" });
    return failed("AGENT_STORAGE_FAILED", `The action was not run. ${message}`);
  }
}

function factsOf({
  id,
  type,
  serviceCode,
  action,
}: Omit<DeliveredCommand, "payload" | "expiresAt">) {
  return { commandId: id, commandType: type, serviceCode, action };
}

function restarted({ action, serviceCode }: JournalEntry): CommandResult {
  return failed(
    "AGENT_RESTARTED",
    `The agent restarted while ${action} of ${serviceCode} was running: it may have been done in ` +
      "part, and is not run again.",
  );
}

const alreadyRun = failed(
  "COMMAND_ALREADY_RUN",
  "The agent ran this command before and its result was acknowledged; it is not run again.",
);
