// Does something again and again: at once, and then at an interval.

import { jittered } from "../../backoff.ts";
import { pause } from "../../bell.ts";

/**
 * Calls `work` at once and then every `intervalMs`, give or take 10 %, from one beginning to the next; a
 * call that takes longer than that is waited for. The first wait is shorter by chance, so that many
 * that begin together do not go on in step. Resolves when the signal is aborted and the running call
 * has ended. `work` must not reject.
 */
export async function repeat(
  intervalMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  let waitMs = Math.random() * intervalMs;
  while (!signal.aborted) {
    const startedAt = performance.now();
    await work();
    await pause(Math.max(0, waitMs - (performance.now() - startedAt)), signal);
    waitMs = jittered(intervalMs);
  }
}
