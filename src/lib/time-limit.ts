// Work that must end in time, or with a signal: calls, and what a service, a program or a file is asked
// for. What nobody waits for any more is left alone; it should listen to the signal that it was given.

/** What `work` comes to; rejects with the signal's reason, at once, when that is aborted before. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

/**
 * Runs `work` with a signal that is aborted when `signal` is, or with the Error "no answer within 5 s"
 * when `ms` are over. Rejects with that reason then, as soon as `work` has ended: work that may not
 * listen is put into `orAborted`.
 */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ender = new AbortController();
  const end = () => ender.abort(signal?.reason);
  const timer = setTimeout(() => ender.abort(noAnswer(ms)), ms);
  signal?.addEventListener("abort", end, { once: true });
  try {
    signal?.throwIfAborted();
    const answer = await work(ender.signal);
    ender.signal.throwIfAborted();
    return answer;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** For work that cannot be ended: rejects with the same Error after `ms`, and leaves it alone. */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return withTimeLimit(ms, undefined, (ended) => orAborted(work, ended));
}

function noAnswer(ms: number): Error {
  return new Error(`no answer within ${ms / 1000} s`);
}
