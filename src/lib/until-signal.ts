// Ends a long-running program gracefully at the first signal and immediately at the second.

interface SignalOptions {
  /** Called at SIGHUP if the program runs as a service: standard error is not a terminal. */
  reload?: () => void;
  /** When this is aborted, the process signals have their default effects again. */
  forgotten?: AbortSignal;
}

/**
 * Remembers a SIGHUP until a service can reload. Otherwise, a SIGHUP during the start would end the
 * process, which systemd treats as a clean exit, after which it does not restart the service. On a
 * terminal, SIGHUP still ends the process.
 */
export function holdHangUps() {
  let came = false;
  const onHangUp = () => {
    came = true;
  };
  if (!process.stderr.isTTY) process.on("SIGHUP", onHangUp);
  /** Returns whether a SIGHUP was received. A second call returns false. */
  function release(): boolean {
    process.off("SIGHUP", onHangUp);
    const hasCome = came;
    came = false;
    return hasCome;
  }
  return { release, [Symbol.dispose]: release };
}

/** Calls `stop` at the first signal and settles as it does. The second signal ends the process. */
export function untilSignal(
  stop: () => Promise<void>,
  { reload, forgotten }: SignalOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let signals = 0;
    const onSignal = () => {
      signals++;
      if (signals > 1) process.exit(130);
      stop().then(resolve, reject);
    };
    const onHangUp = reload && !process.stderr.isTTY ? reload : onSignal;
    const handlers = { SIGTERM: onSignal, SIGINT: onSignal, SIGHUP: onHangUp };
    for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
    forgotten?.addEventListener("abort", () => {
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    });
  });
}
