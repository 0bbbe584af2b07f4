// The folder and environment that the sidecar uses instead of those of its process.

import { resolve } from "node:path";
import { messageOf } from "../../connection/errors.ts";
import { readWholeFile } from "../regular-file.ts";
import type { SecretSource } from "./config.ts";

const maxSecretBytes = 64 * 1024;

export interface ConfigOrigin {
  /** The absolute path of the folder that contains agent.yaml. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** For work that ends early when the signal is aborted. */
export interface Abortable extends ConfigOrigin {
  signal: AbortSignal;
}

export function pathIn(origin: ConfigOrigin, path: string): string {
  return resolve(origin.folder, path);
}

/**
 * Reads the secret each time, so that a replaced secret takes effect. Throws an Error that names
 * the variable or the file, but never its content.
 */
export async function readSecret(source: SecretSource, origin: ConfigOrigin): Promise<string> {
  if (typeof source === "string") return source;
  if ("env" in source) {
    const value = origin.env[source.env];
    if (value) return value;
    throw new Error(`the environment variable ${source.env} is not set`);
  }
  const path = pathIn(origin, source.file);
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
