import { expect, test } from "vitest";
import { cronIssue, isTimezone, timezoneLike } from "../../../src/domain/schedules/due-times.ts";

test.each([
  "* * * * *",
  "*/5 8-18 * * mon-fri",
  "0,30 0 1,15 jan,JUL *",
  "0 0 L * *",
  "10-40/10 0 29 2 *",
  "59 23 31 12 7",
])("%s is valid", (text) => {
  expect(cronIssue(text)).toBeNull();
});

test.each([
  ["", "has no fields; it must have five: minute hour day month weekday"],
  ["5", "has 1 field; it must have five: minute hour day month weekday"],
  ["0 0 3 * * *", "has 6 fields; it must have five: minute hour day month weekday"],
  ["99 * * * *", "99 is not a minute (0 to 59)"],
  ["* 24 * * *", "24 is not an hour (0 to 23)"],
  ["* * * 13 *", "13 is not a month (1 to 12, or jan to dec)"],
  ["* * * * 8", "8 is not a weekday (0 to 7, or sun to sat)"],
  ["1, * * * *", "an empty value is not a minute (0 to 59)"],
  ["* * * * 1-2-3", "1-2-3 is not a weekday (0 to 7, or sun to sat)"],
  ["*/0 * * * *", '"*/0" has no valid step: a step is a number from 1 to 59'],
  ["5/10 * * * *", '"5/10" has a step without a range: write 5-59/10'],
  ["30-10 * * * *", '"30-10" ends before it begins'],
  ["0 0 31 2 *", "never becomes due: no month has this day"],
  ["0 0 31 4,6,9,11 *", "never becomes due: no month has this day"],
])("%j is refused: %s", (text, message) => {
  expect(cronIssue(text)).toBe(message);
});

test.each([
  ["UTC", true],
  ["Europe/Berlin", true],
  ["+02:00", false],
  ["Europe/Bärlin", false],
  ["", false],
])("%j is a time zone: %s", (name, isOne) => {
  expect(isTimezone(name)).toBe(isOne);
});

test("a mistyped time zone is like the one that is meant", () => {
  expect(["Europe/Berln", "asia/tokio", "?"].map(timezoneLike)).toEqual([
    "Europe/Berlin",
    "Asia/Tokyo",
    null,
  ]);
});
