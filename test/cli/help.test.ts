// Help tells all: each command its arguments, its options and its examples; what is mistyped gets a
// suggestion; and the manual names what the help names.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CommandSpec } from "../../src/cli/command.ts";
import { exit } from "../../src/cli/exit.ts";
import { commandTable, groupSummaries } from "../../src/cli/tree/index.ts";
import { cli } from "./world.ts";

const output = ["-o, --output <format>", "--no-headers", "--columns <names>"];
const target = ["--server <url>", "--db <file>", "--context <name>", "--ca-file <file>", "--debug"];

test.each(commandTable)("$name --help names every argument and option", async (spec) => {
  const { status, stdout, stderr } = await cli([...spec.name.split(" "), "--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const text = oneLine(stdout);
  expect(text).toContain(`Usage: platformctl ${spec.name}`);
  expect(text).toContain(spec.summary);
  for (const { name, summary } of spec.args ?? []) {
    expect(text).toContain(`${name.replace(/\W/g, "")} ${summary}`);
  }
  for (const { flags, summary, choices = [] } of spec.options ?? []) {
    expect(text).toContain(`${flags} ${summary}`);
    for (const choice of choices) expect(text).toContain(`"${choice}"`);
  }
  const common = [...(spec.output ? output : []), ...(spec.target ? target : [])];
  for (const flags of common) expect(text).toContain(flags);
  for (const example of spec.examples ?? []) expect(text).toContain(`platformctl ${example}`);
});

test.each(Object.entries(groupSummaries))(
  "%s --help lists its commands",
  async (group, summary) => {
    const { status, stdout } = await cli([group, "--help"]);
    expect(status).toBe(0);
    expect(stdout).toContain(summary);
    const members = commandTable.filter((spec) => spec.name.startsWith(`${group} `));
    expect(members).not.toEqual([]);
    for (const { name } of members) expect(stdout).toContain(`\n  ${name.split(" ")[1]} `);
  },
);

test("--help lists every group and command, the program's own part first", async () => {
  const { stdout: operators } = await cli(["--help"]);
  const { stdout: servers } = await cli(["--help"], { io: { program: "platform" } });
  for (const { name, hidden } of commandTable) {
    const listed = operators.includes(`\n  ${name.split(" ")[0]} `);
    expect([name, listed]).toEqual([name, !hidden]);
  }
  expect(operators.indexOf("\n  agents ")).toBeLessThan(operators.indexOf("\n  serve "));
  expect(servers.indexOf("\n  serve ")).toBeLessThan(servers.indexOf("\n  agents "));
});

test("--version is the version of the sources, or what was baked in", async () => {
  const { version } = JSON.parse(read("package.json"));
  expect(await cli(["--version"])).toMatchObject({ status: 0, stdout: `${version}-dev\n` });
  const env = { VERSION: "1.2.3" };
  expect(await cli(["-V"], { env })).toMatchObject({ status: 0, stdout: "1.2.3\n" });
});

test.each([
  { words: [], says: /Usage: platformctl \[options\] \[command\]/ },
  { words: ["agents"], says: /Usage: platformctl agents/ },
])("without a command ($words) the help is the error", async ({ words, says }) => {
  const { status, stdout, stderr } = await cli(words);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(says);
});

test.each([
  { words: ["agnets", "list"], says: "unknown command 'agnets' (Did you mean agents?)" },
  { words: ["agents", "lst"], says: "unknown command 'lst' (Did you mean list?)" },
  { words: ["xyzzy"], says: "unknown command 'xyzzy'" },
  {
    words: ["agents", "list", "--stat", "x"],
    says: "unknown option '--stat' (Did you mean --status?)",
  },
])("$words is told what it may have meant", async ({ words, says }) => {
  const stderr = `platformctl: ${says}\n`;
  expect(await cli(words)).toEqual({ status: 2, stdout: "", stderr });
});

describe("the manual", () => {
  const manual = read("platformctl.md");
  const headings = manual.split("\n").filter((line) => line.startsWith("### "));
  const shown = commandTable.filter((spec) => !spec.hidden);
  /** In one of its spellings. */
  const inManual = (flags: string) =>
    (flags.match(/-?-\w[\w-]*/g) ?? []).some((flag) => manual.includes(`\`${flag}`));

  test.each(shown)("has $name with its options", ({ name, options = [] }: CommandSpec) => {
    const [first = "", leaf] = name.split(" ");
    const words = (heading: string) => heading.split(/[ ,#]+/);
    const has = headings.map(words).some((heading) => {
      return heading.includes(first) && (leaf === undefined || heading.includes(leaf));
    });
    expect(has, "a heading").toBe(true);
    expect(options.filter(({ flags }) => !inManual(flags))).toEqual([]);
  });

  test("has the options of all commands, and every exit status", () => {
    expect([...output, ...target].filter((flags) => !inManual(flags))).toEqual([]);
    const rows = Object.values(exit).map((status) => `\n| ${status} | `);
    expect(rows.filter((row) => !manual.includes(row))).toEqual([]);
  });
});

/** A file in the project's root. */
function read(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
