// The command that starts this program again, from its sources or as the packaged file.

import { isPackaged, mainFile } from "../lib/files/project-files.ts";
import type { ProgramName } from "./terminal/io.ts";

/** The result is valid only for child processes, because of /proc/self/exe. */
export function selfCommand(program: ProgramName, words: string[]): [string, ...string[]] {
  const main = mainFile();
  const started = main === null ? [] : [...process.execArgv, main];
  return [ownExecutable(isPackaged), ...started, `--program=${program}`, ...words];
}

/** Avoids the path of a packaged program, which an update may have replaced or removed. */
export function ownExecutable(packaged: boolean, platform = process.platform): string {
  return packaged && platform === "linux" ? "/proc/self/exe" : process.execPath;
}
