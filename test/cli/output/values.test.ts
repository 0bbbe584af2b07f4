// Tests the times that users type for `--from`, `--to` and `--expires`.

import { expect, test } from "vitest";
import { expiryOf, parseTime, pastMoment } from "../../../src/cli/output/moments.ts";

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
  { text: "1h30m", moment: "2026-01-31T10:30:00.000Z" },
  { text: "2026-01-31", moment: "2026-01-31T00:00:00.000Z" },
])("$text is read as the past moment $moment", ({ text, moment }) => {
  expect(pastMoment("--from", text, now)).toBe(moment);
});

test.each(["yesterday", "-1h", "", "99999d", "2026-02-31x"])("%j is not a past moment", (text) => {
  expect(() => pastMoment("--from", text, now)).toThrow(/^--from must be a time such as/);
});

test.each([
  { text: undefined, expiry: {} },
  { text: "never", expiry: { expiresInSeconds: 0 } },
  { text: "90d", expiry: { expiresInSeconds: 7_776_000 } },
  { text: "2026-12-31", expiry: { expiresAt: "2026-12-31T00:00:00.000Z" } },
])("--expires $text is read as $expiry", ({ text, expiry }) => {
  expect(expiryOf(text)).toEqual(expiry);
});

test.each(["soon", "0s", "0", ""])("%j is not an expiry", (text) => {
  expect(() => expiryOf(text)).toThrow(/^--expires must be a duration such as 24h, a time/);
});
