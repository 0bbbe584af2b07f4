// How a long-running program ends: at a signal, in its own time; at the next one, at once.

export interface SignalOptions {
  /**
   * What SIGHUP means to a service, whose standard error is not a terminal. On a terminal, and without
   * this, SIGHUP ends the process as SIGTERM does.
   */
  reload?: () => void;
  /** Once this aborts, signals do what they do to any program. */
  forgotten?: AbortSignal;
}

export interface HeldHangUps {
  /** SIGHUP is obeyed again. Returns whether one came; a second call returns false. */
  release(): boolean;
}

/**
 * For a service that is not yet able to reload: its SIGHUP is remembered in place of ending the process. On
 * a terminal it does end it.
 */
export function holdHangUps(): HeldHangUps {
  let came = false;
  const onHangUp = () => {
    came = true;
  };
  if (!process.stderr.isTTY) process.on("SIGHUP", onHangUp);
  return {
    release() {
      process.off("SIGHUP", onHangUp);
      const hasCome = came;
      came = false;
      return hasCome;
    },
  };
}

/**
 * Calls `stop` at the first SIGTERM, SIGINT or SIGHUP, and resolves when that has ended; a second signal
 * ends the process at once. Rejects with what `stop` throws.
 */
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
