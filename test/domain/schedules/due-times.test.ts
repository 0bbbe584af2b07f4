// Due times at changes of the clock and at the ends of months. random-timing.test.ts tries more
// zones.

import { describe, expect, test } from "vitest";
import { describeDue } from "../../../src/domain/schedules/describe-due.ts";
import {
  countDues,
  lastDue,
  nextDue,
  nextDues,
  type Timing,
} from "../../../src/domain/schedules/due-times.ts";

/** The first due times after `from`, as local times with their offset. */
function dues(timing: Timing, from: string, count: number): string[] {
  return nextDues(timing, Date.parse(from), count).map((at) => {
    const { localTime, offset } = describeDue(timing, at);
    return `${localTime} ${offset}`;
  });
}

const inUtc = (timing: Timing, from: string, count: number) =>
  nextDues(timing, Date.parse(from), count).map((at) => new Date(at).toISOString().slice(0, 16));

describe("a fixed time of day", () => {
  test.each<[zone: string, cron: string, from: string, expected: string[]]>([
    // The clocks go from 02:00 to 03:00 on 29 March, and from 03:00 back to 02:00 on 25 October.
    [
      "Europe/Berlin",
      "30 2 * * *",
      "2026-03-27T12:00Z",
      ["2026-03-28T02:30 +01:00", "2026-03-29T03:00 +02:00", "2026-03-30T02:30 +02:00"],
    ],
    [
      "Europe/Berlin",
      "30 2 * * *",
      "2026-10-23T12:00Z",
      ["2026-10-24T02:30 +02:00", "2026-10-25T02:30 +02:00", "2026-10-26T02:30 +01:00"],
    ],
    // Both times are in the hour that does not exist, so they become one due time.
    [
      "Europe/Berlin",
      "15,45 2 29 3 *",
      "2026-03-01T00:00Z",
      ["2026-03-29T03:00 +02:00", "2027-03-29T02:15 +02:00"],
    ],
    // The clocks go from 02:00 to 02:30 on 4 October, and from 02:00 back to 01:30 on 5 April.
    [
      "Australia/Lord_Howe",
      "15 2 * * *",
      "2026-10-02T12:00Z",
      ["2026-10-03T02:15 +10:30", "2026-10-04T02:30 +11:00", "2026-10-05T02:15 +11:00"],
    ],
    [
      "Australia/Lord_Howe",
      "45 1 * * *",
      "2026-04-03T00:00Z",
      ["2026-04-04T01:45 +11:00", "2026-04-05T01:45 +11:00", "2026-04-06T01:45 +10:30"],
    ],
    // The clock goes forward at midnight, so 6 September begins at 01:00.
    [
      "America/Santiago",
      "0 0 * * *",
      "2026-09-04T12:00Z",
      ["2026-09-05T00:00 -04:00", "2026-09-06T01:00 -03:00", "2026-09-07T00:00 -03:00"],
    ],
  ])("in %s, %s after %s", (timezone, cron, from, expected) => {
    expect(dues({ cron, timezone }, from, expected.length)).toEqual(expected);
  });
});

describe("an expression with * follows the time that passes", () => {
  test.each<[zone: string, cron: string, from: string, expected: string[]]>([
    [
      "Europe/Berlin",
      "0 * * * *",
      "2026-10-24T23:30Z",
      ["2026-10-25T00:00", "2026-10-25T01:00", "2026-10-25T02:00", "2026-10-25T03:00"],
    ],
    [
      "Europe/Berlin",
      "*/30 2 * * *",
      "2026-10-24T23:30Z",
      ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30"],
    ],
    ["Europe/Berlin", "*/30 2 * * *", "2026-03-29T00:30Z", ["2026-03-30T00:00"]],
  ])("in %s, %s after %s", (timezone, cron, from, expected) => {
    expect(inUtc({ cron, timezone }, from, expected.length)).toEqual(expected);
  });
});

test.each<[cron: string, from: string, expected: string[]]>([
  ["0 0 31 * *", "2026-01-31T00:00Z", ["2026-03-31", "2026-05-31", "2026-07-31", "2026-08-31"]],
  ["0 0 29 2 *", "2026-01-01T00:00Z", ["2028-02-29", "2032-02-29"]],
  ["0 0 29 2 *", "2096-03-01T00:00Z", ["2104-02-29"]],
  ["0 0 L 2 *", "2027-03-01T00:00Z", ["2028-02-29", "2029-02-28"]],
  ["0 0 13 * fri", "2026-01-31T00:00Z", ["2026-02-06", "2026-02-13", "2026-02-20"]],
  ["0 0 * * 7", "2026-01-31T00:00Z", ["2026-02-01", "2026-02-08"]],
])("in UTC, %s after %s", (cron, from, days) => {
  const expected = days.map((day) => `${day}T00:00`);
  expect(inUtc({ cron, timezone: "UTC" }, from, days.length)).toEqual(expected);
});

test("an interval is due at its multiples", () => {
  const timing = { everySeconds: 5400, timezone: "UTC" };
  expect(inUtc(timing, "2026-01-01T00:00Z", 3)).toEqual([
    "2026-01-01T01:30",
    "2026-01-01T03:00",
    "2026-01-01T04:30",
  ]);
});

test("nothing is due after `until`, which is itself included", () => {
  const until = Date.parse("2026-01-02T03:00Z");
  const timing = { cron: "0 3 * * *", timezone: "UTC", until };
  expect(inUtc(timing, "2026-01-01T00:00Z", 5)).toEqual(["2026-01-01T03:00", "2026-01-02T03:00"]);
  expect(nextDue(timing, until)).toBeNull();
});

test.each<[Timing, from: string, to: string]>([
  [{ cron: "*/7 * * * *", timezone: "Europe/Berlin" }, "2026-10-24T20:00Z", "2026-10-25T04:00Z"],
  [{ cron: "30 2 * * *", timezone: "Europe/Berlin" }, "2026-03-01T00:00Z", "2026-04-20T00:00Z"],
  [{ everySeconds: 3600, timezone: "UTC" }, "2026-01-01T00:00Z", "2026-01-03T00:00Z"],
  [{ cron: "0 3 * * *", timezone: "UTC" }, "2026-01-01T04:00Z", "2026-01-01T05:00Z"],
])("the last and the number of due times of %j are those of a walk", (timing, from, to) => {
  const [after, upTo] = [Date.parse(from), Date.parse(to)];
  const all = nextDues(timing, after, 500).filter((at) => at <= upTo);
  expect(lastDue(timing, after, upTo)).toBe(all.at(-1) ?? null);
  expect(countDues(timing, after, upTo, 500)).toBe(all.length);
  expect(countDues(timing, after, upTo, 2)).toBe(Math.min(2, all.length));
});

test.each<[cron: string, zone: string, at: string, note: string | null]>([
  [
    "30 2 * * *",
    "Europe/Berlin",
    "2026-03-29T01:00Z",
    "The clock goes forward from 02:00 to 03:00, so a time in between is due at 03:00.",
  ],
  ["0 3 * * *", "Europe/Berlin", "2026-03-29T01:00Z", null],
  [
    "30 2 * * *",
    "Europe/Berlin",
    "2026-10-25T00:30Z",
    "The clock goes back, so 02:30 occurs twice. Only the first one is due.",
  ],
  ["*/30 2 * * *", "Europe/Berlin", "2026-10-25T00:30Z", null],
  [
    "15 2 * * *",
    "Australia/Lord_Howe",
    "2026-10-03T15:30Z",
    "The clock goes forward from 02:00 to 02:30, so a time in between is due at 02:30.",
  ],
])("%s in %s at %s is noted", (cron, timezone, at, note) => {
  const timing = { cron, timezone };
  expect(nextDue(timing, Date.parse(at) - 1)).toBe(Date.parse(at));
  expect(describeDue(timing, Date.parse(at)).note).toBe(note);
});
