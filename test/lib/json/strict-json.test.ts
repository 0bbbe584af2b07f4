// In the random tests, JSON.parse decides what is JSON and what it means.

import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parseStrictJson } from "../../../src/lib/json/strict-json.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { size } from "../../helpers/size.ts";

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

function objectOf(keys: string[]): string {
  return `{${keys.map((key) => `${JSON.stringify(key)}:0`).join(",")}}`;
}

const manyKeys = Array.from({ length: 1000 }, (_, index) => `key${index}`);

describe("accepts", () => {
  test.each([
    "0",
    ' { "a" : [ 1 , { "a" : 2 } , { "a" : 3 } ] , "b" : { "a" : 4 } } ',
    '["__proto__",{"a":"__proto__"}]',
    '{"a":"{\\"b\\":1,\\"b\\":[[[["}',
    '{"a\\\\":"\\\\","a\\"":"\\\\\\"","a":1}',
    '{"":0," ":0,"constructor":0,"toString":0}',
    '{"a":0,"A":0,"á":0,"a\u0301":0}',
    '{"\\u0061":0,"\\\\u0061":0}',
    '[1.7976931348623157e308,-1e308,1e-999,0.1e309,"1e999"]',
  ])("%s", (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  test.each([
    { name: "32 nested arrays", text: nested(32) },
    { name: "32 nested objects", text: `${'{"a":'.repeat(32)}0${"}".repeat(32)}` },
    { name: "as many nested arrays as the caller allows", text: nested(3), allowed: 3 },
    { name: "an object with a thousand keys", text: objectOf(manyKeys) },
  ])("$name", ({ text, allowed }) => {
    expect(parseStrictJson(text, allowed)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  test("any valid JSON with unique keys", () => {
    const json = fc.tuple(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 2));
    fc.assert(
      fc.property(json, ([value, indent]) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!text.includes("__proto__"));
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });
});

describe("refuses", () => {
  test.each([
    { text: nested(33), most: 32 },
    { text: `${'[{"a":'.repeat(17)}`, most: 32 },
    { text: nested(100_000), most: 32 },
    { text: nested(3), allowed: 2, most: 2 },
  ])("nesting deeper than $most", ({ text, allowed, most }) => {
    const message = `The JSON is nested deeper than ${most} levels.`;
    expect(parseStrictJson(text, allowed)).toEqual({ ok: false, reason: "depth", message });
  });

  test.each([
    { text: '{"a":1,"a":1}', key: '"a"' },
    { text: '{"a":1,"\\u0061":2}', key: '"a"' },
    { text: '{"a\\"":1,"a\\u0022":2}', key: '"a\\""' },
    { text: '[0,{"b":{"a":[{}],"a":0}}]', key: '"a"' },
    { text: '{"b":{"a":1},"a":[{"a":2}],"a":3}', key: '"a"' },
    { text: objectOf([...manyKeys, "key0"]), key: '"key0"' },
    { text: objectOf(["k".repeat(99), "k".repeat(99)]), key: `"${"k".repeat(40)}…"` },
  ])("the duplicate key $key", ({ text, key }) => {
    const message = `The JSON has the key ${key} twice in one object.`;
    expect(parseStrictJson(text)).toEqual({ ok: false, reason: "duplicate-key", message });
  });

  test.each(['{"__proto__":1}', '[{"a":{"__proto__":{}}}]', '{"\\u005f_proto\\u005F_":1}'])(
    "the prototype: %s",
    (text) => {
      const message = 'The JSON has the key "__proto__", which is not allowed.';
      expect(parseStrictJson(text)).toEqual({ ok: false, reason: "forbidden-key", message });
    },
  );

  const infinite = `1${"0".repeat(309)}`;

  test.each([
    "1e309",
    "-1e309",
    '{"a":{"b":1E+400}}',
    infinite,
    `[${infinite},"a"]`,
    `{"a":[true,-${infinite}.5]}`,
    `{"a":{},"b":${infinite}}`,
  ])("infinite numbers: %s", (text) => {
    const message = "The JSON has a number that is too large: at most about 1.8e308.";
    expect(parseStrictJson(text)).toEqual({ ok: false, reason: "number", message });
  });

  test.each([
    { what: "objects and arrays", text: "[{},{},[]]", most: "[{},{}]" },
    { what: "keys", text: '{"a":0,"b":0,"c":0}', most: '{"a":0,"b":0}' },
    { what: "values", text: `[${Array(14).fill(0)}]`, most: `[${Array(13).fill(0)}]` },
  ])("more $what than three parts allow", ({ text, most }) => {
    const message = "The JSON has more than 3 objects, arrays and keys, or more than 12 values.";
    expect(parseStrictJson(text, 32, 3)).toEqual({ ok: false, reason: "parts", message });
    expect(parseStrictJson(most, 32, 3).ok).toBe(true);
  });

  test.each([
    "",
    "{",
    "}}",
    '"\\',
    '{"a',
    '{"a":1,}',
    '{"a":1}{"a":1}',
    '{"\\x":1,"\\x":1}',
    '{"a":1,"a":1',
    '{"__proto__":1',
    "\ufeff{}",
  ])("a text that is not JSON: %s", (text) => {
    const message = "The text is not valid JSON.";
    expect(parseStrictJson(text)).toEqual({ ok: false, reason: "syntax", message });
  });
});

test("parseStrictJson reads the values only if a number may be infinite", () => {
  const values = vi.spyOn(Object, "values");
  onTestFinished(() => values.mockRestore());
  const harmless = { a: [1, -0.5, true, { e: "1e999" }], e: "9".repeat(400), "1e9": null };
  expect(parseStrictJson(JSON.stringify(harmless, null, 2)).ok).toBe(true);
  expect(values).not.toHaveBeenCalled();
  expect(parseStrictJson('{"a":1e9}').ok).toBe(true);
  expect(values).toHaveBeenCalled();
});

describe("any text", () => {
  const pieces = ["{", "}", "[", "]", '"', "\\", ":", ",", " ", "a", '"a":', "u0061", "__proto__"];
  const almostJson = fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(""));

  test("never throws, and returns the value of JSON.parse", () => {
    fc.assert(
      fc.property(fc.oneof(almostJson, fc.string({ unit: anyCharacter })), (text) => {
        const parsed = parseStrictJson(text);
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
        else if (parsed.reason === "syntax") expect(() => JSON.parse(text)).toThrow();
      }),
      { numRuns: size(200, 2000) },
    );
  });

  test("an infinite number is always found", () => {
    const number = fc
      .record({
        digits: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 290, max: 330 })),
        rest: fc.constantFrom("", ".5", "e1", "E+3", "e-20", ".25e300"),
        sign: fc.constantFrom("", "-"),
      })
      .map(({ digits, rest, sign }) => `${sign}${"9".repeat(digits)}${rest}`);
    const piece = fc.oneof(number, fc.constantFrom('"1e999"', "true", "null", "{}", "[]", " 7 "));
    const shape = fc.constantFrom(
      (all: string[]) => all[0]!,
      (all: string[]) => `[${all}]`,
      (all: string[]) => `{${all.map((one, at) => `"${at}":${one}`).join(" , ")}}`,
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), shape, (all, toText) => {
        const text = toText(all);
        const isInfinite = JSON.stringify(JSON.parse(text, infinityAsText)).includes("Infinity");
        const expected = isInfinite ? { ok: false, reason: "number" } : { ok: true };
        expect(parseStrictJson(text)).toMatchObject(expected);
      }),
      { numRuns: size(200, 1000) },
    );
  });

  const infinityAsText = (_key: string, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? `${value}` : value;

  test("a duplicate key is always found", () => {
    const key = fc.string().filter((key) => key !== "__proto__");
    const others = fc.uniqueArray(key, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(others, fc.nat(), (keys, choice) => {
        const again = keys[choice % keys.length]!;
        expect(parseStrictJson(objectOf([...keys, again]))).toMatchObject({
          reason: "duplicate-key",
        });
      }),
    );
  });
});
