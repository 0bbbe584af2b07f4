import type { SchemaStatus } from "../../../../domain/storage/migrations.ts";
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

export const unreadable = skipped("the database cannot be read");

/** A failure means that this program must not use the schema. */
export function schemaFinding({ migrations: all, minimum }: SchemaStatus): Finding {
  const changed = all.find(({ state }) => state === "CHANGED");
  if (changed) {
    return failure(
      `migration ${changed.name} was applied in a form that differs from this program's`,
      "Use the program that applied the migration.",
    );
  }
  const version = all.findLast(({ state }) => state !== "PENDING")?.version ?? 0;
  const unknown = all.find(({ state }) => state === "UNKNOWN");
  if (unknown) {
    const own = all.findLast(({ state }) => state !== "UNKNOWN")?.version ?? 0;
    if (minimum !== null && minimum <= own) {
      return ok(`version ${version} is newer than this program, which may still use it`);
    }
    return failure(
      `version ${version} is newer than this program, which does not know ${unknown.name}`,
      "Use the program that wrote the database, or a newer one.",
    );
  }
  const pending = all.filter(({ state }) => state === "PENDING").length;
  if (pending === 0) return ok(`version ${version}, up to date`);
  return warning(
    `version ${version}, pending migrations: ${pending}`,
    "The next start of this program migrates the database; so does `platform migrate`.",
  );
}

/** The tolerated difference between two clocks. */
export const clockSlackMs = 5000;

/** `whose` is the other clock, such as "the server's". Returns null if the difference is small. */
export function clockWarning(whose: string, aheadMs: number, advice: string): Finding | null {
  if (Math.abs(aheadMs) <= clockSlackMs) return null;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const way = aheadMs > 0 ? "ahead of" : "behind";
  return warning(`${whose} clock is ${seconds} s ${way} this one`, advice);
}
