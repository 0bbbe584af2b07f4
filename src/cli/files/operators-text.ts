// Small text files that an operator names, such as a CA or a payload: read whole, with the operator's own rights.

import { onOperatorsFile } from "../../lib/files/acting-user.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import { usageError } from "../exit.ts";

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "not permitted",
  EPERM: "not permitted",
};

/** Null when there is no such file. Throws a usage error that begins with `flag`, where one named the file. */
export function readOperatorsText(flag: string | null, path: string): string | null {
  try {
    return onOperatorsFile(path, () => readTextOrNullSync(path));
  } catch (error) {
    throw unreadable(flag, path, error);
  }
}

/** The same of a file that must be there. */
export function requireOperatorsText(flag: string, path: string): string {
  const text = readOperatorsText(flag, path);
  if (text === null) throw unreadable(flag, path, { code: "ENOENT" });
  return text;
}

function unreadable(flag: string | null, path: string, error: unknown) {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const what = flag === null ? path : `${flag}: ${path}`;
  return usageError(`${what} cannot be read: ${reasons[code] ?? (code || message)}.`);
}
