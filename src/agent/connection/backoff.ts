// Delays before retries and between regular calls. They are partly random, so that agents do not
// call at the same times.

import { longestRetryAfterMs, retryAfterMs } from "./failures.ts";

export interface BackoffLimits {
  minMs: number;
  maxMs: number;
}

/** Returns 0 to 1, like Math.random. */
export type Random = () => number;

/**
 * Returns an exponential delay with full jitter: a random time from 0 to `min · 2^(attempt - 1)`,
 * at most `max`.
 */
export function backoffMs(
  attempt: number,
  { minMs, maxMs }: BackoffLimits,
  random: Random = Math.random,
): number {
  const cap = Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(random() * cap);
}

export interface RetryPace {
  /** The factor for the agent's own part of the delay. */
  slowness?: number;
  random?: Random;
}

/**
 * Returns the delay before a retry: the server's Retry-After plus the agent's own backoff. The sum
 * is at most 5 minutes plus `max`, for any `slowness`.
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

/** Returns a random time within 10 % of `ms`. */
export function jittered(ms: number, random: Random = Math.random): number {
  return ms * (0.9 + random() * 0.2);
}
