// How long to wait: before the next try, and between two calls that come at intervals. Random parts
// keep many agents from calling in step.

import { longestRetryAfterMs, retryAfterMs } from "./failures.ts";

export interface BackoffLimits {
  minMs: number;
  maxMs: number;
}

/** From 0 to 1, like Math.random. */
export type Random = () => number;

/** Capped exponential with full jitter: anywhere from 0 to `min · 2^(attempt - 1)`, at most `max`. */
export function backoffMs(
  attempt: number,
  { minMs, maxMs }: BackoffLimits,
  random: Random = Math.random,
): number {
  const cap = Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(random() * cap);
}

export interface RetryPace {
  /** Makes our own part of the wait so many times as long. */
  slowness?: number;
  random?: Random;
}

/**
 * Before the next try of a call that failed: the server's Retry-After as it is, then our own part. Both
 * together are at most 5 minutes and `max`, however slow it is.
 */
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

/** Give or take 10 %. */
export function jittered(ms: number, random: Random = Math.random): number {
  return ms * (0.9 + random() * 0.2);
}
