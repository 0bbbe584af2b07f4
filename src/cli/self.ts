// How this program starts itself again: from source through Node, as a binary by itself.

import { fileURLToPath } from "node:url";
import type { ProgramName } from "./io.ts";

/** The command and its arguments for `<program> <words>`. */
export function selfCommand(program: ProgramName, words: string[]): [string, ...string[]] {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  return [process.execPath, ...process.execArgv, main, `--program=${program}`, ...words];
}
