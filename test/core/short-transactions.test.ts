// Long work is split into short transactions, and ends between two of them when the service stops.

import { expect, test } from "vitest";
import type { Core } from "../../src/core/context.ts";
import { inBatches, inSlices, inTransactions } from "../../src/core/short-transactions.ts";
import type { Reader, Tx } from "../../src/store/database.ts";

/** Each item takes this many milliseconds of the fake clock. */
function workshop(itemMs: number) {
  let time = 0;
  const stopping = new AbortController();
  /** The number of items of each transaction. */
  const sizes: number[] = [];
  const core = {
    monotonic: () => time,
    stopping: stopping.signal,
    db: {
      read: {},
      write<T>(work: (tx: Tx) => Promise<T>) {
        sizes.push(0);
        return work({ concerns: () => undefined } as unknown as Tx);
      },
    },
  } as unknown as Core;
  function did(count: number): void {
    time += itemMs * count;
    sizes.push((sizes.pop() ?? 0) + count);
  }
  return { core, sizes, did, stop: () => stopping.abort() };
}

/** Has `count` items to do, returns the next ones, and forgets those that are done. */
function store(count: number) {
  let left = count;
  return {
    next: async (_: Reader, limit: number) =>
      Array.from({ length: Math.min(left, limit) }, () => 1),
    take(wanted: number) {
      const taken = Math.min(left, wanted);
      left -= taken;
      return taken;
    },
  };
}

test.each([
  ["fast items: 200 in each transaction", 0, Infinity, [200, 200, 50, 0]],
  ["slow items: as many as 5 ms allow", 2, 10, [3, 3, 3, 1]],
  ["very slow items: one in each transaction", 90, 3, [1, 1, 1]],
  ["a limit within a transaction", 0, 250, [200, 50]],
])("inSlices, %s", async (_, itemMs, most, wanted) => {
  const { core, sizes, did } = workshop(itemMs);
  const { next, take } = store(450);
  const count = await inSlices(core, most, next, async () => did(take(1)));
  expect(sizes).toEqual(wanted);
  expect(count).toBe(Math.min(most, 450));
});

test("inSlices begins no transaction without an item", async () => {
  const { core, sizes, did } = workshop(0);
  expect(await inSlices(core, Infinity, store(0).next, async () => did(1))).toBe(0);
  expect(sizes).toEqual([]);
});

test.each([
  ["fast items: 200 in each transaction", 0, Infinity, [200, 200, 50]],
  ["slow items: whole batches until 5 ms have passed", 0.3, 100, [20, 20, 20, 20, 20]],
  ["a limit within a batch", 0, 207, [200, 7]],
])("inBatches of 10, %s", async (_, itemMs, most, wanted) => {
  const { core, sizes, did } = workshop(itemMs);
  const { take } = store(450);
  const work = async (_tx: Tx, limit: number) => {
    const count = take(limit);
    did(count);
    return count;
  };
  expect(await inBatches(core, 10, work, most)).toBe(Math.min(most, 450));
  expect(sizes).toEqual(wanted);
});

test("a stop ends the work after the current transaction, and starts none", async () => {
  const { core, sizes, did, stop } = workshop(0);
  const work = async () => {
    did(1);
    if (sizes.length === 3) stop();
    return { count: 1, isLast: false };
  };
  expect(await inTransactions(core, Infinity, work)).toBe(3);
  expect(await inTransactions(core, Infinity, work)).toBe(0);
  expect(sizes).toEqual([1, 1, 1]);
});
