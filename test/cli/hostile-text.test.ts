// Tests that text from agents cannot control a terminal in any output format, and that JSON and
// YAML still parse to the same data.

import { expect, test } from "vitest";
import { parse } from "yaml";
import { printableLine, printableText } from "../../src/cli/output/printable.ts";
import type { Io } from "../../src/cli/terminal/io.ts";
import { perFile } from "../helpers/lifetime.ts";
import { openWorld, type World } from "./world.ts";

/** Texts by their effect on a terminal. */
const hostile = {
  title: "\u001b]0;owned\u0007",
  clipboard: "\u009d52;c;bWFs\u009c",
  repaint: "\u009b2J\u009b1;1H",
  turned: "\u202egpj.exe\u202c",
  isolate: "\u2066x\u2069",
  marks: "\u200e\u200f\u061c",
  hidden: "a\u200bb\u2060c\ufeff",
  lines: "one\u2028two\u2029three",
  back: "safe\rlook",
  bells: "\u0000\u0007\u0008\u007f\u0085",
  tags: "\u{e0041}\u{e0042}",
  soft: "so\u00adft",
};
const text = Object.values(hostile).join("|");

/** Does not use the program's own rule, which could be wrong. */
const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\u{e0041}/u;

async function openHostile(): Promise<World> {
  const world = await openWorld({
    executed: { success: true, output: { text, [text.slice(0, 40)]: [text] } },
  });
  const { token } = await world.as("owner").call("registration-tokens.create", {
    body: { name: text },
  });
  const agent = await world.asPrincipal({ kind: "anonymous" }).call("agent.register", {
    body: {
      registrationToken: token,
      agent: { code: "evil", name: text.slice(0, 150), mode: "sidecar", labels: { site: text } },
      services: [
        {
          ...{ code: "evil-svc", name: text, version: "1\u009b2J" },
          health: { status: "DOWN", message: text, details: { text } },
          configs: [{ key: "level", type: "string", valuePreview: text }],
          actions: [{ name: "go", label: text, description: text }],
        },
      ],
    },
  });
  expect(agent.agentId).toMatch(/^agt_/);
  await world.run("--server", [
    ...["events", "publish", "--type", "a.b", "--source", "evil-svc"],
    ...["--subject", text, "--data", JSON.stringify({ text })],
  ]);
  await world.execute("log-collector", "set-level");
  const commandId = await world.execute("sleeper", "snore");
  const { client } = world.sleeping;
  await client.call("agent.poll", { query: { wait: 0 } });
  const error = { code: hostile.repaint, message: hostile.repaint };
  await client.call("agent.result", { params: { commandId }, body: { success: false, error } });
  await world.run("--server", ["tokens", "create", "--name", text]);
  return world;
}

const shared = perFile(openHostile);

/** Printed in every format. All objects and lists share the code of the formats for programs. */
const inEveryForm: string[][] = [
  ["agents", "list"],
  ["agents", "get", "evil"],
];
const forms = ["table", "wide", "json", "jsonl", "yaml", "name"];

/** Printed as wide tables, which have parts of their own, and all columns. */
const asTables: string[][] = [
  ["services", "list"],
  ["services", "get", "evil-svc"],
  ["services", "actions", "evil-svc"],
  ["actions", "run", "log-collector", "set-level", "--payload", "{}"],
  ["commands", "list"],
  ["tokens", "list"],
  ["events", "list"],
  ["audit", "list", "--limit", "200"],
];

const others: string[][] = [
  ["watch", "--once"],
  ["watch", "--once", "-o", "json"],
  ["tokens", "list", "-o", "name"],
  ["api", "GET", "agents"],
  ["api", "GET", "agents", "--raw"],
  ["api", "GET", "agents", "-i"],
  ["api", "GET", "audit-events/export?format=json"],
  ["api", "GET", "audit-events/export?format=jsonl"],
  ["audit", "export", "--format", "json"],
  ["audit", "export", "--format", "jsonl"],
];
/** A serial console, for example, does not know its width. */
const terminals: Partial<Io>[] = [{ width: 80 }, { isTerminal: true }];
const onTerminal: string[][] = [
  ["agents", "list", "-o", "csv"],
  ["audit", "export", "--format", "csv"],
  ["api", "GET", "audit-events/export?format=csv"],
  ["metrics", "--prometheus"],
];

test("no output format, call by path or export controls a terminal", async () => {
  const world = shared();
  const printed = [
    ...inEveryForm.flatMap((words) => forms.map((form) => [...words, "-o", form])),
    ...asTables.map((words) => [...words, "-o", "wide"]),
    ...others,
  ];
  for (const words of printed) await expectsHarmless(world, words);
  for (const words of others) await expectsHarmless(world, words, { isTerminal: true });
  for (const words of onTerminal) {
    for (const io of terminals) await expectsHarmless(world, words, io);
  }
});

test("CSV for a file or a program is unchanged", async () => {
  const world = shared();
  const { stdout } = await world.run("--server", ["audit", "export", "--format", "csv"]);
  expect(Buffer.from(stdout, "latin1").toString("utf8")).toContain(hostile.repaint);
});

test("JSON and YAML parse to the API's data", async () => {
  const world = shared();
  const { data } = await world.as("owner").page("agents.list", { query: { sort: "code" } });
  const read = async (...words: string[]) => (await world.run("--server", words)).stdout;
  expect(JSON.parse(await read("agents", "list", "-o", "json"))).toEqual(data);
  expect(parse(await read("agents", "list", "-o", "yaml"))).toEqual(data);
  const lines = (await read("agents", "list", "-o", "jsonl")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(data);
  for (const raw of [[], ["--raw"]]) {
    expect(JSON.parse(await read("api", "GET", "agents?sort=code", ...raw)).data).toEqual(data);
  }
  expect(data.some(({ labels }) => labels.site === text)).toBe(true);
});

test("errors escape what they quote, for people and for programs", async () => {
  const world = shared();
  for (const form of ["table", "json"]) {
    const name = text.replaceAll("\u0000", "");
    const { status, stderr } = await world.run("--server", ["agents", "get", name, "-o", form]);
    expect(status).toBe(3);
    expect(stderr).not.toMatch(controlCharacters);
  }
});

test.each([
  ["\u200b", "\\u200b"],
  ["\u061c\u200e", "\\u061c\\u200e"],
  ["a\u2028b", "a\\u2028b"],
  ["\u{e0041}", "\\udb40\\udc41"],
  ["\ud800", "\\ud800"],
  ["a\r\n", "a\\r\n"],
  // Ordinary text is shown unchanged.
  ["naïve 日本語 עברית العربية 🙂", "naïve 日本語 עברית العربية 🙂"],
  ["👩‍💻 👨‍👩‍👧 🏳️‍🌈 👩🏽‍🚀", "👩‍💻 👨‍👩‍👧 🏳️‍🌈 👩🏽‍🚀"],
  ["a\u200db", "a\\u200db"],
  ["👩\u200d", "👩\\u200d"],
])("%j is shown as %j", (given, shown) => {
  expect(printableText(given)).toBe(shown);
  expect(printableLine(given)).toBe(shown.replace("\n", "\\n"));
});

async function expectsHarmless(world: World, words: string[], io: Partial<Io> = {}) {
  // The output is the same with --db and over HTTP.
  const { status, stdout, stderr } = await world.run("--server", words, { io });
  const printed = Buffer.from(stdout, "latin1").toString("utf8");
  expect(status, `${words.join(" ")}: ${stderr}`).toBe(0);
  expect(controlCharacters.exec(stdout + printed + stderr), words.join(" ")).toBeNull();
}
