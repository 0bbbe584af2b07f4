import { beforeAll, expect, test } from "vitest";
import { valueSection } from "../../../src/cli/output/values.ts";
import { loadYaml } from "../../../src/cli/output/yaml.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import type { Json } from "../../../src/domain/payload/json.ts";

beforeAll(loadYaml);

const shown = (value: Json, width?: number) =>
  valueSection({ width, colour: false, now: () => 0 } as unknown as Io, "output", value);

test.each<[value: Json, lines: string[]]>([
  [null, ["  null"]],
  [3, ["  3"]],
  ["done", ["  done"]],
  ["one\ntwo\n\nthree", ["  one", "  two", "", "  three"]],
  [[], ["  []"]],
  [{}, ["  {}"]],
  [
    ["a", "b"],
    ["  - a", "  - b"],
  ],
  [
    { ok: true, count: 2, note: "", none: null },
    ["  ok     true", "  count  2", '  note   ""', "  none   null"],
  ],
  [
    [
      { name: "a", bytes: 1 },
      { name: "bcd", extra: true },
    ],
    ["  NAME  BYTES  EXTRA", "  a     1      -", "  bcd   -      true"],
  ],
  [
    { total: 1, files: [{ name: "a" }], log: "x\ny", deep: { a: { b: 1 } }, none: [] },
    [
      ...["  total  1", "  none   []", "  files", "    NAME", "    a", "  log", "    x", "    y"],
      ...["  deep", "    a:", "      b: 1"],
    ],
  ],
  [[{ a: { b: 1 } }], ["  - a:", "      b: 1"]],
  [
    [{ a: 1 }, 2],
    ["  - a: 1", "  - 2"],
  ],
  [{ deep: { a: "\u202e" } }, ["  deep", '    a: "\\u202e"']],
  [{ "\u001b[2J": "\u009b" }, ["  \\u001b[2J  \\u009b"]],
])("the value %j from an agent is shown in the right layout", (value, lines) => {
  expect(shown(value)).toBe(`\noutput\n${lines.join("\n")}\n`);
});

test("a table fits the width, and objects with too many fields are shown as lists", () => {
  const wide = shown([{ name: "n".repeat(50), other: "o".repeat(50) }], 40);
  for (const line of wide.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  const keys = Array.from({ length: 13 }, (_, at) => [`k${at}`, at]);
  expect(shown([Object.fromEntries(keys)])).toContain("  - k0: 0\n");
});
