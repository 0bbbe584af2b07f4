// How a long-running program ends: at a signal, in its own time; at the next one, at once.

/**
 * Calls `stop` at the first SIGTERM, SIGINT or SIGHUP, and resolves when that has ended; a second signal
 * ends the process at once. Rejects with what `stop` throws. `hangUp: false` leaves SIGHUP alone, which
 * has another meaning for a service without a terminal. Once `forgotten` aborts, signals do what they do
 * to any program.
 */
export function untilSignal(
  stop: () => Promise<void>,
  { hangUp = true, forgotten }: { hangUp?: boolean; forgotten?: AbortSignal } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let signals = 0;
    const onSignal = () => {
      signals++;
      if (signals > 1) process.exit(130);
      stop().then(resolve, reject);
    };
    const names = ["SIGTERM", "SIGINT", ...(hangUp ? ["SIGHUP"] : [])];
    for (const name of names) process.on(name, onSignal);
    forgotten?.addEventListener("abort", () => {
      for (const name of names) process.off(name, onSignal);
    });
  });
}
