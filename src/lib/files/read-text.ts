// Reads the text of a file that may not exist.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Resolves to null if the file does not exist. Rejects with any other error. */
export function readTextOrNull(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(nullIfMissing);
}

export function readTextOrNullSync(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    return nullIfMissing(error);
  }
}

function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  throw error;
}
