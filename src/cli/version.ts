// The version of these sources, from package.json, and of the program.

import { readFileSync } from "node:fs";
import type { Io } from "./io.ts";

let version: string | null = null;

export function sourceVersion(): string {
  version ??= JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    .version as string;
  return version;
}

/** What was baked in when the program was built; else that of the sources. */
export function programVersion(io: Pick<Io, "env">): string {
  return io.env.VERSION ?? `${sourceVersion()}-dev`;
}
