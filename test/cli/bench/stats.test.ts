// Tests the statistics of `platform bench`: latencies, counts, rates and outages.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueAt } from "../../../src/cli/commands/bench/load/steady.ts";
import { Outages } from "../../../src/cli/commands/bench/outages.ts";
import { Latencies } from "../../../src/cli/commands/bench/stats/latencies.ts";
import { Tally } from "../../../src/cli/commands/bench/stats/tally.ts";

describe("latencies", () => {
  test("a percentile is the value at its rank, at most 4 % too high", () => {
    const ms = fc.double({ min: 0.06, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(ms, { minLength: 1, maxLength: 200 }), (values) => {
        const latencies = new Latencies();
        for (const value of values) latencies.record(value);
        const sorted = values.toSorted((a, b) => a - b);
        for (const part of [0.5, 0.99, 1]) {
          const exact = sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1] as number;
          const found = latencies.percentileMs(part) as number;
          // Rounding to three digits can change the percentile by half a percent.
          expect(found / exact).toBeGreaterThan(0.995);
          expect(found / exact).toBeLessThan(1.046);
        }
      }),
    );
  });

  test("the counts of several processes add up, and are sent once", () => {
    const [one, other, sum] = [new Latencies(), new Latencies(), new Latencies()];
    for (const ms of [1, 1, 1]) one.record(ms);
    for (const ms of [500, 500]) other.record(ms);
    for (const each of [one, other, one]) sum.add(JSON.parse(JSON.stringify(each.take())));
    expect(sum.count).toBe(5);
    expect(sum.percentileMs(0.6)).toBeCloseTo(1, 1);
    expect(sum.percentileMs(0.61)).toBeGreaterThan(499);
  });
});

test("tallies add up counts, latencies and kinds of errors", () => {
  const [process, parent] = [new Tally(), new Tally()];
  for (let round = 0; round < 2; round++) {
    process.count("heartbeats");
    process.latencies.heartbeat.record(2);
    process.failed("ECONNRESET");
    parent.add(JSON.parse(JSON.stringify(process.take())));
  }
  process.failed("EMFILE");
  parent.add(process.take());
  expect(parent.counts).toMatchObject({ heartbeats: 2, polls: 0 });
  expect(parent.latencies.heartbeat.count).toBe(2);
  expect(parent.errors).toEqual({ ECONNRESET: 2, EMFILE: 1 });
  expect(parent.errorCount).toBe(3);
});

describe("a steady rate", () => {
  test.each([0.5, 50])("of %d per second is exact over a minute", (perSecond) => {
    const due = dueAt(perSecond, 0);
    let count = 0;
    for (let ms = 20; ms <= 60_000; ms += 20) count += due(ms);
    expect(count).toBe(perSecond * 60);
  });

  test("catches up by at most one second after a delay", () => {
    const due = dueAt(10, 0);
    expect(due(60_000)).toBe(10);
    expect(due(60_100)).toBe(1);
  });
});

test("an outage lasts from the first missing agent until all are back", () => {
  const outages = new Outages(10);
  for (const [at, held] of [
    [0, 10],
    [1, 4],
    [2, 0],
    [3.25, 9],
    [4.5, 10],
    [5, 10],
    [6, 9],
  ] as const) {
    outages.observe(at, held);
  }
  expect(outages.list).toEqual([
    { atSeconds: 1, allBackAfterSeconds: 3.5, fewest: 0 },
    { atSeconds: 6, allBackAfterSeconds: null, fewest: 9 },
  ]);
});
