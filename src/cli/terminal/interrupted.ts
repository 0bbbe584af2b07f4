// Ctrl-C, as an error that travels.

export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(message = "interrupted") {
    super(message);
  }
}

/** What the work comes to, or the signal's reason when that is aborted first; the work is then left alone. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
