// What a call compares many objects with. Each thing is read once for the whole call.

import type { Reader } from "../store/database.ts";
import type { Ctx } from "./context.ts";

export type Once = <T>(key: string, find: () => Promise<T>) => Promise<T>;

/** The returned function returns what `find` returned when it was first called with this key. */
export function readingOnce(): Once {
  const known = new Map<string, Promise<unknown>>();
  return (key, find) => {
    const before = known.get(key);
    if (before !== undefined) return before as ReturnType<typeof find>;
    const found = find();
    known.set(key, found);
    return found;
  };
}

export class Lookups {
  readonly ctx: Ctx;
  readonly db: Reader;
  readonly once: Once = readingOnce();

  constructor(ctx: Ctx) {
    this.ctx = ctx;
    this.db = ctx.core.db.read;
  }
}
