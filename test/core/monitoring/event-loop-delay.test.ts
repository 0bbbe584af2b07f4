import { createHistogram } from "node:perf_hooks";
import { expect, onTestFinished, test } from "vitest";
import { EventLoopDelay } from "../../../src/core/monitoring/event-loop-delay.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";
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

test("a blocked loop is visible", async () => {
  const { delay, measured } = openDelay();
  delay.start();
  await measured(2);
  block(500);
  await measured((delay.read()?.count ?? 0) + 1);
  const { maxMs, sumMs } = delay.read()!;
  expect(maxMs).toBeGreaterThanOrEqual(450);
  expect(sumMs).toBeGreaterThanOrEqual(450);
});

test("a delay is visible for two windows", () => {
  const histogram = Object.assign(createHistogram(), {
    enable: () => true,
    disable: () => true,
    [Symbol.dispose]: () => undefined,
  });
  replaceBuiltin<typeof import("node:perf_hooks")>("node:perf_hooks", () => ({
    monitorEventLoopDelay: () => histogram,
  }));
  // Node adds the resolution to each measurement.
  const measure = (ms: number) => histogram.record((ms + 20) * 1e6);
  const { delay, pass } = openDelay();
  delay.start();
  measure(500);
  // This reading ends the window. The next reading includes both windows.
  pass(60_000);
  const before = delay.read()!;
  expect(before.maxMs).toBeGreaterThanOrEqual(500);
  measure(5);
  expect(delay.read()!.maxMs).toBe(before.maxMs);
  pass(60_000);
  expect(delay.read()!.maxMs).toBe(before.maxMs);
  measure(5);
  const after = delay.read()!;
  expect(after.maxMs).toBeLessThan(10);
  expect(after.count).toBe(3);
  expect(after.sumMs).toBeCloseTo(510, 0);
});
