// The version of these sources, from package.json.

import { readFileSync } from "node:fs";

let version: string | null = null;

export function sourceVersion(): string {
  version ??= JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    .version as string;
  return version;
}
