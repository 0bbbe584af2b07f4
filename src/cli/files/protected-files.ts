// Files that not even --force overwrites: databases in use, their companion files and keys.

import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

const companions = ["-wal", "-shm", "-journal", ".lock", ".audit-head"];
const keys = ["audit.key", "session.key"];

/** `file` must be a real path. `own` are the paths that `ownFiles` returns. */
export function refuseProtected(file: string, own: readonly string[]): void {
  const what = whatIsIn(file, own);
  if (what !== null) {
    throw usageError(`${file} ${what}: --force does not overwrite such a file. Name another file.`);
  }
}

function whatIsIn(file: string, own: readonly string[]): string | null {
  const name = basename(file);
  if (keys.includes(name)) return "is a key of a database";
  if (companions.some((suffix) => name.endsWith(suffix))) return "belongs to a database";
  if (existsSync(`${file}.lock`)) return "is a database in use";
  return own.some((path) => isSame(path, file)) ? "is the database itself, or belongs to it" : null;
}

/**
 * Returns the keys that the settings name, and the files of the database that the command has open.
 */
export function ownFiles({ env }: Pick<Io, "env">, database: string | null): string[] {
  const named = [env.AUDIT_KEY_FILE, env.SESSION_SECRET_FILE];
  const beside =
    database === null
      ? []
      : [
          ...["", ...companions].map((suffix) => database + suffix),
          ...keys.map((key) => join(dirname(database), key)),
        ];
  return [...named.filter((key) => key !== undefined), ...beside];
}

function isSame(one: string, other: string): boolean {
  const identity = identityOf(one);
  return identity !== null && identity === identityOf(other);
}

/** Returns null if this user cannot find the file. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
