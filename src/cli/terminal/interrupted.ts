// Ctrl-C as an error.

export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(message = "interrupted") {
    super(message);
  }
}

/**
 * Returns the result of the work, or throws the signal's reason if it aborts first. Does not stop
 * the work.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
