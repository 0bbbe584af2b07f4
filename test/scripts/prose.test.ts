import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkPage, hasToRun } from "../../scripts/prose/check-page.ts";
import { anchorsOf } from "../../scripts/prose/markdown.ts";
import { reflowed } from "../../scripts/prose/reflow.ts";
import { filled, tableOf } from "../../scripts/reference/fill.ts";
import { readPage } from "../../src/lib/markdown.ts";
import { temporaryFolder } from "../helpers/app.ts";

const page = "docs/guides/a.md";

/** Returns the problems of a page that has these neighbours. */
function problemsOf(text: string, others: Record<string, string> = {}): string[] {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries({ [page]: text, ...others })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return checkPage(root, page).map(({ line, problem }) => `${line}: ${problem}`);
}

const words = (count: number) => "word ".repeat(count).trim();

test("lines are at most 120 columns wide, except tables, code and targets of links", () => {
  const link = `[here](b.md#${"x".repeat(10)})`;
  const others = { "docs/guides/b.md": "# xxxxxxxxxx\n" };
  expect(problemsOf(`# A\n\n${words(24)} a\n`)).toEqual(["3: has 121 columns: use at most 120"]);
  expect(problemsOf(`# A\n\n| ${words(30)} |\n`)).toEqual([]);
  expect(problemsOf(`# A\n\n${words(22)} ${link}\n`, others)).toEqual([]);
});

test("links lead to files and headings that exist", () => {
  const others = { "docs/b.md": "# B\n\n## Two words\n\n## Two words\n", "docs/c.svg": "" };
  const good =
    "[a](../b.md#two-words) [b](../b.md#two-words-1) ![c](../c.svg) [d](https://a.b/c.md) [e](#here)";
  expect(problemsOf(`# A\n\n${good}\n\n## Here\n`, others)).toEqual([]);
  expect(problemsOf("# A\n\n[a](../b.md#three) [b](d.md)\n\n`[c](e.md)`\n", others)).toEqual([
    "3: ../b.md#three: there is no such heading",
    "3: d.md: there is no such file",
  ]);
});

test("a block of code runs in a test, or says why not", () => {
  const runs = { "test/a.test.ts": `read("${page}")`, "test/b.test.ts": "" };
  const lacking = /the block runs in no test/;
  const block = "    $ ls\n    b\n\n    c\n";
  expect(problemsOf(`# A\n\n${block}`)).toEqual([expect.stringMatching(lacking)]);
  expect(problemsOf("# A\n\n- item\n\n      in the item\n")).toEqual([]);
  expect(problemsOf("# A\n\n```text\na --> b\n```\n")).toEqual([]);
  expect(problemsOf("# A\n\n```text\n$ ls\n```\n")).toHaveLength(1);
  expect(problemsOf(`# A\n\n<!-- not run: it is slow -->\n\n${block}`)).toEqual([]);
  expect(problemsOf(`# A\n\n<!-- run by test/a.test.ts -->\n\nText.\n\n${block}`, runs)).toEqual(
    [],
  );
  const below = `# A\n\n<!-- run by test/a.test.ts -->\n\n${block}\nText.\n\n${block}`;
  expect(problemsOf(below, runs)).toEqual([]);
  const before = below.replace("# A", "# A\n\nText.");
  expect(problemsOf(before, runs)).toEqual([expect.stringMatching(lacking)]);
  const yaml = "```yaml\na: 1\n```\n";
  const mark = (languages: string) =>
    `# A\n\n<!-- run by test/a.test.ts${languages} -->\n\nText.\n\n${yaml}`;
  expect(problemsOf(mark(""), runs)).toEqual([expect.stringMatching(lacking)]);
  expect(problemsOf(mark(": sh, yaml"), runs)).toEqual([]);
  expect(problemsOf(`<!-- run by test/b.test.ts -->\n\n${yaml}`, runs)).toEqual([
    "1: test/b.test.ts does not name a.md",
  ]);
  expect(problemsOf(`<!-- run by test/c.test.ts -->\n\n${yaml}`)).toEqual([
    "1: test/c.test.ts does not exist",
  ]);
  const generated = `<!-- generated: x -->\n\n${yaml}\n<!-- /generated -->\n\n${yaml}`;
  expect(problemsOf(generated)).toEqual([expect.stringMatching(/^9: /)]);
});

test.each([
  ["README.md", true],
  ["docs/tutorial.md", true],
  ["docs/reference/commands/agents.md", true],
  ["docs/decisions/0001-one-entry-point.md", false],
  ["docs/performance.md", false],
  ["CONTRIBUTING.md", false],
])("whether code in %s must run: %s", (file, expected) => {
  expect(hasToRun(file)).toBe(expected);
});

test("headings, tables, code and comments are distinguished", () => {
  const text =
    "# A\n\ntext\n    still text\n\n```sh\n# code\n```\n\n    code\n\n| a |\n\n<!-- b\nc -->\n";
  expect(
    readPage(text)
      .lines.map(({ kind }) => kind)
      .join(" "),
  ).toBe(
    "heading blank text text blank code code code blank code blank table blank comment comment blank",
  );
  expect([...anchorsOf("# `a b`: c, d\n")]).toEqual(["a-b-c-d"]);
});

test("only paragraphs with a line that is too long are wrapped", () => {
  const long = `${words(20)} \`code with blanks\` - 1. ${words(10)}`;
  const wrapped = reflowed(`short\nlines\n\n${long}\n\n- ${long}\n  more\n- next\n`);
  expect(wrapped.split("\n")).toEqual([
    ...["short", "lines", ""],
    ...[words(20), `\`code with blanks\` - 1. ${words(10)}`, ""],
    ...[`- ${words(20)}`, `  \`code with blanks\` - 1. ${words(10)} more`, "- next", ""],
  ]);
});

test("generated parts are replaced between their marks", () => {
  const text = "a\n\n<!-- generated: twice b c -->\nold\n<!-- /generated -->\n\nd\n";
  const twice = (given: readonly string[]) => [...given, ...given].join("");
  expect(filled(text, { twice })).toBe(
    "a\n\n<!-- generated: twice b c -->\n\nbcbc\n\n<!-- /generated -->\n\nd\n",
  );
  expect(filled(filled(text, { twice }), { twice })).toBe(filled(text, { twice }));
  expect(() => filled(text, {})).toThrow("twice");
  expect(tableOf(["a", "b"], [["x|y", ""]])).toBe("| a | b |\n| --- | --- |\n| x\\|y | |");
});
