// The man pages are complete, and groff and man read them without warnings.

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { reference } from "../../../src/agent/sidecar/index.ts";
import { allCommands, commandLine } from "../../../src/cli/commands/index.ts";
import { exit } from "../../../src/cli/exit.ts";
import { manPages } from "../../../src/cli/install/man/index.ts";
import { exitStatuses } from "../../../src/cli/install/man/program-page.ts";
import { heading, paragraph, terms, text, verbatim } from "../../../src/cli/install/man/roff.ts";
import { optionsOf } from "../../../src/cli/options.ts";

const commandTable = await allCommands();
const about = {
  version: "1.2.3",
  buildTime: "2026-11-21T08:00:00.000Z",
  table: await commandLine(),
};
const pages = await manPages(about);
const shown = commandTable.filter(({ hidden }) => !hidden);
const hasGroff = spawnSync("groff", ["--version"]).status === 0;
const groffWords = ["-ww", "-man", "-Tutf8", "-P-cbou"];

test("every command is in a man page with all its arguments and options", () => {
  for (const { name, args = [], ...spec } of shown) {
    const word = name.split(" ")[0];
    const page = pages.find((one) =>
      [`platform-${word}`, `platformctl-${word}`].includes(one.name),
    );
    const lines = (page?.text ?? "").split("\n");
    const synopses = lines.filter((line) => line.startsWith("\\fB"));
    expect(
      synopses.filter((line) => line.includes(text(` ${name}`))),
      name,
    ).not.toEqual([]);
    const options = optionsOf({ name, args, ...spec });
    const flags = options.flatMap((one) => one.flags.match(/(?<=^|[ ,])-[-\w]+/g) ?? []);
    const lacking = flags.filter((flag) => !page?.text.includes(`\\fB${text(flag)}\\fR`));
    expect(lacking, name).toEqual([]);
    for (const { summary } of [...(spec.options ?? []), ...args]) {
      expect(page?.text, name).toContain(text(summary.slice(1)));
    }
  }
});

test("no page mentions a hidden command", () => {
  const hidden = commandTable.filter((spec) => spec.hidden).map(({ name }) => text(name));
  expect(hidden.length).toBeGreaterThan(0);
  const found = hidden.filter((name) => pages.some((page) => page.text.includes(name)));
  expect(found).toEqual([]);
});

test("the pages of both programs name every page and start with the program's own commands", () => {
  const [platform, platformctl, ...others] = pages;
  const nouns = others.filter(({ chapter }) => chapter === 1);
  for (const { name } of nouns) {
    for (const program of [platform, platformctl]) {
      expect(program?.text).toContain(`\\fB${text(name)}\\fR(1)\n`);
    }
  }
  const files = others.filter(({ chapter }) => chapter === 5).map(({ name }) => name);
  expect(files).toEqual(["agent.yaml"]);
  const agent = nouns.find(({ name }) => name === "platform-agent");
  for (const program of [platform, platformctl, agent]) {
    expect(program?.text).toContain("\\fBagent.yaml\\fR(5)");
  }
  const firstOf = (program: typeof platform) =>
    /\.SH "COMMANDS"\n\.TP\n\\fB(.*)\\fR/.exec(program?.text ?? "")?.[1];
  expect(firstOf(platform)).toBe("platform\\-serve");
  expect(firstOf(platformctl)).toBe("platformctl\\-login");
});

test("exactly the existing exit statuses are explained", () => {
  expect(Object.keys(exitStatuses).map(Number)).toEqual(Object.values(exit));
});

test.skipIf(!hasGroff)("groff prints no warning", () => {
  // One run reads all pages, because starting groff takes longer than reading them.
  const input = pages.map((page) => page.text).join("");
  const options = { input, encoding: "utf8" } as const;
  const { status, stderr, stdout } = spawnSync("groff", groffWords, options);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("--state-dir folder\n");
});

test.skipIf(!hasGroff)("groff shows any text as it was written", () => {
  const nasty = [".SH no", "'br", "\\fBno\\fR", "a-b --c", "~ ^ ` ' \"", "naïve … ✔ \\(rs", "a.b"];
  const page = [
    heading("x", about),
    ...nasty.map((line) => paragraph(text(line))),
    verbatim(nasty),
    terms([[text(".TP"), text("'so /etc/passwd")]]),
  ].join("");
  const options = { input: page, encoding: "utf8" } as const;
  const { stdout, stderr } = spawnSync("groff", groffWords, options);
  expect(stderr).toBe("");
  const read = stdout.split("\n").map((line) => line.trim());
  for (const line of nasty) expect(read.filter((found) => found === line)).toHaveLength(2);
  expect(stdout).toContain("'so /etc/passwd");
});

test("agent.yaml(5) has every field, in the words of `agent explain`", () => {
  const page = pages.find(({ name }) => name === "agent.yaml");
  expect(page?.text).toMatch(/^\.TH "AGENT\.YAML" "5"/);
  for (const { field, meaning } of reference()) {
    expect(page?.text).toContain(`\\fB${text(field)}\\fR\n`);
    expect(page?.text).toContain(text(meaning));
  }
});

test("the pages of a build without a build time have no date", async () => {
  const [page] = await manPages({ ...about, version: "1.2.3-dev", buildTime: undefined });
  expect(page?.text).toMatch(
    /^\.TH "PLATFORM" "1" "" "platform 1\.2\.3\\-dev" "platform manual"\n/,
  );
});
