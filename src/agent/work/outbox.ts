// Results on their way to the server: each is sent until the server has it, or wants it no more.

import type { Client } from "../../client/client.ts";
import type { CommandType } from "../../domain/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { Bell } from "../bell.ts";
import type { Connection } from "../connection/connection.ts";
import { messageOf } from "../connection/errors.ts";
import { codeOf, isAway } from "../connection/failures.ts";
import type { Emit } from "../events/events.ts";
import { type CommandResult, shortened } from "./commands.ts";
import type { Journal } from "./journal.ts";
import { Slots } from "./slots.ts";

/**
 * A server, or a proxy before it, may break the connection over a large result instead of answering
 * 413. When that happens again just after the server has answered a heartbeat, twice, the result is
 * too large.
 */
const largeLength = 256 * 1024;
const largeBreaks = 2;

/** After an outage there may be as many as an agent can hold: they come in good order. */
const sentAtOnce = 4;

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

  /** Starts sending; a result that is on its way already stays what it is. */
  send(command: { id: string; type: CommandType }, result: CommandResult): void {
    const { id } = command;
    if (this.#sending.has(id)) return;
    this.#sending.add(id);
    void this.#deliver(command, result)
      .then((isOver) => (isOver ? this.#journal.acknowledged(id) : undefined))
      .catch((error: unknown) => this.#tellJournalFailed(error))
      .finally(() => {
        this.#sending.delete(id);
        if (this.#sending.size === 0) this.#emptied.ring();
      });
  }

  /** Resolves when nothing is on its way, or after `ms`; answers whether all is sent. */
  async settled(ms: number): Promise<boolean> {
    if (this.#sending.size > 0) await this.#emptied.wait(new AbortController().signal, ms);
    return this.#sending.size === 0;
  }

  /** False when the connection ended before: the result stays in the journal. Never rejects. */
  async #deliver(command: { id: string; type: CommandType }, result: CommandResult) {
    try {
      await this.#post(command.id, result);
      return true;
    } catch (error) {
      if (this.#connection.ended) return false;
      if (isUnwanted(error)) return this.#drop(command.id, error);
      return this.#deliverShort(command, result, error);
    }
  }

  /** The server does not take it as it is: a short result is better than none. */
  async #deliverShort(
    { id, type }: { id: string; type: CommandType },
    result: CommandResult,
    refusal: unknown,
  ): Promise<boolean> {
    const short = shortened(result, type === "ACTION_PREPARE", messageOf(refusal));
    this.#emit("warn", `The server does not take the result of ${id}: ${messageOf(refusal)}`, {
      type: "result.shortened",
      commandId: id,
      code: codeOf(refusal),
    });
    await this.#journal.finished(id, short).catch((error) => this.#tellJournalFailed(error));
    try {
      await this.#post(id, short);
      return true;
    } catch (error) {
      return this.#connection.ended ? false : this.#drop(id, error);
    }
  }

  #drop(commandId: string, error: unknown): true {
    if (isOfCancelled(error)) {
      const message = `The server knows what became of ${commandId}, which was cancelled.`;
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

  /** The result goes to the server all the same. */
  #tellJournalFailed(error: unknown): void {
    const message = `The journal cannot be written: ${messageOf(error)}`;
    this.#emit("error", message, { type: "journal.failed" });
  }

  async #post(commandId: string, body: CommandResult): Promise<void> {
    const isLarge = JSON.stringify(body).length > largeLength;
    let wasThere = false;
    let breaks = 0;
    const send = async (client: Client, signal: AbortSignal, attempt: number) => {
      wasThere = false;
      if (isLarge && attempt > 1) {
        await client.call("agent.heartbeat", {}, { signal });
        wasThere = true;
      }
      return client.call("agent.result", { params: { commandId }, body }, { signal });
    };
    const onRetry = (error: unknown, attempt: number, delayMs: number) => {
      if (wasThere && isAway(error) && ++breaks === largeBreaks) throw error;
      this.#emit("warn", `The result of ${commandId} was not taken: ${messageOf(error)}`, {
        type: "result.retry",
        commandId,
        attempt,
        delayMs,
        code: codeOf(error),
      });
    };
    const answer = await this.#connection.persist(
      (...call) => this.#slots.run(() => send(...call)),
      // However many wait: together they do not try more often than a few would.
      { onRetry, slowness: () => Math.ceil(this.#sending.size / sentAtOnce) },
    );
    const { status, duplicate } = answer;
    this.#emit("debug", `The server has the result of ${commandId}.`, {
      type: "result.acknowledged",
      commandId,
      status,
      duplicate,
    });
  }
}

/** The result is kept beside a command that was cancelled: that is what it was sent for. */
function isOfCancelled(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.code === "COMMAND_ALREADY_COMPLETED" &&
    (error.details as { status?: unknown } | undefined)?.status === "CANCELLED"
  );
}

/** The command has ended another way, or is not there (any more). */
function isUnwanted(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === "COMMAND_ALREADY_COMPLETED" || error.code === "COMMAND_NOT_FOUND")
  );
}
