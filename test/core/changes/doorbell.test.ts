import { expect, onTestFinished, test, vi } from "vitest";
import { presentCaller } from "../../../src/core/caller.ts";
import { Doorbell } from "../../../src/core/changes/doorbell.ts";

test("a ring wakes the waiters of its key that are not closed", async () => {
  const bell = new Doorbell({
    checkForeignChange: () => undefined,
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

test("a look that fails ends nothing, and the next one wakes the waiter", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const looks = [
    () => {
      throw new Error("disk I/O error");
    },
    () => bell.ring("a"),
  ];
  const bell = new Doorbell({
    checkForeignChange: () => looks.shift()?.(),
    monotonic: () => 0,
    setTimer: () => () => undefined,
  });
  const waiter = bell.register("a", presentCaller);
  const outcome = waiter.wait(1000);
  vi.advanceTimersByTime(50);
  expect(await outcome).toBe("rung");
  waiter.close();
});
