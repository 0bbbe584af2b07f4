// Work that must end in time: what a service, a program or a file is asked for.

import { orAborted } from "../bell.ts";

/**
 * Runs `work` with a signal that is aborted when `signal` is, or with the Error "no answer within 5 s"
 * when `ms` are over. Rejects with that reason then, as soon as `work` has ended.
 */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ender = new AbortController();
  const end = () => ender.abort(signal.reason);
  const timer = setTimeout(() => ender.abort(noAnswer(ms)), ms);
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    const answer = await work(ender.signal);
    ender.signal.throwIfAborted();
    return answer;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** For work that cannot be ended: rejects with the same Error after `ms`, and leaves it alone. */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return withTimeLimit(ms, never, (ended) => orAborted(work, ended));
}

const never = new AbortController().signal;

function noAnswer(ms: number): Error {
  return new Error(`no answer within ${ms / 1000} s`);
}
