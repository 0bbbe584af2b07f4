// Waits for an answer that a change brings, such as the end of a command.

import type { Ctx } from "../context.ts";

interface Look<T> {
  answer: T;
  /** Whether the wait ends with this answer. */
  isFinal: boolean;
  /** After how many milliseconds to look again, even if the doorbell does not ring. */
  againInMs?: number;
}

/**
 * Calls `look` now and whenever the doorbell rings for the key. Returns the first final answer. If
 * there is none before the time is up, the caller leaves or the server stops, returns the last
 * answer.
 */
export async function waitForChange<T>(
  { core, caller }: Ctx,
  key: string,
  waitMs: number,
  look: () => Promise<Look<T>>,
): Promise<T> {
  const deadline = core.monotonic() + waitMs;
  const waiter = core.doorbell.register(key, caller);
  try {
    while (true) {
      const { answer, isFinal, againInMs = Infinity } = await look();
      const leftMs = deadline - core.monotonic();
      if (isFinal || leftMs <= 0 || waiter.ended) return answer;
      await waiter.wait(Math.min(leftMs, againInMs));
    }
  } finally {
    waiter.close();
  }
}
