// Where a configuration stands: its folder, from which its paths are read, and the environment that it
// may name. The parts of the sidecar are handed this, and look at nothing else of the process.

import { resolve } from "node:path";
import { messageOf } from "../connection/errors.ts";
import type { SecretSource } from "./config/config.ts";
import { readWholeFile } from "./regular-file.ts";

const maxSecretBytes = 64 * 1024;

export interface Place {
  /** Of agent.yaml; absolute. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

export function pathIn(place: Place, path: string): string {
  return resolve(place.folder, path);
}

/**
 * Read anew each time, so that what is replaced is found; without the line's end of a file. Throws an
 * Error that names the variable or the file, never what it holds.
 */
export async function readSecret(source: SecretSource, place: Place): Promise<string> {
  if (typeof source === "string") return source;
  if ("env" in source) {
    const value = place.env[source.env];
    if (value) return value;
    throw new Error(`the environment has no ${source.env}`);
  }
  const path = pathIn(place, source.file);
  const text = await readWholeFile(path, {
    maxBytes: maxSecretBytes,
    followLinks: source.followLinks ?? false,
  }).catch((error: unknown) => {
    throw new Error(`${path} cannot be read: ${messageOf(error)}`);
  });
  const value = text.replace(/\r?\n$/, "");
  if (value === "") throw new Error(`${path} is empty`);
  return value;
}
