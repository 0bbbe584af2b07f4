import { expect, onTestFinished, test, vi } from "vitest";
import { currentTime } from "../../src/console/values/clock.ts";

test("the first component that shows a time begins with the current time", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 60_000);
  const first = currentTime();
  expect(first).toBe(Date.now());
  vi.setSystemTime(first + 500);
  expect(currentTime()).toBe(first);
  vi.setSystemTime(first + 60_000);
  expect(currentTime()).toBe(first + 60_000);
});
