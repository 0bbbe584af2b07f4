import fc from "fast-check";
import { expect, test } from "vitest";
import { parseWholeNumber } from "../../src/lib/whole-number.ts";

test.each([
  ...["0x1F90", "1e3", " 80 ", "80 ", "8080.0", "1.5", "", "+1", "-", "007", "1_000", "٣"],
  ...["NaN", "Infinity", "9007199254740992", "99999999999999999999"],
])("'%s' is refused", (text) => {
  expect(parseWholeNumber(text)).toBeNull();
});

test("every safe integer is parsed", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      expect(parseWholeNumber(String(number))).toBe(number);
    }),
  );
});
