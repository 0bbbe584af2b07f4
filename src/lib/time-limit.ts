// Limits the time of asynchronous work with a timeout or a signal. Work that runs out of time is
// not stopped, so it should listen to the signal that it receives.

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

/**
 * Runs `work` with a signal that is aborted when `signal` is aborted, or after `ms` with an Error
 * such as "no answer within 5 s". After the abort, rejects with that reason as soon as `work` has
 * ended. Wrap work that may ignore the signal in `orAborted`.
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

/** Limits work that cannot be stopped: rejects with the same Error after `ms`. */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return withTimeLimit(ms, undefined, (ended) => orAborted(work, ended));
}
