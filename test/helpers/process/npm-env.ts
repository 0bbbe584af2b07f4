import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cleanEnv } from "./process.ts";

/**
 * Returns the environment of a user with this Node.js whose program was not started by npm. Creates
 * the folder, writes a `node` into it, and keeps npm's cache there.
 */
export function npmEnv(folder: string): Record<string, string> {
  mkdirSync(folder);
  // npm ends with process.exit(), which can wait forever for a thread that compiles
  // (https://github.com/nodejs/node/issues/54918).
  const node = `#!/bin/sh\nexec '${process.execPath}' --no-concurrent-sparkplug "$@"\n`;
  writeFileSync(join(folder, "node"), node, { mode: 0o755 });
  const kept = Object.entries(cleanEnv()).filter(([name]) => !/^(npm_|INIT_CWD)/i.test(name));
  const PATH = [folder, process.env.PATH].join(delimiter);
  // Without a home folder, npm has no cache of its own.
  return { ...Object.fromEntries(kept), PATH, npm_config_cache: join(folder, "cache") };
}
