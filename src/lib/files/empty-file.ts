// Creates an empty file that SQLite will open or lock.

import { closeSync, openSync } from "node:fs";

/**
 * Creates the file (mode 0600) unless it exists. Never opens an existing file, because POSIX locks
 * belong to the process: closing any descriptor of a file drops all locks that the process has on
 * the file.
 */
export function makeEmptyFile(file: string): void {
  try {
    closeSync(openSync(file, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
