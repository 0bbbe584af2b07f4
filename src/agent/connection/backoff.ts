// The delays are partly random, so that many agents do not call at the same moment.

import { longestRetryAfterMs, retryAfterMs } from "./failures.ts";

export interface BackoffLimits {
  minMs: number;
  maxMs: number;
}

export type Random = () => number;

/** Returns a random delay from 0 to `minMs · 2^(attempt - 1)` milliseconds, at most `maxMs`. */
export function backoffMs(
  attempt: number,
  { minMs, maxMs }: BackoffLimits,
  random: Random = Math.random,
): number {
  const cap = Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(random() * cap);
}

interface RetryPace {
  /** A factor for the agent's own part of the delay, not for the server's Retry-After. */
  slowness?: number;
  random?: Random;
}

/** Returns the server's Retry-After plus the agent's backoff: at most 5 minutes plus `maxMs`. */
export function retryMs(
  error: unknown,
  attempt: number,
  { minMs, maxMs }: BackoffLimits,
  { slowness = 1, random = Math.random }: RetryPace = {},
): number {
  const askedMs = retryAfterMs(error) ?? 0;
  const most = longestRetryAfterMs + maxMs - askedMs;
  const slow = { minMs: minMs * slowness, maxMs: Math.min(maxMs * slowness, most) };
  return askedMs + backoffMs(attempt, slow, random);
}

/** Intervals vary by this fraction in either direction. */
export const jitterPart = 0.1;

export function jittered(ms: number, random: Random = Math.random): number {
  return ms * (1 - jitterPart + random() * 2 * jitterPart);
}
