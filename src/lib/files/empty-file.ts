import { closeSync, openSync } from "node:fs";

/**
 * Creates the file with mode 0600 unless it exists, for SQLite to open or lock. Never opens an
 * existing file: closing any descriptor drops all POSIX locks that the process has on that file.
 */
export function makeEmptyFile(file: string): void {
  try {
    closeSync(openSync(file, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
