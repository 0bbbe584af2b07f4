// Runs an example that begins with a plain command of the program in the test's own process, which
// saves starting another process. The command may stand alone, have a file as standard input, or be
// followed by a pipe; bash then gets the printed text. Examples that bash has to interpret start
// the program itself.

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
  /** The file that is standard input. */
  input: string | undefined;
  /** The shell code that reads the output. */
  pipe: string | undefined;
}

/** Matches a word in which bash expands nothing. */
const word = /(?:'[^']*'|"[^"$`\\]*"|[\w./:,=@%+-])+/g;
const plain = new RegExp(
  `^(${word.source}(?:\\s+${word.source})*)\\s*(?:<(\\w[\\w.]*)\\s*)?(?:\\|([^]*))?$`,
);

/** Returns null if the command is not plain. */
export function plainCommand(command: string): PlainCommand | null {
  const [, start = "", input, pipe] = plain.exec(command.replaceAll("\\\n", " ")) ?? [];
  const [program, ...words] = (start.match(word) ?? []).map((quoted) =>
    quoted.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  );
  // An agent reads its environment from its process, so it needs its own.
  if (pipe !== undefined && (pipe.includes("platform") || words[0] === "agent")) return null;
  if (program !== "platform" && program !== "platformctl") return null;
  return { program, words, input, pipe };
}

/**
 * Opens a shell that runs plain commands in this process. `env` is its whole initial environment.
 * `isPlain` excludes commands that depend on what the shell has done, such as changing the folder.
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

/** Runs the command in the folder, and its pipe in the shell. `env` is the whole environment. */
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
