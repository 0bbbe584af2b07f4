// Fails if V8 rejects a code cache with the flags that this process was started with.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { cacheFile } from "./code-cache.ts";

const { folder, names }: { folder: string; names: string[] } = JSON.parse(readFileSync(0, "utf8"));

for (const name of names) {
  const text = readFileSync(join(folder, name), "utf8");
  const cachedData = readFileSync(cacheFile(folder, name));
  if (new Script(text, { filename: name, cachedData }).cachedDataRejected) {
    throw new Error(`V8 rejects its own code cache of ${name}`);
  }
}
