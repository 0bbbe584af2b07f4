import { describe, expect, test } from "vitest";
import {
  bucketsOf,
  type EndedCommand,
  overviewHours,
  windowOf,
} from "../../src/domain/overview.ts";

const second = 1000;
const minute = 60 * second;
const now = Date.parse("2026-01-02T03:04:05.678Z");

describe("a window", () => {
  test.each([
    { hours: 1, from: "2026-01-02T02:05:00.000Z", bucketSeconds: 60, buckets: 60 },
    { hours: 6, from: "2026-01-01T21:05:00.000Z", bucketSeconds: 300, buckets: 72 },
    { hours: 24, from: "2026-01-01T03:20:00.000Z", bucketSeconds: 1200, buckets: 72 },
    { hours: 168, from: "2025-12-26T06:00:00.000Z", bucketSeconds: 10_800, buckets: 56 },
  ] as const)("of $hours hours", ({ hours, from, bucketSeconds, buckets }) => {
    const window = windowOf(hours, now);
    expect(window).toEqual({ from: Date.parse(from), to: now, bucketSeconds });
    expect(bucketsOf(window, [])).toHaveLength(buckets);
  });

  test.each(overviewHours)("of %d hours always has the same number of buckets", (hours) => {
    const { from, bucketSeconds } = windowOf(hours, now);
    const border = from + 1000 * bucketSeconds * second;
    const lengths = [-1, 0, 1].map((ms) => bucketsOf(windowOf(hours, border + ms), []).length);
    expect(lengths).toEqual(Array(3).fill((hours * 3600) / bucketSeconds));
  });
});

const window = { from: 0, to: 3 * minute + 1, bucketSeconds: 60 };
const none = { succeeded: 0, failed: 0, cancelled: 0, p50Ms: null, p95Ms: null };
/** `ranMs` is null if no agent fetched the command. */
const ended = (
  completedAt: number,
  ranMs: number | null = null,
  status: EndedCommand["status"] = "SUCCEEDED",
): EndedCommand => ({
  status,
  completedAt,
  startedAt: ranMs === null ? null : completedAt - ranMs,
});

test.each<[of: string, commands: EndedCommand[], buckets: Record<number, object>]>([
  ["nothing", [], {}],
  ["the first moment", [ended(0)], { 0: { succeeded: 1 } }],
  ["before it", [ended(-1)], {}],
  ["the last moment of a bucket", [ended(minute - 1)], { 0: { succeeded: 1 } }],
  ["the first moment of the next bucket", [ended(minute)], { 1: { succeeded: 1 } }],
  ["the last moment", [ended(window.to)], { 3: { succeeded: 1 } }],
  ["after the last bucket", [ended(4 * minute)], {}],
  [
    "each outcome, with and without a run",
    [
      ended(1, 10),
      ended(2, 30, "FAILED"),
      ended(3, null, "FAILED"),
      ended(4, 5000, "CANCELLED"),
      ended(5, null, "CANCELLED"),
    ],
    { 0: { succeeded: 1, failed: 2, cancelled: 2, p50Ms: 10, p95Ms: 30 } },
  ],
  [
    "only cancelled commands, without durations",
    [ended(minute, 5, "CANCELLED")],
    { 1: { cancelled: 1, p50Ms: null, p95Ms: null } },
  ],
  [
    "each bucket has its own durations, in any order",
    [ended(130_000, 7), ended(10, 3), ended(125_000, 9), ended(20, 1), ended(30, 2)],
    {
      0: { succeeded: 3, p50Ms: 2, p95Ms: 3 },
      2: { succeeded: 2, p50Ms: 7, p95Ms: 9 },
    },
  ],
  [
    "a command that started after its end took no time",
    [ended(5, -2)],
    { 0: { succeeded: 1, p50Ms: 0, p95Ms: 0 } },
  ],
])("the buckets count as expected: %s", (_of, commands, buckets) => {
  const expected = [0, 1, 2, 3].map((index) => ({
    at: index * minute,
    ...none,
    ...buckets[index],
  }));
  expect(bucketsOf(window, commands)).toEqual(expected);
});
