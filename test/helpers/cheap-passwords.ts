// Cheap password hashes for tests that do not test passwords, because a real hash takes a third of
// a second.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScryptCost } from "../../src/core/access/passwords.ts";

export const cheapScryptCost: ScryptCost = { log2N: 4, r: 8, p: 1 };

/** Makes the hashes of a bundled program cheap. Throws unless exactly one file sets their cost. */
export function makePasswordsCheap(files: string[]): void {
  const found = files.filter((file) => {
    const code = readFileSync(file, "utf8");
    const cheap = code.replace(
      /(?<=defaultScryptCost = \{\s*log2N: )17\b/,
      String(cheapScryptCost.log2N),
    );
    if (cheap !== code) writeFileSync(file, cheap);
    return cheap !== code;
  });
  if (found.length !== 1) throw new Error(`${found.length} files set the cost of a hash`);
}

/** Makes the hashes in the output of `bundle` cheap. */
export function makeBundleCheap(dist: string): void {
  const parts = join(dist, "parts");
  makePasswordsCheap(readdirSync(parts).map((name) => join(parts, name)));
}
