// Tests the times that users type for `--from`, `--to` and `--expires`.

import { expect, test } from "vitest";
import { expiryOf, pastMoment } from "../../../src/cli/output/moments.ts";

const now = Date.parse("2026-01-31T12:00:00Z");

test("--from is read as a past moment", () => {
  expect(pastMoment("--from", "24h", now)).toBe("2026-01-30T12:00:00.000Z");
  expect(() => pastMoment("--from", "soon", now)).toThrow(/^--from must be a time such as/);
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
