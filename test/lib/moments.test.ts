// Tests the times that users type, and those in saved views.

import { expect, test } from "vitest";
import { isPastMoment, parsePastMoment, parseTime } from "../../src/lib/moments.ts";

const now = Date.parse("2026-01-31T12:00:00Z");

test.each([
  { text: "2026-01-31", time: "2026-01-31T00:00:00.000Z" },
  { text: "2026-01-31 08:30:15", time: "2026-01-31T08:30:15.000Z" },
  { text: "2026-01-31T08:30:15.123Z", time: "2026-01-31T08:30:15.123Z" },
  { text: "2026-01-31T08:30:00+02:00", time: "2026-01-31T06:30:00.000Z" },
  { text: "2026-13-31", time: null },
  { text: "31.1.2026", time: null },
  { text: "2026", time: null },
])("$text is read as the time $time", ({ text, time }) => {
  expect(parseTime(text)).toBe(time);
});

test.each([
  { text: "24h", moment: "2026-01-30T12:00:00.000Z" },
  { text: "7d", moment: "2026-01-24T12:00:00.000Z" },
  { text: "1h30m", moment: "2026-01-31T10:30:00.000Z" },
  { text: "today", moment: new Date(2026, 0, new Date(now).getDate()).toISOString() },
  { text: "2026-01-31", moment: "2026-01-31T00:00:00.000Z" },
])("$text is read as the past moment $moment", ({ text, moment }) => {
  expect(parsePastMoment(text, now)).toBe(moment);
  expect(isPastMoment(text)).toBe(true);
});

test.each(["yesterday", "-1h", "", "24", "toString", "2026-02-31x"])(
  "%j is not a past moment",
  (text) => {
    expect(parsePastMoment(text, now)).toBeNull();
    expect(isPastMoment(text)).toBe(false);
  },
);

test("a past moment is not before 1970", () => {
  expect(parsePastMoment("99999d", now)).toBeNull();
});
