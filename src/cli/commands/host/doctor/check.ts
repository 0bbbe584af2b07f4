import { describeMark, type MovedTo } from "../../../../domain/storage/moves.ts";
import type { Subject } from "./subject.ts";

/** SKIPPED means that the check was not possible, for example because another check failed. */
type CheckState = "OK" | "WARNING" | "FAILURE" | "SKIPPED";

export interface Finding {
  state: CheckState;
  found: string;
  /** What to do next; null if there is nothing to do. */
  advice: string | null;
}

/** By default, a check can be run on any kind of database. */
export interface Check<P extends Subject = Subject> {
  name: string;
  /** The progress text, such as "checking the disk". */
  doing: string;
  /** The check is skipped if this user cannot open the folder or the database. */
  needsAccess?: true;
  run: (subject: P) => Promise<Finding> | Finding;
}

export function ok(found: string): Finding {
  return { state: "OK", found, advice: null };
}

export function warning(found: string, advice: string): Finding {
  return { state: "WARNING", found, advice };
}

export function failure(found: string, advice: string): Finding {
  return { state: "FAILURE", found, advice };
}

/** Nobody can use a database whose data was moved away. */
export function movedAway(name: string, mark: MovedTo): Finding {
  const { found, advice } = describeMark(name, mark);
  return failure(found, advice);
}

export function skipped(found: string): Finding {
  return { state: "SKIPPED", found, advice: null };
}
