// Files that not even --force overwrites: databases in use, their companion files and keys.

import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { usageError } from "../exit.ts";

const companions = ["-wal", "-shm", "-journal", ".lock", ".audit-head"];
const keys = ["audit.key", "session.key"];

/** `file` must be a real path. `database` is the file that this command has open, or null. */
export function refuseProtected(file: string, database: string | null): void {
  const what = whatIsIn(file, database);
  if (what !== null) {
    throw usageError(`${file} ${what}: --force does not overwrite such a file. Name another file.`);
  }
}

function whatIsIn(file: string, database: string | null): string | null {
  const name = basename(file);
  if (keys.includes(name)) return "is a key of a database";
  if (companions.some((suffix) => name.endsWith(suffix))) return "belongs to a database";
  if (existsSync(`${file}.lock`)) return "is a database in use";
  if (database === null || !ownFiles(database).some((own) => isSame(own, file))) return null;
  return "is the database itself, or belongs to it";
}

function ownFiles(database: string): string[] {
  return [
    ...["", ...companions].map((suffix) => database + suffix),
    ...keys.map((key) => join(dirname(database), key)),
  ];
}

function isSame(one: string, other: string): boolean {
  const first = statSync(one, { throwIfNoEntry: false });
  const second = statSync(other, { throwIfNoEntry: false });
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
