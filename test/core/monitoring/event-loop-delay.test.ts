// Measures the delay of this test's own event loop.

import { expect, onTestFinished, test } from "vitest";
import { EventLoopDelay } from "../../../src/core/monitoring/event-loop-delay.ts";
import { until } from "../../helpers/process/process.ts";

function openDelay() {
  let time = 0;
  const delay = new EventLoopDelay(() => time);
  onTestFinished(() => delay.stop());
  const measured = (count: number) =>
    until(`${count} measurements`, () => (delay.read()?.count ?? 0) >= count);
  return { delay, measured, pass: (ms: number) => (time += ms) };
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("delays are measured only between start and stop", async () => {
  const { delay } = openDelay();
  expect(delay.read()).toBeNull();
  delay.start();
  expect(delay.read()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0, count: 0, sumMs: 0 });
  delay.stop();
  delay.stop();
  expect(delay.read()).toBeNull();
});

test("a blocked loop is visible for two windows", async () => {
  const { delay, measured, pass } = openDelay();
  delay.start();
  await measured(2);
  block(500);
  await measured((delay.read()?.count ?? 0) + 1);
  const before = delay.read()!;
  expect(before.maxMs).toBeGreaterThanOrEqual(450);
  expect(before.sumMs).toBeGreaterThanOrEqual(450);
  // This reading ends the window. The next reading includes both windows.
  pass(60_000);
  expect(delay.read()!.maxMs).toBe(before.maxMs);
  await measured(before.count + 2);
  expect(delay.read()!.maxMs).toBe(before.maxMs);
  pass(60_000);
  expect(delay.read()!.maxMs).toBe(before.maxMs);
  await measured(before.count + 4);
  const after = delay.read()!;
  expect(after.maxMs).toBeLessThan(before.maxMs);
  expect(after.sumMs).toBeGreaterThanOrEqual(before.sumMs);
});
