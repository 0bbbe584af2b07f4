// Tests the parts of manual.test.ts: which blocks are examples, and which outputs count as equal.

import { expect, test } from "vitest";
import { readManual, readPage, withOutputs } from "./manual/document.ts";
import { areAlike, checkOrigins, Pairs } from "./manual/likeness.ts";
import { replay } from "./manual/replay.ts";

const text = `# A manual

Words.

    $ one
    first

    second

    $ two \\
        --more
    third

<!-- $ three -->

\`\`\`
$ four
\`\`\`

\`\`\`text
$ never
\`\`\`

\`\`\`sh
five
\`\`\`

    six
`;

test("the examples are found in order, with their outputs", () => {
  const { examples, scripts, unmarked } = readManual(text);
  expect(examples.map(({ command, output }) => [command, output])).toEqual([
    ["one", ["first", "", "second"]],
    ["two \\\n    --more", ["third"]],
    ["three", null],
    ["four", []],
  ]);
  expect(scripts.map((script) => script.text)).toEqual(["five"]);
  expect(unmarked.map((at) => text.split("\n")[at])).toEqual(["    six"]);
  expect(() => readManual("```\n$ one")).toThrow("line 1");
});

test("each block of a page is one example, with the output that is right below it", () => {
  const page = `Words.

    one &
    two

    three

\`\`\`text
printed

by both
\`\`\`

\`\`\`sh
not run
\`\`\`

    four

Words.

\`\`\`text
of no block
\`\`\`
`;
  const { examples } = readPage(page);
  expect(examples.map(({ command, output }) => [command, output])).toEqual([
    ["one &\ntwo\n\nthree", ["printed", "", "by both"]],
    ["four", null],
  ]);
  const changed = withOutputs(readPage(page), [["new"], null]);
  expect(changed).toBe(page.replace("printed\n\nby both", "new"));
});

test("new outputs replace the old ones, and nothing else changes", () => {
  const manual = readManual(text);
  expect(withOutputs(manual, [null, null, null, null])).toBe(text);
  const changed = withOutputs(manual, [["new", "", "lines"], [], null, ["printed"]]);
  expect(changed).toBe(
    text
      .replace("    first\n\n    second\n", "    new\n\n    lines\n")
      .replace("    third\n", "")
      .replace("$ four\n", "$ four\nprinted\n"),
  );
});

const agent = (last: string) => `agt_${"0".repeat(25)}${last}`;

test.each([
  { shown: ["a  b"], real: ["a     b  "], alike: true },
  { shown: ["a b"], real: ["a c"], alike: false },
  { shown: ["a"], real: ["a", "b"], alike: false },
  { shown: ["seen 2s ago"], real: ["seen now"], alike: true },
  { shown: ["ends in 1h"], real: ["ends never"], alike: false },
  { shown: ["took 9ms"], real: ["took 1.3s"], alike: true },
  { shown: ["at 2026-01-02T03:04:05.678Z"], real: ["at 2025-11-30T00:00:00.000Z"], alike: true },
  { shown: ["http://127.0.0.1:8080/a"], real: ["http://127.0.0.1:4123/b"], alike: false },
  { shown: ["up 1m37s, row 6"], real: ["up 45s, row 12"], alike: true },
  { shown: ["seq …", "…"], real: ["seq 17 x", "more", "still"], alike: true },
  { shown: ["a", "…", "z"], real: ["a", "b", "c", "z"], alike: true },
  { shown: ["(a|b)* […]"], real: ["(a|b)* [c]"], alike: true },
  { shown: [`${agent("1")} ${agent("1")}`], real: [`${agent("7")} ${agent("7")}`], alike: true },
  { shown: [`${agent("1")} ${agent("2")}`], real: [`${agent("7")} ${agent("7")}`], alike: false },
  { shown: [`${agent("1")} ${agent("1")}`], real: [`${agent("7")} ${agent("8")}`], alike: false },
  { shown: [agent("1")], real: [agent("1").replace("agt", "svc")], alike: false },
])("$shown and $real count as equal: $alike", ({ shown, real, alike }) => {
  expect(areAlike(shown, real, new Pairs())).toBe(alike);
});

test("an id in the manual represents one id of the run, in commands and outputs", () => {
  const pairs = new Pairs();
  expect(areAlike([`id ${agent("1")}`], [`id ${agent("7")}`], pairs)).toBe(true);
  expect(areAlike([agent("1")], [agent("8")], pairs)).toBe(false);
  expect(areAlike([agent("2")], [agent("7")], pairs)).toBe(false);
  expect(pairs.toReal(`get ${agent("1")} ${agent("5")}`)).toBe(`get ${agent("7")} ${agent("5")}`);
  expect(pairs.toShown(`got ${agent("7")}`)).toBe(`got ${agent("1")}`);
});

test("an id in a command must occur in an earlier output, or no example runs", async () => {
  const made = `    $ make\n    id ${agent("1")}\n`;
  const asked = `    $ get ${agent("1")}\n    Nothing matches.\n`;
  checkOrigins(readManual(made + asked).examples);
  const run = () => expect.unreachable();
  const refused = replay(readManual(asked + made), { run }, []);
  await expect(refused).rejects.toThrow(`line 1: no output before it shows ${agent("1")}`);
});
