// Reads small text files that the operator names, such as a CA or a payload.

import { fileProblem } from "../../lib/files/file-problem.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

/** Returns null if the file does not exist. */
export function readOperatorsText(flag: string | null, path: string): string | null {
  try {
    return readTextOrNullSync(path);
  } catch (error) {
    throw unreadable(flag, path, error);
  }
}

export function requireOperatorsText(flag: string | null, path: string): string {
  const text = readOperatorsText(flag, path);
  if (text === null) throw unreadable(flag, path, { code: "ENOENT" });
  return text;
}

/** `-` means standard input, which is read until it ends or `signal` aborts. */
export async function textOfFileOrStdin(
  io: Io,
  flag: string | null,
  path: string,
  signal: AbortSignal,
) {
  return path === "-" ? io.readStdin(signal) : requireOperatorsText(flag, path);
}

function unreadable(flag: string | null, path: string, error: unknown) {
  const what = flag === null ? path : `${flag}: ${path}`;
  return usageError(`${what} cannot be read: ${fileProblem(error)}.`);
}
