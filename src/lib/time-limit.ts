// Limits the time of asynchronous work. This does not stop the work, so the work should watch its
// signal.

import { setTimeout as pause } from "node:timers/promises";

/** Settles as `work` does, or rejects with the signal's reason as soon as the signal is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

/** Rejects with the signal's reason, where Node's own pause rejects with an AbortError. */
export function pauseOrAborted(ms: number, signal: AbortSignal): Promise<void> {
  return orAborted(pause(ms, undefined, { signal }), signal);
}

/**
 * Aborts the signal of `work` when `signal` is aborted, or after `ms`. If `work` resolves after
 * that, rejects with the reason, such as "no answer within 5 s". Wrap work that ignores its signal
 * in `orAborted`.
 */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ender = new AbortController();
  const end = () => ender.abort(signal?.reason);
  const timer = setTimeout(() => ender.abort(new Error(`no answer within ${ms / 1000} s`)), ms);
  signal?.addEventListener("abort", end, { once: true });
  try {
    signal?.throwIfAborted();
    const result = await work(ender.signal);
    ender.signal.throwIfAborted();
    return result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Limits work that cannot be stopped. Rejects after `ms`. */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return withTimeLimit(ms, undefined, (ended) => orAborted(work, ended));
}

/**
 * Returns false if `work` does not settle within `ms`; a later rejection is ignored. Rejects if
 * `work` rejects in time. Until then, keeps the process alive.
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(late.resolve, ms, false);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
