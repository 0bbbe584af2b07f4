// How this program starts itself again: through Node, with the same flags; as a packaged file, by itself.

import { isPackaged, mainFile } from "../lib/files/project-files.ts";
import type { ProgramName } from "./terminal/io.ts";

/** The command and its arguments for `<program> <words>`. Only for a process that this one starts itself. */
export function selfCommand(program: ProgramName, words: string[]): [string, ...string[]] {
  const main = mainFile();
  const started = main === null ? [] : [...process.execArgv, main];
  return [ownExecutable(isPackaged), ...started, `--program=${program}`, ...words];
}

/** After an update or a removal another program has the path of a packaged one, or none. */
export function ownExecutable(packaged: boolean, platform = process.platform): string {
  return packaged && platform === "linux" ? "/proc/self/exe" : process.execPath;
}
