import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

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
