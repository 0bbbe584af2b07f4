import { realpathSync } from "node:fs";

/** Resolves links, so that all names of a file lead to the files beside it. */
export function trueName(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
