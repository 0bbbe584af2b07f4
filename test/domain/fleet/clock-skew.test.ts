import { expect, test } from "vitest";
import { clockText, isClockOff } from "../../../src/domain/fleet/clock-skew.ts";

test.each([
  [0, "exact", false],
  [-499, "exact", false],
  [1500, "2s ahead", false],
  [-59_400, "59s behind", false],
  [-60_000, "1m behind", true],
  [10_859_000, "3h ahead", true],
  [-90_061_000, "1d1h1m behind", true],
])("a skew of %d ms is %j", (skewMs, text, isOff) => {
  expect(clockText(skewMs)).toBe(text);
  expect(isClockOff(skewMs)).toBe(isOff);
});
