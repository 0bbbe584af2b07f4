// A `jq` for machines without one. It wraps the npm package, and supports the options that scripts
// in the tests and the manual use (-r, -c, -e, -n, -s, --arg; standard input or files).

import { readFileSync } from "node:fs";
import { raw } from "jq-wasm";

const flags: string[] = [];
const rest: string[] = [];
let setsStatus = false;
for (let words = process.argv.slice(2); words.length > 0; ) {
  const [word = "", ...others] = words;
  const taken = word === "--arg" || word === "--argjson" ? 3 : 1;
  if (word === "-e" || word === "--exit-status") setsStatus = true;
  else if (word.startsWith("-")) flags.push(...words.slice(0, taken));
  else rest.push(word);
  words = taken === 1 ? others : words.slice(taken);
}
const [filter = ".", ...files] = rest;
const input = (files.length > 0 ? files : [0]).map((file) => readFileSync(file, "utf8")).join("\n");
try {
  const output = await raw(input, filter, flags);
  process.stdout.write(output === "" || output.endsWith("\n") ? output : `${output}\n`);
  if (setsStatus) process.exitCode = statusOf(await raw(input, filter, [...flags, "-c"]));
} catch (error) {
  process.stderr.write(`jq: ${(error as Error).message}\n`);
  process.exitCode = 5;
}

/** Returns the exit status of `-e`, which depends on the last output. */
function statusOf(output: string): number {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  if (last === "") return 4;
  return last === "false" || last === "null" ? 1 : 0;
}
