// There is one long poll at a time, and none while the agent has no room for commands.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { pause } from "../bell.ts";
import { backoffMs, retryMs } from "../connection/backoff.ts";
import type { CallSchedule } from "../connection/call-schedule.ts";
import type { Connection } from "../connection/connection.ts";
import { messageOf } from "../connection/errors.ts";
import { codeOf, isAway, isRefusal } from "../connection/failures.ts";
import type { Emit } from "../events/events.ts";
import type { Settings } from "../settings.ts";
import type { DeliveredCommand } from "./commands.ts";
import type { Work } from "./work.ts";

/** An older server sends no cancellations. */
type Brought = Partial<ReplyData<Routes["agent.poll"]>> & { commands: DeliveredCommand[] };

/** How much longer than `wait` a response can take. */
const patienceMs = 10_000;

export interface PollerOptions {
  connection: Connection;
  rounds: CallSchedule;
  work: Work;
  settings: Settings;
  emit: Emit;
}

/** Aborting the signal also ends a long poll. Never rejects. */
export async function pollForever(options: PollerOptions, signal: AbortSignal): Promise<void> {
  const { connection, rounds, work, settings } = options;
  let misses = 0;
  while (!signal.aborted) {
    if (!connection.isLost) await rounds.makeCalls(signal);
    await work.whenRoom(signal);
    const startedAt = performance.now();
    try {
      const waitSeconds = connection.isLost ? 0 : longPollSeconds(options);
      const { commands, cancelled = [] } = await rounds.poll(() =>
        poll(options, waitSeconds, signal),
      );
      if (commands.length > 0) await work.accept(commands);
      const isNews = work.cancel(cancelled) > 0 || commands.length > 0;
      // An early response means that the server is stopping or another agent uses the token.
      const isEarly = performance.now() - startedAt < Math.min(1000, waitSeconds * 500);
      misses = !isNews && isEarly ? misses + 1 : 0;
      if (misses > 0) await pause(backoffMs(misses, settings.backoff), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error)) continue;
      misses++;
      const delayMs = retryMs(error, misses, settings.backoff);
      if (!isAway(error)) emitFailed(options.emit, error, delayMs);
      await connection.waitForRetry(error, delayMs, signal);
    }
  }
}

function longPollSeconds({ settings, connection, rounds }: PollerOptions): number {
  const { pollWaitSeconds = connection.identity?.pollWaitSeconds ?? 25 } = settings.timing;
  return Math.min(pollWaitSeconds, rounds.secondsLeft());
}

async function poll(options: PollerOptions, wait: number, signal: AbortSignal) {
  const { connection, work } = options;
  const { instance } = options.settings;
  const timeoutMs = wait * 1000 + patienceMs;
  const send = (client: Client, ended: AbortSignal): Promise<Brought> => {
    // The query is built late, because the connection may hold the call back for a while.
    const query = { wait, limit: Math.max(1, work.room()), ...heldBy(work), instance };
    return client.call("agent.poll", { query }, { signal: ended, timeoutMs });
  };
  return connection.call(send, signal, 1, options);
}

/** Without `held`, the server delivers each command only once. */
function heldBy(work: Work): { held?: string } {
  return work.knowsAll() ? { held: work.held().join(",") } : {};
}

function emitFailed(emit: Emit, error: unknown, delayMs: number): void {
  const message = `A poll failed: ${messageOf(error)}`;
  emit("warn", message, { type: "poll.failed", code: codeOf(error), delayMs });
}
