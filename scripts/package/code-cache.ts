// V8's code caches make the program start faster. A separate process makes them, so that the result
// is always the same.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

/** The keys are the names of the parts. Throws if V8 rejects a cache. */
export function codeCachesOf(parts: Map<string, string>, folder: string): Map<string, Uint8Array> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of parts) writeFileSync(join(folder, name), text);
  const worker = join(import.meta.dirname, "code-cache-process.ts");
  execFileSync(process.execPath, ["--hash-seed=1", worker, folder, ...parts.keys()], { env: {} });
  return new Map([...parts].map(([name, text]) => [name, readCache(folder, name, text)]));
}

function readCache(folder: string, name: string, text: string): Uint8Array {
  const cachedData = readFileSync(join(folder, `${name}.cache`));
  if (new Script(text, { filename: name, cachedData }).cachedDataRejected) {
    throw new Error(`V8 rejects its own code cache of ${name}`);
  }
  return cachedData;
}
