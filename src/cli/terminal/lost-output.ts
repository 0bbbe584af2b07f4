// Handles failures to write output. A closed pipe (`… | head`) is not an error; a full disk is.

/** The reader of standard output has closed it. */
export class OutputGone extends Error {
  override readonly name = "OutputGone";
}

let failure: NodeJS.ErrnoException | null = null;
const listeners = new Set<() => void>();

/** Must be called once, before the first write. */
export function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    failure ??= error;
    for (const listener of listeners) listener();
  });
  // A command continues if nobody reads its notes.
  process.stderr.on("error", () => undefined);
}

export function onLostOutput(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns why standard output cannot be written; null if it can be, or if its reader is gone. */
export async function outputProblem(): Promise<string | null> {
  // The outcome of the last write is reported in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  if (failure === null || failure.code === "EPIPE") return null;
  return failure.code === "ENOSPC" ? "the disk is full" : failure.message;
}

export function writeOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (!error) return resolve();
      const isGone = (failure ?? (error as NodeJS.ErrnoException)).code === "EPIPE";
      reject(isGone ? new OutputGone("nobody reads standard output", { cause: error }) : error);
    });
  });
}
