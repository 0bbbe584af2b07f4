// An example that is one plain command of the program runs in the test's own process, which spares it the
// start of another. Those that bash has to understand start the program itself.

import { join } from "node:path";
import type { ProgramName } from "../../../src/cli/io.ts";
import { readEnv } from "../../../src/config/env.ts";
import { cli } from "../world.ts";

export interface PlainCommand {
  program: ProgramName;
  words: string[];
}

/** Quoted parts and such as mean nothing to bash. */
const word = /(?:'[^']*'|"[^"$`\\]*"|[\w./:,=@%+-])+/g;

/** Null when there is more in it than words. */
export function plainCommand(command: string): PlainCommand | null {
  const text = command.replaceAll("\\\n", " ");
  if (text.replace(word, "").trim() !== "") return null;
  const [program, ...words] = (text.match(word) ?? []).map((quoted) =>
    quoted.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  );
  return program === "platform" || program === "platformctl" ? { program, words } : null;
}

/** Runs it in the folder; `env` is the whole environment. */
export async function runPlain(
  { program, words }: PlainCommand,
  folder: string,
  env: Record<string, string>,
): Promise<{ status: number; lines: string[] }> {
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const before = process.cwd();
  process.chdir(folder);
  try {
    const io = {
      program,
      configFolder: join(env.XDG_CONFIG_HOME ?? "", "platform"),
      out: print,
      outBytes: async (bytes: Uint8Array) => print(Buffer.from(bytes).toString()),
      note: print,
    };
    const { status } = await cli(words, { env: readEnv(env), io });
    const text = printed.replace(/\n$/, "");
    return { status, lines: text === "" ? [] : text.split("\n") };
  } finally {
    process.chdir(before);
  }
}
