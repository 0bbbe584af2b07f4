// How long to wait: before the next try, and between two calls that come at intervals. Random parts
// keep many agents from calling in step.

import { retryAfterMs } from "./failures.ts";

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

/** Before the next try of a call that failed: not before the server's Retry-After. */
export function retryMs(
  error: unknown,
  attempt: number,
  limits: BackoffLimits,
  random: Random = Math.random,
): number {
  return (retryAfterMs(error) ?? 0) + backoffMs(attempt, limits, random);
}

/** Give or take 10 %. */
export function jittered(ms: number, random: Random = Math.random): number {
  return ms * (0.9 + random() * 0.2);
}
