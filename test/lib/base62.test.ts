// The randomness is a plain function, so every draw is known.

import { describe, expect, test } from "vitest";
import { encodeBase62, isBase62, randomBase62 } from "../../src/lib/base62.ts";

describe("encodeBase62", () => {
  test.each([
    { value: 0n, length: 1, text: "0" },
    { value: 61n, length: 1, text: "z" },
    { value: 36n, length: 2, text: "0a" },
    { value: 62n, length: 2, text: "10" },
    { value: 0xffff_ffffn, length: 6, text: "4gfFC3" },
    { value: 62n ** 43n - 1n, length: 43, text: "z".repeat(43) },
  ])("$value in $length", ({ value, length, text }) => {
    expect(encodeBase62(value, length)).toBe(text);
  });

  test.each([
    { value: 62n, length: 1 },
    { value: -1n, length: 6 },
    { value: 1n, length: 0 },
  ])("$value does not fit into $length", ({ value, length }) => {
    expect(() => encodeBase62(value, length)).toThrow(RangeError);
  });
});

describe("randomBase62", () => {
  test("draws every character equally often", () => {
    const everyByte = (bytes: Uint8Array) => {
      for (const at of bytes.keys()) bytes[at] = at;
    };
    const counts = new Map<string, number>();
    for (const character of randomBase62(248, everyByte)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([4]));
  });

  test("draws again if a byte would make some characters more likely", () => {
    let draws = 0;
    const text = randomBase62(3, (bytes) => bytes.fill(draws++ < 2 ? 248 : 61));
    expect(text).toBe("zzz");
    expect(draws).toBe(3);
  });

  test.each([0, 1, 43])("is %s characters long", (length) => {
    const text = randomBase62(length, (bytes) => crypto.getRandomValues(bytes));
    expect(text).toMatch(/^[0-9A-Za-z]*$/);
    expect(text).toHaveLength(length);
  });
});

test("isBase62 accepts letters and digits only", () => {
  expect(["0", "azAZ09", "", "a-b", "a\n", "é"].filter(isBase62)).toEqual(["0", "azAZ09"]);
});
