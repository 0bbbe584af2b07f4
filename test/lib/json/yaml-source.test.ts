import { expect, test } from "vitest";
import { readYaml } from "../../../src/lib/json/yaml-source.ts";

/** Formats problems as `3: message`. */
function problemsOf(text: string): string[] {
  return readYaml(text).problems.map(({ line, message }) => `${line ?? "-"}: ${message}`);
}

test("the value is read as in JSON, whatever else YAML supports", () => {
  const text = "%YAML 1.1\n---\na: yes\nb: 2001-01-01\nc: 0x1f\nd: ~\n<<: { e: 1 }\n";
  const value = { a: "yes", b: "2001-01-01", c: 31, d: null, "<<": { e: 1 } };
  expect(readYaml(text)).toMatchObject({ problems: [], value });
  expect(readYaml("a: &x [1]\nb: *x\n").value).toEqual({ a: [1], b: [1] });
  expect(readYaml('{"a": {"b": [1, "x"]}}').value).toEqual({ a: { b: [1, "x"] } });
  expect(readYaml("# nothing\n")).toMatchObject({ problems: [], value: null });
});

const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
for (const [name, before] of ["ba", "cb", "dc", "ed", "fe"]) {
  bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`);
}

test.each<[string, string, string[]]>([
  ["no YAML", "a: b: c\n", ["1: nested mappings are not allowed in compact mappings"]],
  ["an open text", "a: 1\nb: 'x\n", ["3: missing closing 'quote"]],
  ["a tab", "a:\n\tb: 1\n", ["2: tabs are not allowed as indentation"]],
  ["only the first error of several", "- a\nb: 1\n", ["2: unexpected scalar at node end"]],
  [
    "keys twice",
    "a: 1\nb:\n  c: 1\n  c: 2\na: 2\na: 3\n",
    [
      "4: the key c occurs twice: first in line 3",
      "5: the key a occurs twice: first in line 1",
      "6: the key a occurs twice: first in line 1",
    ],
  ],
  [
    "keys that are not strings",
    "1: a\ntrue: b\n? [c]\n: d\n~: e\n",
    [
      '1: a key must be a string, in quotes if necessary: "1"',
      '2: a key must be a string, in quotes if necessary: "true"',
      "3: a key must be a string, in quotes if necessary",
      '5: a key must be a string, in quotes if necessary: "~"',
    ],
  ],
  ["an empty key", "a: 1\n: b\n", ["2: a key must be a string, in quotes if necessary"]],
  ["an alias as a key", "a: &a x\n*a : b\n", ["2: a key must be a string, in quotes if necessary"]],
  ["the key __proto__", "a:\n  __proto__: {}\n", ["2: the key __proto__ is not allowed"]],
  [
    "two documents",
    "a: 1\n---\nb: 2\n",
    ["2: a second document begins here, but only one is allowed"],
  ],
  [
    "tags",
    "a: 1\nb: !secret x\nc: !!js/function f\nd: !!binary aaaa\n",
    [
      "2: tags such as !secret are not supported",
      "3: tags such as tag:yaml.org,2002:js/function are not supported",
      "4: tags such as tag:yaml.org,2002:binary are not supported",
    ],
  ],
  [
    "no number",
    "a: 1\nb: [.inf]\nc: .NaN\n",
    ["2: JSON has no number .inf", "3: JSON has no number .NaN"],
  ],
  [
    "a number that would be rounded",
    "a: 9007199254740991\nb: [-9007199254740993]\n",
    ["2: -9007199254740993 is too large: whole numbers above 9007199254740991 would be rounded"],
  ],
  [
    "an alias without its anchor",
    "a: 1\nb: *x\n",
    ["2: there is no anchor &x before the alias *x"],
  ],
  [
    "an alias inside its own anchor",
    "a: &x\n  - *x\n",
    ["2: the alias *x is inside its own anchor"],
  ],
  ["aliases that expand enormously", bomb.join("\n"), ["2: its aliases expand to too much data"]],
  ["deep nesting", `a: 1\nb: ${"[".repeat(100)}${"]".repeat(100)}\n`, ["1: is nested too deeply"]],
  ["extremely deep nesting", `a: ${"[".repeat(2_000)}`, ["1: is nested too deeply"]],
])("%s is reported", (_what, text, problems) => {
  expect(problemsOf(text)).toEqual(problems);
  expect(readYaml(text).value).toBeNull();
});

test("lineOf finds the line of each part by its key", () => {
  const text =
    "# one\n\na:\n  b:\n    - x\n    - c: |\n        long\n        text\n      d: 1.10\nj: {e: f}\n";
  const { lineOf, writtenAt, firstLine } = readYaml(text);
  expect(firstLine).toBe(3);
  expect(lineOf([])).toBeUndefined();
  expect(lineOf(["x", "y"])).toBeUndefined();
  expect(lineOf(["a"])).toBe(3);
  expect(lineOf(["a", "b"])).toBe(4);
  expect(lineOf(["a", "b", 0])).toBe(5);
  expect(lineOf(["a", "b", 1])).toBe(6);
  expect(lineOf(["a", "b", 1, "c"])).toBe(6);
  expect(lineOf(["a", "b", "1", "d"])).toBe(9);
  expect(lineOf(["a", "b", 7, "d"])).toBe(4);
  expect(lineOf(["a", "z"])).toBe(3);
  expect(lineOf(["j", "e"])).toBe(10);
  expect(writtenAt(["a", "b", 1, "d"])).toBe("1.10");
  expect(writtenAt(["a"])).toBeUndefined();
});

test("a hundred aliases are read, and very many are counted instead of resolved", () => {
  const aliases = (count: number) => `a: &a 1\nb: [${Array(count).fill("*a").join(", ")}]\n`;
  expect(readYaml(aliases(99)).problems).toEqual([]);
  expect(problemsOf(aliases(1_100))).toEqual(["2: has more than 1000 anchors and aliases"]);
  const anchors = Array.from({ length: 600 }, (_, n) => `- &a${n} 1\n- *a${n}\n`).join("");
  expect(problemsOf(anchors)).toEqual(["1001: has more than 1000 anchors and aliases"]);
  const again = "a: &x 1\nb: *x\nc: &x 2\nd: *x\n";
  expect(readYaml(again).value).toEqual({ a: 1, b: 1, c: 2, d: 2 });
});

test("numbers may be rounded if the caller says so", () => {
  expect(readYaml("maximum: 9223372036854775807\n", true).value).toEqual({ maximum: 2 ** 63 });
});
