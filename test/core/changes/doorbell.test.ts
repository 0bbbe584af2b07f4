import { expect, test } from "vitest";
import { presentCaller } from "../../../src/core/caller.ts";
import { Doorbell } from "../../../src/core/changes/doorbell.ts";

test("a ring wakes the waiters of its key that are not closed", async () => {
  const bell = new Doorbell({
    checkForeignChange: null,
    monotonic: () => 0,
    setTimer: () => () => undefined,
  });
  const waiters = ["a", "a", "a", "b"].map((key) => bell.register(key, presentCaller));
  waiters[1]!.close();
  bell.ring("a");
  const outcomes = await Promise.all(waiters.map((waiter) => waiter.wait(0)));
  expect(outcomes).toEqual(["rung", "time", "rung", "time"]);
  for (const waiter of waiters) waiter.close();
  expect(bell.size).toBe(0);
});
