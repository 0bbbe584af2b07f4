// A `jq` for machines that have none: the npm package, made to look like the program as far as scripts in
// the tests and the manual use it (-r, -c, -e, -n, -s, --arg; standard input or files).

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
const input = files.length > 0 ? files.map(textOf).join("\n") : textOf(0);

try {
  const output = await raw(input, filter, flags);
  if (output !== "") process.stdout.write(output.endsWith("\n") ? output : `${output}\n`);
  if (setsStatus) process.exitCode = statusOf(await raw(input, filter, [...flags, "-c"]));
} catch (error) {
  console.error(`jq: ${(error as Error).message}`);
  process.exitCode = 5;
}

function textOf(file: string | number): string {
  return readFileSync(file, "utf8");
}

/** Of `-e`: whether the last output was something. */
function statusOf(output: string): number {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  if (last === "") return 4;
  return last === "false" || last === "null" ? 1 : 0;
}
