export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next `ring`, after `ms` or when the signal is aborted, whichever is first. */
  wait(signal: AbortSignal, ms?: number): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(wake, ms);
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

/** Resolves after `ms`, or early when the signal is aborted. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Bell().wait(signal, ms);
}

/** Returns a signal that is aborted `ms` after `signal`, unless `clear` is called first. */
export function abortedLater(
  signal: AbortSignal,
  ms: number,
): { signal: AbortSignal; clear(): void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => late.abort(signal.reason), ms);
  };
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin, { once: true });
  const clear = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", begin);
  };
  return { signal: late.signal, clear };
}
