// What a schedule does at a due time, and what it does if it was due earlier.

import { expect, test } from "vitest";
import { firingOf } from "../../../src/domain/schedules/firing.ts";

const at = (time: string) => Date.parse(`2026-01-02T${time}Z`);
const nightly = { cron: "0 3 * * *", timezone: "UTC", nextAt: at("03:00:00") };
const eachMinute = { cron: "* * * * *", timezone: "UTC", nextAt: at("03:00:00") };
const pause = (since: string, until: string) => ({
  ...{ since: at(since), until: at(until), by: null, reason: null },
});

type Given = [
  title: string,
  timing: typeof nightly,
  now: string,
  pause: ReturnType<typeof pause> | null,
  skip: string,
  once: string,
];

/** `run 03:00:00 +2` is a run that replaces two earlier ones. */
test.each<Given>([
  ["in time", nightly, "03:00:00", null, "run 03:00:00", "run 03:00:00"],
  ["a minute late", nightly, "03:01:00", null, "run 03:00:00", "run 03:00:00"],
  ["later", nightly, "03:01:01", null, "MISSED 03:00:00", "run 03:00:00"],
  [
    "by several runs, the last one in time",
    eachMinute,
    "03:05:10",
    null,
    "MISSED 03:04:00 +4, run 03:05:00",
    "run 03:05:00 +5",
  ],
  ["twice within a minute", eachMinute, "03:01:00", null, "run 03:00:00, run 03:01:00", "same"],
  ["after a pause", nightly, "04:00:00", pause("02:00:00", "03:59:00"), "PAUSED 03:00:00", "same"],
  [
    "after a pause that has just ended",
    eachMinute,
    "03:02:30",
    pause("02:00:00", "03:02:10"),
    "PAUSED 03:02:00 +2",
    "same",
  ],
  [
    "after a pause, and missed since",
    eachMinute,
    "03:10:30",
    pause("02:00:00", "03:02:10"),
    "PAUSED 03:02:00 +2, MISSED 03:09:00 +6, run 03:10:00",
    "PAUSED 03:02:00 +2, run 03:10:00 +7",
  ],
  [
    "after an earlier pause",
    nightly,
    "03:00:05",
    pause("01:00:00", "02:00:00"),
    "run 03:00:00",
    "same",
  ],
  [
    "after a pause that began before the run could start",
    eachMinute,
    "03:05:10",
    pause("03:00:00.400", "03:05:05"),
    "PAUSED 03:05:00 +4, MISSED 03:00:00",
    "PAUSED 03:05:00 +4, run 03:00:00",
  ],
  [
    "after a pause that began just before, and ended at once",
    nightly,
    "03:00:10",
    pause("03:00:00.400", "03:00:05"),
    "run 03:00:00",
    "same",
  ],
  [
    "before and after a pause",
    eachMinute,
    "03:10:30",
    pause("03:01:30", "03:07:10"),
    "PAUSED 03:07:00 +5, MISSED 03:09:00 +3, run 03:10:00",
    "PAUSED 03:07:00 +5, run 03:10:00 +4",
  ],
  [
    "after the clock was set back during a pause",
    nightly,
    "03:00:05",
    pause("03:10:00", "03:00:03"),
    "run 03:00:00",
    "same",
  ],
])("%s", (_title, timing, now, paused, skip, once) => {
  for (const [missed, expected] of [
    ["skip", skip],
    ["once", once === "same" ? skip : once],
  ] as const) {
    const { skipped, runs, nextAt } = firingOf({ ...timing, missed }, at(now), paused);
    const text = (what: string, { dueAt, missedRuns }: { dueAt: number; missedRuns: number }) =>
      `${what} ${new Date(dueAt).toISOString().slice(11, 19)}${missedRuns ? ` +${missedRuns}` : ""}`;
    const all = [
      ...skipped.map((one) => text(one.reason, one)),
      ...runs.map((one) => text("run", one)),
    ];
    expect(all.join(", ")).toBe(expected);
    expect(nextAt).toBeGreaterThan(at(now));
  }
});

test("years of missed runs are counted up to 100, and the latest one is found", () => {
  const now = Date.parse("2029-05-06T07:08:59Z");
  const { skipped } = firingOf({ ...eachMinute, missed: "skip" }, now, null);
  expect(skipped).toEqual([
    { dueAt: Date.parse("2029-05-06T07:07:00Z"), missedRuns: 100, reason: "MISSED" },
  ]);
});
