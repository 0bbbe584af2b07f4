// V8's code caches make the program start faster. A separate process makes them, so that the result
// is always the same.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeFlags } from "./node-flags.ts";

/** A command line of the program, and its exit status. */
export interface WarmUp {
  words: string[];
  status: number;
}

/** The input of the process that makes the caches, as JSON. */
export interface CacheJob {
  /** Contains a file for each part, with the part's name. */
  folder: string;
  /** The path of each asset, by the asset's name. */
  assets: Record<string, string>;
  commands: WarmUp[];
}

/**
 * Runs the commands, which load `main.js` and other parts. Returns a cache for each part that they
 * loaded, by the part's name. A cache has only the functions that the commands called, because
 * others would cost more in size than they save in time. Throws if a command ends with a status
 * other than its `status`, or if V8 rejects a cache in the packaged file.
 */
export function codeCachesOf(
  parts: Map<string, string>,
  folder: string,
  { assets, commands }: Pick<CacheJob, "assets" | "commands">,
): Map<string, Uint8Array> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of parts) writeFileSync(join(folder, name), text);
  const job: CacheJob = { folder, assets, commands };
  // With a random seed, the names in the caches would be in a different order each time. V8 would
  // also forget functions that have not run for a while.
  const flags = ["--hash-seed=1", "--no-flush-bytecode", "--disable-warning=ExperimentalWarning"];
  run("code-cache-process.ts", flags, job, folder);
  const names = [...parts.keys()].filter((name) => existsSync(cacheFile(folder, name)));
  run("code-cache-check.ts", nodeFlags, { folder, names }, folder);
  return new Map(names.map((name) => [name, readFileSync(cacheFile(folder, name))]));
}

function run(script: string, flags: string[], input: object, home: string): void {
  execFileSync(process.execPath, [...flags, join(import.meta.dirname, script)], {
    env: { HOME: home, XDG_CACHE_HOME: home },
    input: JSON.stringify(input),
    stdio: ["pipe", "ignore", "pipe"],
  });
}

/** The file in which the process stores the cache of a part. */
export function cacheFile(folder: string, name: string): string {
  return join(folder, `${name}.cache`);
}
