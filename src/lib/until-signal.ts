// How a long-running program ends: at a signal, in its own time; at the next one, at once.

/**
 * Calls `stop` at the first SIGTERM or SIGINT, or when the terminal is gone, and resolves when that has
 * ended; a second signal ends the process at once. Rejects with what `stop` throws.
 */
export function untilSignal(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let signals = 0;
    const onSignal = () => {
      signals++;
      if (signals > 1) process.exit(130);
      stop().then(resolve, reject);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
    // Without a terminal that signal has other meanings.
    if (process.stderr.isTTY) process.on("SIGHUP", onSignal);
  });
}
