import { expect, test } from "vitest";
import { summariseDurations } from "../../src/domain/metrics.ts";

const hundred = Array.from({ length: 100 }, (_, i) => (i + 1) * 10);

test.each([
  { of: "nothing", durations: [], p50Ms: null, p95Ms: null, maxMs: null, meanMs: null },
  { of: "one", durations: [7], p50Ms: 7, p95Ms: 7, maxMs: 7, meanMs: 7 },
  { of: "durations of 0", durations: [0, 0], p50Ms: 0, p95Ms: 0, maxMs: 0, meanMs: 0 },
  { of: "two", durations: [2, 1], p50Ms: 1, p95Ms: 2, maxMs: 2, meanMs: 2 },
  { of: "three", durations: [30, 10, 20], p50Ms: 20, p95Ms: 30, maxMs: 30, meanMs: 20 },
  { of: "four", durations: [4, 3, 2, 100], p50Ms: 3, p95Ms: 100, maxMs: 100, meanMs: 27 },
  { of: "numbers, not texts", durations: [9, 10, 100], p50Ms: 10, p95Ms: 100, maxMs: 100 },
  { of: "twenty", durations: hundred.slice(0, 20), p50Ms: 100, p95Ms: 190, maxMs: 200 },
  { of: "21", durations: hundred.slice(0, 21), p50Ms: 110, p95Ms: 200, maxMs: 210 },
  { of: "a hundred", durations: hundred.toReversed(), p50Ms: 500, p95Ms: 950, maxMs: 1000 },
])("the summary of $of is exact", ({ of: _of, durations, ...expected }) => {
  const before = [...durations];
  const summary = summariseDurations(durations);
  expect(summary).toMatchObject({ sampleSize: durations.length, ...expected });
  expect(durations).toEqual(before);
});
