import type { Client } from "../../client/client.ts";
import { Slots } from "../../lib/slots.ts";
import { Bell } from "../bell.ts";
import type { Connection } from "../connection/connection.ts";
import { messageOf } from "../connection/errors.ts";
import { codeOf, isAboutCommand, isCode, isCutOff } from "../connection/failures.ts";
import type { Emit } from "../events/events.ts";
import { type CommandResult, shortened } from "./commands.ts";
import { emitJournalFailed, type Journal } from "./journal.ts";
import type { KeptCommand } from "./journal-records.ts";

/**
 * A server or proxy may break the connection during a large result, or refuse it in its own form,
 * and on a slow line the result may not arrive in time. Two such failures, each just after a
 * successful heartbeat, count as a 413. With a smaller result, two failures are more likely to be a
 * coincidence, so it is sent until it arrives.
 */
const largeBytes = 64 * 1024;
const largeBreaks = 2;

/** Limits the load on the server when many results wait after an outage. */
const sentAtOnce = 4;

type Answered = Pick<KeptCommand, "id" | "type">;

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(connection: Connection, journal: Journal, emit: Emit) {
  const sending = new Set<string>();
  const slots = new Slots(sentAtOnce);
  const emptied = new Bell();
  const journalFailed = (error: unknown) => void emitJournalFailed(emit, error);

  /** Does nothing while another result of this command is being sent. */
  function send(command: Answered, result: CommandResult): void {
    const { id } = command;
    if (sending.has(id)) return;
    sending.add(id);
    void deliver(command, result)
      .then((isOver) => (isOver ? journal.acknowledged(id) : undefined))
      .catch(journalFailed)
      .finally(() => {
        sending.delete(id);
        if (sending.size === 0) emptied.ring();
      });
  }

  /** Waits until all results have been sent, but for at most `ms` milliseconds. */
  async function settled(ms: number): Promise<void> {
    if (sending.size > 0) await emptied.wait(new AbortController().signal, ms);
  }

  /** Returns false if the connection ended first. Never rejects. */
  async function deliver(command: Answered, result: CommandResult) {
    try {
      await post(command.id, result);
      return true;
    } catch (error) {
      if (connection.ended) return false;
      if (isAboutCommand(error)) return drop(command.id, error);
      return deliverShort(command, result, error);
    }
  }

  async function deliverShort({ id, type }: Answered, result: CommandResult, refusal: unknown) {
    const short = shortened(result, type === "ACTION_PREPARE", messageOf(refusal));
    emit("warn", `The whole result of ${id} could not be sent: ${messageOf(refusal)}`, {
      type: "result.shortened",
      commandId: id,
      code: codeOf(refusal),
    });
    await journal.finished(id, short).catch(journalFailed);
    try {
      await post(id, short);
      return true;
    } catch (error) {
      return connection.ended ? false : drop(id, error);
    }
  }

  function drop(commandId: string, error: unknown): true {
    if (isOfCancelled(error)) {
      const message = `The server has the result of ${commandId}, which was cancelled.`;
      const facts = { commandId, status: "CANCELLED", duplicate: false } as const;
      emit("debug", message, { type: "result.acknowledged", ...facts });
      return true;
    }
    emit("warn", `The result of ${commandId} is not sent again: ${messageOf(error)}`, {
      type: "result.dropped",
      commandId,
      code: codeOf(error),
    });
    return true;
  }

  async function post(commandId: string, body: CommandResult): Promise<void> {
    const isLarge = Buffer.byteLength(JSON.stringify(body)) > largeBytes;
    let isReachable = false;
    let breaks = 0;
    const attemptOnce = async (client: Client, signal: AbortSignal, attempt: number) => {
      isReachable = false;
      if (isLarge && attempt > 1) {
        await client.call("agent.heartbeat", {}, { signal });
        isReachable = true;
      }
      return client.call("agent.result", { params: { commandId }, body }, { signal });
    };
    const onRetry = (error: unknown, attempt: number, delayMs: number) => {
      if (isReachable && isCutOff(error) && ++breaks === largeBreaks) throw error;
      emit("warn", `Sending the result of ${commandId} failed: ${messageOf(error)}`, {
        type: "result.retry",
        commandId,
        attempt,
        delayMs,
        code: codeOf(error),
      });
    };
    const reply = await connection.persist(
      (...call) => slots.run(() => attemptOnce(...call)),
      // Many waiting results together retry no more often than a few.
      { onRetry, slowness: () => Math.ceil(sending.size / sentAtOnce) },
    );
    const { status, duplicate } = reply;
    emit("debug", `The server has the result of ${commandId}.`, {
      type: "result.acknowledged",
      commandId,
      status,
      duplicate,
    });
  }

  return { send, settled };
}

/** The server stores the result of a cancelled command although it responds with this error. */
function isOfCancelled(error: unknown): boolean {
  return isCode(error, "COMMAND_ALREADY_COMPLETED") && error.details?.status === "CANCELLED";
}
