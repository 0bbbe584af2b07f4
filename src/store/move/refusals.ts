import { MoveRefused } from "../../domain/storage/moves.ts";

export function notMigrated(name: string): MoveRefused {
  const message =
    `The schema of ${name} is not this program's: run platform migrate --db ${name} first. ` +
    "Nothing was changed.";
  return new MoveRefused("SCHEMA_DIFFERS", message);
}

/** `found` is the first thing that was found there. */
export function notEmpty(name: string, found: string): MoveRefused {
  const message =
    `The target ${name} is not empty: ${found}. Name a database without tables, or a file that does ` +
    "not exist. Nothing was changed.";
  return new MoveRefused("TARGET_NOT_EMPTY", message);
}
