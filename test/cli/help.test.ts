// Tests the help, the suggestions for typos, and that the manual agrees with the help.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allCommands, groupSummaries } from "../../src/cli/commands/index.ts";
import { exit } from "../../src/cli/exit.ts";
import { cli, failing } from "./world.ts";

const commandTable = await allCommands();
const output = ["-o, --output <format>", "--no-headers", "--columns <names>"];
const target = [
  "--server <url>",
  "--db <database>",
  "--context <name>",
  "--ca-file <file>",
  "--debug",
];

test.each(commandTable)("$name --help names every argument and option", async (spec) => {
  const { status, stdout, stderr } = await cli([...spec.name.split(" "), "--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const text = oneLine(stdout);
  expect(text).toContain(`Usage: platformctl ${spec.name}`);
  expect(text).toContain(spec.summary);
  for (const { name, summary } of spec.args ?? []) {
    expect(text).toContain(`${name.replace(/[^\w-]/g, "")} ${summary}`);
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

test("--help lists every group and command, and the program's own commands first", async () => {
  const { stdout: operators } = await cli(["--help"]);
  const { stdout: servers } = await cli(["--help"], { io: { program: "platform" } });
  for (const { name, hidden } of commandTable) {
    const listed = operators.includes(`\n  ${name.split(" ")[0]} `);
    expect([name, listed]).toEqual([name, !hidden]);
  }
  expect(operators.indexOf("\n  agents ")).toBeLessThan(operators.indexOf("\n  serve "));
  expect(servers.indexOf("\n  serve ")).toBeLessThan(servers.indexOf("\n  agents "));
});

test("--version prints the version that was built in, or the sources' version", async () => {
  const { version } = JSON.parse(read("package.json"));
  expect(await cli(["--version"])).toMatchObject({ status: 0, stdout: `${version}-dev\n` });
  const env = { VERSION: "1.2.3" };
  expect(await cli(["-V"], { env })).toMatchObject({ status: 0, stdout: "1.2.3\n" });
});

test.each([
  { words: [], says: /Usage: platformctl \[options\] \[command\]/ },
  { words: ["agents"], says: /Usage: platformctl agents/ },
])("without a command ($words), the help is printed as an error", async ({ words, says }) => {
  expect(await cli(words)).toMatchObject(failing(2, says));
});

test.each([
  { words: ["agnets", "list"], says: "unknown command 'agnets' (Did you mean agents?)" },
  { words: ["xyzzy"], says: "unknown command 'xyzzy'; platformctl --help lists all commands" },
  { words: ["get", "agents"], says: "unknown command 'get' (Did you mean agents get?)" },
  {
    words: ["views", "xyzzy"],
    says: "unknown command 'xyzzy'; platformctl views has create, delete, get, list, update",
  },
  { words: ["agents", "disable", "edge-1", "--reason", "x"], says: "unknown option '--reason'" },
  { words: ["agent", "list"], says: "unknown command 'list' (Did you mean agents list?)" },
])("the error of $words suggests a known name, if one is similar", async ({ words, says }) => {
  const stderr = `platformctl: ${says}\n`;
  expect(await cli(words)).toEqual({ status: 2, stdout: "", stderr });
});

describe("the manual", () => {
  const manual = read("platformctl.md");
  const shown = commandTable.filter((spec) => !spec.hidden);
  const rows = commandRows(manual);
  /** The chapters that apply to all commands. */
  const common = manual.slice(0, manual.indexOf("\n### "));

  test.each(shown)("has $name with its options and no others", ({ name, options }) => {
    const row = rows.get(name) ?? "";
    expect(row, "a row in the table of its section").not.toBe("");
    const also = /those of `(\w+)`/.exec(row)?.[1];
    const filters = row.includes("the filters") ? tableOf(sectionOf(manual, row), "Filter") : "";
    const named = flagsIn([row, rows.get(also ?? ""), filters].join("\n"));
    const own = (options ?? []).map(({ flags }) => longOf(flags));
    expect(own.filter((flag) => !named.has(flag) && !pages.includes(flag))).toEqual([]);
    expect([...named].filter((flag) => !own.includes(flag))).toEqual([]);
  });

  test.each(shown)("explains the short options of $name", ({ name, options = [] }) => {
    const section = sectionOf(manual, rows.get(name) ?? "");
    const explained = (short: string) => (section + common).includes(`\`${short}`);
    const shorts = options.flatMap(({ flags }) => flags.match(/^-\w(?=,)/) ?? []);
    expect(shorts.filter((short) => !explained(short))).toEqual([]);
  });

  test("has the options of all commands, and every exit status", () => {
    const all = [...[...output, ...target].map(longOf), ...pages];
    expect(all.filter((flag) => !flagsIn(common).has(flag))).toEqual([]);
    const statuses = Object.values(exit).map((status) => `\n| ${status} | `);
    expect(statuses.filter((status) => !manual.includes(status))).toEqual([]);
  });

  test("links to all its headings, which are unique", () => {
    const headings = manual.match(/^##+ .*$/gm) ?? [];
    const anchors = headings.map((heading) =>
      heading
        .replace(/^#+ /, "")
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    );
    expect(anchors).toEqual([...new Set(anchors)]);
    const links = [...manual.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !anchors.includes(anchor ?? ""))).toEqual([]);
    expect(anchors.filter((anchor) => !links.includes(anchor))).toEqual([]);
  });

  test("has all commands in the order of the help, with the server's own commands last", () => {
    const operators = shown.filter(({ server }) => !server);
    const servers = shown.filter(({ server }) => server);
    const names = [...operators, ...servers].map(({ name }) => name);
    expect([...rows.keys()]).toEqual(names);
  });
});

/** The options that every list has. */
const pages = ["--limit", "--page", "--all", "--sort"];

/** Returns the rows of commands by name, in the manual's order. */
function commandRows(manual: string): Map<string, string> {
  const tables = manual.split("\n\n").filter((block) => block.startsWith("| Command |"));
  const rows = tables.flatMap((table) => table.split("\n").slice(2));
  return new Map(rows.map((row) => [/^\| `([a-z-]+(?: [a-z-]+)?)/.exec(row)?.[1] ?? row, row]));
}

function sectionOf(manual: string, text: string): string {
  const at = manual.indexOf(text);
  const end = manual.indexOf("\n##", at);
  return manual.slice(manual.lastIndexOf("\n##", at), end < 0 ? undefined : end);
}

/** Returns the table whose heading begins with this word. */
function tableOf(section: string, head: string): string {
  return section.slice(section.indexOf(`\n| ${head} |`)).split("\n\n")[0] ?? "";
}

/** Returns `--file` for `-f, --file <file>`. */
function longOf(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** Returns the options that are formatted as code. */
function flagsIn(text: string): Set<string> {
  return new Set([...text.matchAll(/`(--[a-z][\w-]*)/g)].map(([, flag]) => flag ?? ""));
}

function read(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
