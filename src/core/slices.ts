// Splits long work into short transactions, so that other writes are not delayed and the service
// can stop between them. (docs/decisions/0003-group-commit.md)

import type { Tx } from "../store/database.ts";
import type { Core } from "./context.ts";

/** After this time a transaction starts no further item, so that it stays below 20 ms. */
const sliceMs = 8;
const sliceItems = 200;

/**
 * Does work until no item remains, `most` items are done, or the service stops, and returns the
 * number of items. `next` must not return items that are done.
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

/**
 * Repeats a transaction that does up to `batch` items, until it does fewer, `most` items are done,
 * or the service stops. Returns the number of items.
 */
export async function inBatches(
  core: Core,
  batch: number,
  work: (tx: Tx) => Promise<number>,
  most = Infinity,
): Promise<number> {
  let count = 0;
  while (true) {
    const done = await core.db.write(work);
    count += done;
    if (done < batch || count >= most || core.stopping.aborted) return count;
  }
}
