// Splits long work into short transactions, so that other writes are not delayed and the service
// can stop between them. (docs/decisions/0003-group-commit.md)

import { setTimeout as pause } from "node:timers/promises";
import type { Reader, Tx } from "../store/database.ts";
import type { Core } from "./context.ts";

/** After this time, a transaction starts no further item. The commit can take as long again. */
const sliceMs = 5;
/** How long the event loop is free between two transactions. */
const restMs = 5;
const sliceItems = 200;

export interface Slice {
  /** The number of items that the transaction has processed. */
  count: number;
  isLast: boolean;
}

/**
 * Repeats a transaction until `work` returns `isLast`, `most` items are processed, or the service
 * stops. Returns the number of processed items. `work` must process at most `limit` items, and stop
 * when `isOver` returns true. It must call `noteChange` for changes that other processes have to
 * know about.
 */
export async function inTransactions(
  core: Core,
  most: number,
  work: (tx: Tx, limit: number, isOver: () => boolean) => Promise<Slice>,
): Promise<number> {
  let count = 0;
  while (count < most && !core.stopping.aborted) {
    const slice = await core.db.write((tx) => work(tx, most - count, timer(core)));
    count += slice.count;
    if (slice.isLast || count >= most) break;
    await pause(restMs);
  }
  return count;
}

/** Returns a function that reports whether a transaction that began now must end. */
export function timer(core: Core): () => boolean {
  const until = core.monotonic() + sliceMs;
  return () => core.monotonic() >= until;
}

/**
 * Calls `work` for each item until no item remains. `next` must not return items that were already
 * processed. If it returns none at first, no transaction begins.
 */
export async function inSlices<T>(
  core: Core,
  most: number,
  next: (db: Reader, limit: number) => Promise<T[]>,
  work: (tx: Tx, item: T) => Promise<unknown>,
): Promise<number> {
  if ((await next(core.db.read, 1)).length === 0) return 0;
  return inTransactions(core, most, async (tx, limit, isOver) => {
    let count = 0;
    for (const item of await next(tx, Math.min(sliceItems, limit))) {
      await work(tx, item);
      count++;
      if (isOver()) break;
    }
    return { count, isLast: count === 0 };
  });
}

/** Repeats `work`, which processes up to `limit` items, until it processes fewer. */
export function inBatches(
  core: Core,
  batch: number,
  work: (tx: Tx, limit: number) => Promise<number>,
  most = Infinity,
): Promise<number> {
  return inTransactions(core, most, async (tx, limit, isOver) => {
    let count = 0;
    do {
      const wanted = Math.min(batch, limit - count);
      const done = await work(tx, wanted);
      count += done;
      if (done < wanted) return { count, isLast: true };
    } while (count < Math.min(sliceItems, limit) && !isOver());
    return { count, isLast: false };
  });
}
