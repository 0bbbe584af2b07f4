// What becomes of output that nobody takes. `platformctl … | head`: who reads has enough, and that is no
// error; what is under way ends as it would have. A disk that is full is an error.

/** Whoever read standard output has gone. */
export class OutputGone extends Error {
  override readonly name = "OutputGone";
}

let failure: NodeJS.ErrnoException | null = null;
const listeners = new Set<() => void>();

/** To be called once, before anything is written. */
export function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    failure ??= error;
    for (const listener of listeners) listener();
  });
  // Notes that nobody hears are no reason to stop.
  process.stderr.on("error", () => undefined);
}

/** Calls the listener when standard output cannot be written any more. Answers the undoing. */
export function onLostOutput(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Why standard output cannot be written; null when it can, or when its reader just had enough. */
export async function outputProblem(): Promise<string | null> {
  // What became of the last write is told in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  if (failure === null || failure.code === "EPIPE") return null;
  return failure.code === "ENOSPC" ? "the disk is full" : failure.message;
}

/** Writes it, and waits until it is taken. Throws OutputGone, or what the system says. */
export function writeOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (!error) return resolve();
      const isGone = (failure ?? (error as NodeJS.ErrnoException)).code === "EPIPE";
      reject(isGone ? new OutputGone("nobody reads standard output", { cause: error }) : error);
    });
  });
}
