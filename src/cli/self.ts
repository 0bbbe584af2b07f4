// How this program starts itself again: through Node, with the same flags.

import { fileURLToPath } from "node:url";
import { mainFile, projectFile } from "../lib/project-files.ts";
import type { ProgramName } from "./io.ts";

/** The command and its arguments for `<program> <words>`. */
export function selfCommand(program: ProgramName, words: string[]): [string, ...string[]] {
  const main = fileURLToPath(projectFile(mainFile));
  return [process.execPath, ...process.execArgv, main, `--program=${program}`, ...words];
}
