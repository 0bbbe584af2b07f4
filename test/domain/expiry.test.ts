import { expect, test } from "vitest";
import { expiryOf, type WantedExpiry } from "../../src/domain/expiry.ts";

const now = Date.parse("2026-01-02T03:04:05.678Z");

test.each<[title: string, wanted: WantedExpiry, defaultSeconds: number, end: number | null]>([
  ["is a minute away by default", {}, 60, now + 60_000],
  ["is absent if the default is 0", {}, 0, null],
  ["is absent for zero seconds", { expiresInSeconds: 0 }, 60, null],
  ["is absent for null", { expiresAt: null }, 60, null],
  ["can be a time", { expiresAt: "2026-01-02T03:04:05.679Z" }, 60, now + 1],
  ["can be in another time zone", { expiresAt: "2026-01-02T05:04:06.678+02:00" }, 60, now + 1000],
])("the expiry %s", (_, wanted, defaultSeconds, end) => {
  expect(expiryOf(wanted, now, defaultSeconds)).toBe(end);
});

test.each(["2026-01-02T03:04:05.678Z", "2026-01-02T04:04:05.678+02:00", "1970-01-01T00:00:00Z"])(
  "%s is refused because it has passed",
  (expiresAt) => {
    expect(() => expiryOf({ expiresAt }, now, 60)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        details: { issues: [{ path: "expiresAt", message: "is in the past" }] },
      }),
    );
  },
);

test("a time more than 100 years away is refused", () => {
  const far = "9999-12-31T23:59:59-10:00";
  expect(() => expiryOf({ expiresAt: far }, now, 60)).toThrow(/more than 100 years away/);
  const near = "2125-01-01T00:00:00Z";
  expect(expiryOf({ expiresAt: near }, now, 60)).toBe(Date.parse(near));
});
