// A `jq` for machines without one. It wraps the npm package, and supports the options that scripts
// in the tests and the manual use (-r, -c, -e, -n, -s, --arg; standard input or files).

import { readFileSync } from "node:fs";
import { raw } from "jq-wasm";

export interface JqEnded {
  status: number;
  stdout: string;
  stderr: string;
}

export async function runJq(words: string[], stdin: () => string): Promise<JqEnded> {
  const { flags, filter, files, setsStatus } = parse(words);
  const input = files.length > 0 ? files.map(textOf).join("\n") : stdin();
  try {
    const output = await raw(input, filter, flags);
    const stdout = output === "" || output.endsWith("\n") ? output : `${output}\n`;
    const status = setsStatus ? statusOf(await raw(input, filter, [...flags, "-c"])) : 0;
    return { status, stdout, stderr: "" };
  } catch (error) {
    return { status: 5, stdout: "", stderr: `jq: ${(error as Error).message}\n` };
  }
}

function parse(given: string[]) {
  const flags: string[] = [];
  const rest: string[] = [];
  let setsStatus = false;
  for (let words = given; words.length > 0; ) {
    const [word = "", ...others] = words;
    const taken = word === "--arg" || word === "--argjson" ? 3 : 1;
    if (word === "-e" || word === "--exit-status") setsStatus = true;
    else if (word.startsWith("-")) flags.push(...words.slice(0, taken));
    else rest.push(word);
    words = taken === 1 ? others : words.slice(taken);
  }
  const [filter = ".", ...files] = rest;
  return { flags, filter, files, setsStatus };
}

function textOf(file: string): string {
  return readFileSync(file, "utf8");
}

/** Returns the exit status of `-e`, which depends on the last output. */
function statusOf(output: string): number {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  if (last === "") return 4;
  return last === "false" || last === "null" ? 1 : 0;
}
