// The error that Ctrl-C causes.

export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(message = "interrupted") {
    super(message);
  }
}

/** When the signal aborts, rejects with its reason. The work itself continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
