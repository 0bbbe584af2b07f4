// Remembers what a call that works on many objects has already read.

import type { Reader } from "../store/database.ts";
import type { Ctx } from "./context.ts";

type Once = <T>(key: string, find: () => Promise<T>) => Promise<T>;

/** The database that a call reads, and what it has already read. */
export interface Reading {
  readonly db: Reader;
  /** Returns what `find` returned when `once` was first called with this key. */
  readonly once: Once;
}

export function readingFrom(db: Reader): Reading {
  const known = new Map<string, Promise<unknown>>();
  const once: Once = (key, find) => {
    const before = known.get(key);
    if (before !== undefined) return before as ReturnType<typeof find>;
    const found = find();
    known.set(key, found);
    return found;
  };
  return { db, once };
}

/** What a call reads before its transaction. */
export interface Lookups extends Reading {
  readonly ctx: Ctx;
}

export function lookupsOf(ctx: Ctx): Lookups {
  return { ctx, ...readingFrom(ctx.core.db.read) };
}
