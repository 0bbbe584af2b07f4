// Makes SHA256SUMS, the input of `sha256sum -c`.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function sha256Of(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** Writes SHA256SUMS for these files in the folder. */
export function writeChecksums(folder: string, names: string[]): void {
  const lines = names.sort().map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}
