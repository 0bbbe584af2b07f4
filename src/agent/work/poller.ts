// Fetches commands: one poll at a time, held open by the server, and none while there is no room.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import { pause } from "../bell.ts";
import { backoffMs, retryMs } from "../connection/backoff.ts";
import type { Connection } from "../connection/connection.ts";
import { messageOf } from "../connection/errors.ts";
import { codeOf, isAway, isRefusal } from "../connection/failures.ts";
import type { Emit } from "../events/events.ts";
import type { Settings } from "../settings.ts";
import type { DeliveredCommand } from "./commands.ts";
import type { Work } from "./work.ts";

/** A server that is older than the agent mentions no cancellations. */
type Brought = Partial<ReplyData<Routes["agent.poll"]>> & { commands: DeliveredCommand[] };

/** How much longer than `wait` an answer may take. */
const patienceMs = 10_000;

export interface PollerOptions {
  connection: Connection;
  work: Work;
  settings: Settings;
  emit: Emit;
}

/** Polls until the signal is aborted; a poll that is held then ends at once. Does not reject. */
export async function pollForever(options: PollerOptions, signal: AbortSignal): Promise<void> {
  const { connection, work, settings } = options;
  let misses = 0;
  while (!signal.aborted) {
    await work.whenRoom(signal);
    const startedAt = performance.now();
    try {
      const waitSeconds = connection.isLost ? 0 : heldSeconds(options);
      const { commands, cancelled = [] } = await poll(connection, work, waitSeconds, signal);
      if (commands.length > 0) await work.accept(commands);
      const isNews = work.cancel(cancelled) > 0 || commands.length > 0;
      // Empty long before its time: the server is going down, or another agent uses our token.
      const isEarly = performance.now() - startedAt < Math.min(1000, waitSeconds * 500);
      misses = !isNews && isEarly ? misses + 1 : 0;
      if (misses > 0) await pause(backoffMs(misses, settings.backoff), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error)) continue;
      misses++;
      const delayMs = retryMs(error, misses, settings.backoff);
      if (!isAway(error)) tellFailed(options.emit, error, delayMs);
      await connection.waitForRetry(error, delayMs, signal);
    }
  }
}

function heldSeconds({ settings, connection }: PollerOptions): number {
  return settings.timing.pollWaitSeconds ?? connection.identity?.pollWaitSeconds ?? 25;
}

async function poll(connection: Connection, work: Work, wait: number, signal: AbortSignal) {
  const timeoutMs = wait * 1000 + patienceMs;
  return connection.call((client, ended): Promise<Brought> => {
    // What is in hand may have changed while the call was held back: asked at the last moment.
    const query = { wait, limit: Math.max(1, work.room()), held: work.held().join(",") };
    return client.call("agent.poll", { query }, { signal: ended, timeoutMs });
  }, signal);
}

function tellFailed(emit: Emit, error: unknown, delayMs: number): void {
  const message = `A poll failed: ${messageOf(error)}`;
  emit("warn", message, { type: "poll.failed", code: codeOf(error), delayMs });
}
