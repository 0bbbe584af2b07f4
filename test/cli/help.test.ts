// Tests the help, the suggestions for typos, and that the manual agrees with the help.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { slugOf } from "../../scripts/prose/markdown.ts";
import { allCommands, groupSummaries } from "../../src/cli/commands/index.ts";
import { exit } from "../../src/cli/exit.ts";
import { cli, failing } from "./world.ts";

const commandTable = await allCommands();
const output = ["-o, --output <format>", "--no-headers", "--columns <names>"];
const destination = [
  "--server <url>",
  "--db <database>",
  "--context <name>",
  "--ca-file <file>",
  "--debug",
];

test.each(commandTable)("help $name names every argument and option", async (spec) => {
  const { status, stdout, stderr } = await cli(["help", ...spec.name.split(" ")]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n").filter(({ length }) => length > 80)).toEqual([]);
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
  const common = [...(spec.output ? output : []), ...(spec.destination ? destination : [])];
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

test("--help lists every group and command once, and the program's own commands first", async () => {
  const { stdout: operators } = await cli(["--help"]);
  const { stdout: servers } = await cli(["--help"], { io: { program: "platform" } });
  for (const { name, hidden } of commandTable) {
    const listed = operators.split(`\n  ${name.split(" ")[0]} `).length - 1;
    expect([name, listed]).toEqual([name, hidden ? 0 : 1]);
  }
  expect(operators.indexOf("\n  agents ")).toBeLessThan(operators.indexOf("\n  serve "));
  expect(servers.indexOf("\n  serve ")).toBeLessThan(servers.indexOf("\n  agents "));
  expect(servers.split("\n").filter(({ length }) => length > 80)).toEqual([]);
});

test("help for a word that is not an option or a command never runs a command", async () => {
  const says = "Usage: platformctl agents disable";
  const { status, stdout } = await cli(["help", "agents", "disable", "--", "edge-1", "--yes"]);
  expect([status, stdout.split(" [", 1)[0]]).toEqual([0, says]);
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
  {
    words: ["actions", "run", "restart", "-l", "tier=web"],
    says: "unknown option '-l'; to run an action on many services: platformctl rollouts start ACTION -l SELECTOR",
  },
  {
    words: ["schedules", "create", "nightly", "--selector", "tier=web"],
    says: "unknown option '--selector'; to schedule a rollout: platformctl schedules create -f FILE",
  },
  {
    words: ["schedules", "update", "nightly", "-l", "tier=web"],
    says: "unknown option '-l'; to change a rollout: platformctl schedules update NAME -f FILE",
  },
  {
    words: ["actions", "run", "shop", "set-level", "level=debug"],
    says:
      "too many arguments for 'run'. Expected 2 arguments but got 3: shop, set-level, level=debug. " +
      "(Did you mean --set level=debug?)",
  },
  { words: ["hosts"], says: "unknown command 'hosts' (Did you mean agents?)" },
  { words: ["status"], says: "unknown command 'status' (Did you mean attention list?)" },
  { words: ["agents", "disable", "edge-1", "--reason", "x"], says: "unknown option '--reason'" },
  { words: ["agent", "list"], says: "unknown command 'list' (Did you mean agents list?)" },
  { words: ["help", "agnets"], says: "unknown command 'agnets' (Did you mean agents?)" },
  { words: ["agnets", "--help"], says: "unknown command 'agnets' (Did you mean agents?)" },
  {
    words: ["help", "rollouts", "strat"],
    says: "unknown command 'strat' (Did you mean start?)",
  },
  {
    words: ["rollouts", "strat", "--help"],
    says: "unknown command 'strat' (Did you mean start?)",
  },
  {
    words: ["agents", "list", "-l", "tier", "=", "web"],
    says:
      "too many arguments for 'list'. Expected 0 arguments but got 2: =, web. " +
      "(Did you mean -l 'tier=web'?)",
  },
  { words: ["agents", "list", "--json"], says: "unknown option '--json': use -o json" },
  { words: ["serve", "--json"], says: "unknown option '--json'" },
])("the error of $words suggests a known name, if one is similar", async ({ words, says }) => {
  const stderr = `platformctl: ${says}\n`;
  expect(await cli(words)).toEqual({ status: 2, stdout: "", stderr });
});

describe("the manual", () => {
  const manual = read("platformctl.md");
  const pages = readdirSync(new URL("../../docs/reference/commands", import.meta.url)).sort();
  const shown = commandTable.filter((spec) => !spec.hidden);

  test("has each command on one page, in the generated summary and usage", () => {
    const texts = pages.map((name) => read(`docs/reference/commands/${name}`));
    const described = (part: "summary" | "usage") =>
      texts.flatMap((text) => {
        const [, words = ""] =
          new RegExp(`^<!-- generated: ${part} (.*) -->$`, "m").exec(text) ?? [];
        return words.split(" ");
      });
    const words = [...new Set(shown.map(({ name }) => name.split(" ")[0]))].sort();
    expect(described("summary").sort()).toEqual(words);
    expect(described("usage").sort()).toEqual(words);
    for (const { name } of shown) {
      expect(texts.filter((text) => text.includes(`| [\`${name}\`](#`))).toHaveLength(1);
    }
  });

  const index = /^## All commands\n(.*?)^## /ms.exec(manual)?.[1] ?? "";

  test("has the commands in the groups of the help", async () => {
    const { stdout } = await cli(["help"]);
    const headings = [...stdout.matchAll(/^(?!Options)(.+):\n((?: {2}.*\n)+)/gm)].map(
      ([, heading, lines = ""]) => {
        const words = [...lines.matchAll(/^ {2}(\S+)/gm)].map(([, word]) => word);
        return [heading, words.filter((word) => word !== "help").sort()];
      },
    );
    const rows = [...index.matchAll(/^\| (.+?) \| (\[.*) \|$/gm)].map(([, heading, links = ""]) => {
      const words = [...links.matchAll(/\[([^\]]+)\]/g)].flatMap(([, text = ""]) =>
        text.split(", "),
      );
      return [heading, words.sort()];
    });
    expect(rows).toEqual(headings);
  });

  test("links to each page of commands once in its index", () => {
    const linked = [...index.matchAll(/\]\(docs\/reference\/commands\/([\w-]+\.md)\)/g)];
    expect(linked.map(([, name]) => name).sort()).toEqual(pages);
  });

  test("has at most 600 lines", () => {
    expect(manual.split("\n").length).toBeLessThanOrEqual(600);
  });

  test("has the options of all commands, and every exit status", () => {
    const all = [...output, ...destination].map((flags) => /--[\w-]+/.exec(flags)?.[0] ?? flags);
    const lists = ["--limit", "--page", "--all", "--sort"];
    const lacking = [...all, ...lists].filter((flag) => !manual.includes(`\`${flag}`));
    expect(lacking).toEqual([]);
    const statuses = Object.values(exit).map((status) => `\n| ${status} | `);
    expect(statuses.filter((status) => !manual.includes(status))).toEqual([]);
  });

  test("links to all its chapters in its contents", () => {
    const headings = manual.match(/^## .*$/gm) ?? [];
    const anchors = headings.map((heading) => slugOf(heading.replace("## ", "")));
    const links = [...manual.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(anchors.filter((anchor) => !links.includes(anchor))).toEqual([]);
  });
});

function read(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
}

function oneLine(text: string): string {
  return text.replace(/( \\)?\s+/g, " ");
}
