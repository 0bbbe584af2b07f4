// How this program starts itself again: through Node.js with the same flags, or as the packaged
// file.

import { isPackaged, mainFile } from "../lib/files/project-files.ts";
import type { ProgramName } from "./terminal/io.ts";

/** Returns the command and its arguments for `<program> <words>`. Only for child processes. */
export function selfCommand(program: ProgramName, words: string[]): [string, ...string[]] {
  const main = mainFile();
  const started = main === null ? [] : [...process.execArgv, main];
  return [ownExecutable(isPackaged), ...started, `--program=${program}`, ...words];
}

/**
 * Returns the running executable. Not by its path if the program is packaged, because the path can
 * by now belong to a newer program, or to none.
 */
export function ownExecutable(packaged: boolean, platform = process.platform): string {
  return packaged && platform === "linux" ? "/proc/self/exe" : process.execPath;
}
