// Only what a person would call a whole number is one.

import fc from "fast-check";
import { expect, test } from "vitest";
import { parseWholeNumber } from "../../src/lib/whole-number.ts";

test.each(["0x1F90", "1e3", " 80 ", "80 ", "8080.0", "1.5", "", "+1", "-", "007", "1_000", "٣"])(
  "'%s' is none",
  (text) => {
    expect(parseWholeNumber(text)).toBeNull();
  },
);

test.each(["NaN", "Infinity", "9007199254740992", "99999999999999999999"])(
  "'%s' is beyond counting",
  (text) => {
    expect(parseWholeNumber(text)).toBeNull();
  },
);

test("every number that can be counted to is read as it is written", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      expect(parseWholeNumber(String(number))).toBe(number);
    }),
  );
});
