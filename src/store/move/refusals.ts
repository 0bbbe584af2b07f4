import { MoveRefused } from "../../domain/storage/moves.ts";
import { shellWord } from "../../lib/shell-word.ts";

export function otherSchema(name: string, isNewer: boolean): MoveRefused {
  const problem = isNewer
    ? `The schema of ${name} is newer than this program: use a newer program.`
    : `The schema of ${name} is older than this program's: run platform migrate --db ${shellWord(name)} first.`;
  return new MoveRefused("SCHEMA_NOT_CURRENT", `${problem} Nothing was changed.`);
}

/** `found` says what the target contains. */
export function notEmpty(name: string, found: string): MoveRefused {
  const message =
    `The target ${name} is not empty: ${found}. Name a database without tables, or a file that does ` +
    "not exist. Nothing was changed.";
  return new MoveRefused("TARGET_NOT_EMPTY", message);
}
