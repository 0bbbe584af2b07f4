import { expect, test } from "vitest";
import { summarizeDurations } from "../../src/domain/metrics.ts";

const hundred = Array.from({ length: 100 }, (_, i) => (i + 1) * 10);

test.each([
  { of: "nothing", durations: [], p50Ms: null, p95Ms: null, maxMs: null, meanMs: null },
  { of: "one", durations: [7], p50Ms: 7, p95Ms: 7, maxMs: 7, meanMs: 7 },
  { of: "three", durations: [30, 10, 20], p50Ms: 20, p95Ms: 30, maxMs: 30, meanMs: 20 },
  { of: "numbers, not texts", durations: [9, 10, 100], p50Ms: 10, p95Ms: 100, maxMs: 100 },
  { of: "21", durations: hundred.slice(0, 21), p50Ms: 110, p95Ms: 200, maxMs: 210 },
  { of: "a hundred", durations: hundred.toReversed(), p50Ms: 500, p95Ms: 950, maxMs: 1000 },
])("the summary of $of is exact", ({ of: _of, durations, ...expected }) => {
  const before = [...durations];
  const summary = summarizeDurations(durations);
  expect(summary).toMatchObject({ sampleSize: durations.length, ...expected });
  expect(durations).toEqual(before);
});
