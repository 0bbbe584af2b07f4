// Runs plain platform and platformctl commands in the test's own process, which is faster than bash.
// A plain command may have a file as standard input and a pipe after it, but no other shell syntax.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramName } from "../../../src/cli/terminal/io.ts";
import { readEnv } from "../../../src/config/env.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { cli } from "../world.ts";
import { openShell, type Shell } from "./shell.ts";

export interface PlainCommand {
  program: ProgramName;
  words: string[];
  /** The file for standard input. */
  input: string | undefined;
  /** The shell code after the `|`. */
  pipe: string | undefined;
}

/** Matches a word in which bash expands nothing. */
const word = /(?:'[^']*'|"[^"$`\\]*"|[\w./:,=@%+-])+/g;
const plain = new RegExp(
  `^(${word.source}(?:\\s+${word.source})*)\\s*(?:<(\\w[\\w.]*)\\s*)?(?:\\|([^]*))?$`,
);

export function plainCommand(command: string): PlainCommand | null {
  const [, start = "", input, pipe] = plain.exec(command.replaceAll("\\\n", " ")) ?? [];
  const [program, ...words] = (start.match(word) ?? []).map((quoted) =>
    quoted.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  );
  // An agent reads the environment of its process, and so needs its own process.
  if (pipe !== undefined && (pipe.includes("platform") || words[0] === "agent")) return null;
  if (program !== "platform" && program !== "platformctl") return null;
  return { program, words, input, pipe };
}

/**
 * Opens a shell that runs plain commands in this process. `isPlain` excludes commands that depend on
 * the state of the shell, such as its folder.
 */
export function openFastShell(
  folder: string,
  env: Record<string, string>,
  isPlain = (_command: string) => true,
): Shell {
  const shell = openShell(folder, env);
  return {
    run(command) {
      const plain = isPlain(command) ? plainCommand(command) : null;
      return plain ? runPlain(plain, folder, env, shell) : shell.run(command);
    },
  };
}

/** Runs the command in the folder with this environment, and its pipe in the shell. */
export async function runPlain(
  { program, words, input, pipe }: PlainCommand,
  folder: string,
  env: Record<string, string>,
  shell: Shell,
): Promise<{ status: number; lines: string[] }> {
  let printed = "";
  let piped = "";
  const print = (text: string) => {
    printed += text;
  };
  const out = (text: string) => {
    if (pipe === undefined) print(text);
    else piped += text;
  };
  const stdin = input === undefined ? "" : readFileSync(join(folder, input), "utf8");
  const before = process.cwd();
  process.chdir(folder);
  let status: number;
  try {
    const io = {
      program,
      configFolder: join(env.XDG_CONFIG_HOME ?? "", "platform"),
      out,
      outBytes: async (bytes: Uint8Array) => out(Buffer.from(bytes).toString()),
      note: print,
    };
    ({ status } = await cli(words, { env: readEnv(env), stdin, io }));
  } finally {
    process.chdir(before);
  }
  const text = printed.replace(/\n$/, "");
  const lines = text === "" ? [] : text.split("\n");
  if (pipe === undefined) return { status, lines };
  const file = join(temporaryFolder(), "piped");
  writeFileSync(file, piped);
  const end = await shell.run(`{ ${pipe}\n} <'${file}'`);
  return { status: end.status, lines: [...lines, ...end.lines] };
}
