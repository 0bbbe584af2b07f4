// How long to wait: before the next try, and between two calls that come at intervals. Random parts
// keep many agents from calling in step.

export interface BackoffLimits {
  minMs: number;
  maxMs: number;
}

/** Capped exponential with full jitter: anywhere from 0 to `min · 2^(attempt - 1)`, at most `max`. */
export function backoffMs(attempt: number, { minMs, maxMs }: BackoffLimits): number {
  const cap = Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(Math.random() * cap);
}

/** Give or take 10 %. */
export function jittered(ms: number): number {
  return ms * (0.9 + Math.random() * 0.2);
}
