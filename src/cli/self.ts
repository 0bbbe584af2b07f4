// How this program starts itself again: through Node, with the same flags; as a packaged file, by itself.

import { mainFile } from "../lib/project-files.ts";
import type { ProgramName } from "./io.ts";

/** The command and its arguments for `<program> <words>`. */
export function selfCommand(program: ProgramName, words: string[]): [string, ...string[]] {
  const main = mainFile();
  const started = main === null ? [] : [...process.execArgv, main];
  return [process.execPath, ...started, `--program=${program}`, ...words];
}
