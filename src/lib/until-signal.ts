// How a long-running program ends: at a signal, in its own time; at the next one, at once.

/**
 * Calls `stop` at the first SIGTERM, SIGINT or SIGHUP, and resolves when that has ended; a second signal
 * ends the process at once. Rejects with what `stop` throws. `hangUp: false` leaves SIGHUP alone, which
 * has another meaning for a service without a terminal.
 */
export function untilSignal(
  stop: () => Promise<void>,
  { hangUp = true }: { hangUp?: boolean } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let signals = 0;
    const onSignal = () => {
      signals++;
      if (signals > 1) process.exit(130);
      stop().then(resolve, reject);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
    if (hangUp) process.on("SIGHUP", onSignal);
  });
}
