// Long work on the database in short transactions: between two of them everybody else has a turn, and a
// service that stops does not wait for the rest. (docs/decisions/0003-group-commit.md)

import type { Tx } from "../store/database.ts";
import type { Core } from "./context.ts";

/** A transaction takes no further item after this long: with its flush it stays below 20 ms. */
const sliceMs = 8;
/** Items that one transaction looks up. */
export const sliceItems = 200;

/**
 * Calls `next` in one transaction after the other for the items that it is to take care of, at most
 * `sliceItems` of them, and `work` for each in turn, until none is left, `most` are done, or the service
 * stops. Returns how many were done. What is done must not be among the next.
 */
export async function inSlices<T>(
  core: Core,
  most: number,
  next: (tx: Tx, limit: number) => Promise<T[]>,
  work: (tx: Tx, item: T) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  while (count < most && !core.stopping.aborted) {
    const limit = Math.min(sliceItems, most - count);
    const done = await core.db.write(async (tx) => {
      const until = core.monotonic() + sliceMs;
      let taken = 0;
      for (const item of await next(tx, limit)) {
        await work(tx, item);
        taken++;
        if (core.monotonic() >= until) break;
      }
      return taken;
    });
    if (done === 0) return count;
    count += done;
  }
  return count;
}
