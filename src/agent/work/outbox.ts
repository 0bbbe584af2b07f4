import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import { Bell } from "../bell.ts";
import type { Connection } from "../connection/connection.ts";
import { messageOf } from "../connection/errors.ts";
import { codeOf, isAway } from "../connection/failures.ts";
import type { Emit } from "../events/events.ts";
import { type CommandResult, shortened } from "./commands.ts";
import type { Journal } from "./journal.ts";
import type { KeptCommand } from "./journal-records.ts";
import { Slots } from "./slots.ts";

/**
 * A server or proxy may break the connection during a large result instead of responding with 413.
 * Two broken connections, each just after a successful heartbeat, count as a 413.
 */
const largeLength = 256 * 1024;
const largeBreaks = 2;

/** Limits the load on the server when many results wait after an outage. */
const sentAtOnce = 4;

type Answered = Pick<KeptCommand, "id" | "type">;

export class Outbox {
  readonly #connection: Connection;
  readonly #journal: Journal;
  readonly #emit: Emit;
  readonly #sending = new Set<string>();
  readonly #slots = new Slots(sentAtOnce);
  readonly #emptied = new Bell();

  constructor(connection: Connection, journal: Journal, emit: Emit) {
    this.#connection = connection;
    this.#journal = journal;
    this.#emit = emit;
  }

  /** Does nothing while another result of this command is being sent. */
  send(command: Answered, result: CommandResult): void {
    const { id } = command;
    if (this.#sending.has(id)) return;
    this.#sending.add(id);
    void this.#deliver(command, result)
      .then((isOver) => (isOver ? this.#journal.acknowledged(id) : undefined))
      .catch((error: unknown) => this.#emitJournalFailed(error))
      .finally(() => {
        this.#sending.delete(id);
        if (this.#sending.size === 0) this.#emptied.ring();
      });
  }

  /** Waits at most `ms`. Returns whether all results have been sent. */
  async settled(ms: number): Promise<boolean> {
    if (this.#sending.size > 0) await this.#emptied.wait(new AbortController().signal, ms);
    return this.#sending.size === 0;
  }

  /** Returns false if the connection ended first. Never rejects. */
  async #deliver(command: Answered, result: CommandResult) {
    try {
      await this.#post(command.id, result);
      return true;
    } catch (error) {
      if (this.#connection.ended) return false;
      if (isUnwanted(error)) return this.#drop(command.id, error);
      return this.#deliverShort(command, result, error);
    }
  }

  async #deliverShort({ id, type }: Answered, result: CommandResult, refusal: unknown) {
    const short = shortened(result, type === "ACTION_PREPARE", messageOf(refusal));
    this.#emit("warn", `The server refused the result of ${id}: ${messageOf(refusal)}`, {
      type: "result.shortened",
      commandId: id,
      code: codeOf(refusal),
    });
    await this.#journal.finished(id, short).catch((error) => this.#emitJournalFailed(error));
    try {
      await this.#post(id, short);
      return true;
    } catch (error) {
      return this.#connection.ended ? false : this.#drop(id, error);
    }
  }

  #drop(commandId: string, error: unknown): true {
    if (isOfCancelled(error)) {
      const message = `The server has the result of ${commandId}, which was cancelled.`;
      const facts = { commandId, status: "CANCELLED", duplicate: false } as const;
      this.#emit("debug", message, { type: "result.acknowledged", ...facts });
      return true;
    }
    this.#emit("warn", `The result of ${commandId} is not sent again: ${messageOf(error)}`, {
      type: "result.dropped",
      commandId,
      code: codeOf(error),
    });
    return true;
  }

  #emitJournalFailed(error: unknown): void {
    const message = `Cannot write the journal: ${messageOf(error)}`;
    this.#emit("error", message, { type: "journal.failed" });
  }

  async #post(commandId: string, body: CommandResult): Promise<void> {
    const isLarge = JSON.stringify(body).length > largeLength;
    let isReachable = false;
    let breaks = 0;
    const send = async (client: Client, signal: AbortSignal, attempt: number) => {
      isReachable = false;
      if (isLarge && attempt > 1) {
        await client.call("agent.heartbeat", {}, { signal });
        isReachable = true;
      }
      return client.call("agent.result", { params: { commandId }, body }, { signal });
    };
    const onRetry = (error: unknown, attempt: number, delayMs: number) => {
      if (isReachable && isAway(error) && ++breaks === largeBreaks) throw error;
      this.#emit("warn", `Sending the result of ${commandId} failed: ${messageOf(error)}`, {
        type: "result.retry",
        commandId,
        attempt,
        delayMs,
        code: codeOf(error),
      });
    };
    const reply = await this.#connection.persist(
      (...call) => this.#slots.run(() => send(...call)),
      // Many waiting results together retry no more often than a few do.
      { onRetry, slowness: () => Math.ceil(this.#sending.size / sentAtOnce) },
    );
    const { status, duplicate } = reply;
    this.#emit("debug", `The server has the result of ${commandId}.`, {
      type: "result.acknowledged",
      commandId,
      status,
      duplicate,
    });
  }
}

/** The server keeps the result with a cancelled command, so this counts as a success. */
function isOfCancelled(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.code === "COMMAND_ALREADY_COMPLETED" &&
    (error.details as { status?: unknown } | undefined)?.status === "CANCELLED"
  );
}

function isUnwanted(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === "COMMAND_ALREADY_COMPLETED" || error.code === "COMMAND_NOT_FOUND")
  );
}
