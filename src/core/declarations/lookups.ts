// What the documents of one call are compared with. Each thing is read once for the whole call.

import type { Reader } from "../../store/database.ts";
import type { Ctx } from "../context.ts";

export type Once = <T>(key: string, find: () => Promise<T>) => Promise<T>;

export class Lookups {
  readonly ctx: Ctx;
  readonly db: Reader;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(ctx: Ctx) {
    this.ctx = ctx;
    this.db = ctx.core.db.read;
  }

  /** Returns what `find` returned when it was first called with this key. */
  readonly once: Once = (key, find) => {
    const known = this.#known.get(key);
    if (known !== undefined) return known as ReturnType<typeof find>;
    const found = find();
    this.#known.set(key, found);
    return found;
  };
}
