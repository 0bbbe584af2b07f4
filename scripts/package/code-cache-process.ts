// Compiles the files of a folder, and writes V8's code cache for `<name>` to `<name>.cache`. It is
// started with --hash-seed=1: with a random seed, the names in the cache would be in a different
// order each time.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

// A cache is valid only for the flags that it was made with, and the program runs without flags.
setFlagsFromString("--hash-seed=0");

const [, , folder = "", ...names] = process.argv;
for (const name of names) {
  const file = join(folder, name);
  const script = new Script(readFileSync(file, "utf8"), { filename: name });
  writeFileSync(`${file}.cache`, script.createCachedData());
}
