// Structured results on the command line: tables, facts and the commands of the offered actions.

import { describe, expect, test } from "vitest";
import { resultSection } from "../../../src/cli/output/structured-result.ts";
import { loadYaml } from "../../../src/cli/output/yaml.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import type { Json } from "../../../src/domain/payload/json.ts";
import { size } from "../../helpers/size.ts";
import { openWorld } from "../world.ts";

const now = Date.parse("2026-01-02T03:04:05.000Z");

async function printed(value: unknown, width?: number): Promise<string> {
  await loadYaml();
  const io = { width, colour: false, now: () => now } as Io;
  return resultSection(io, "output", value as Json, "pool");
}

const rows = [
  {
    ...{ id: "a 1", size: 2048, took: 1500, busy: true, state: "UP", token: "[REDACTED]" },
    ...{ seen: "2026-01-02T03:02:05Z", at: now, url: "https://example.com/", n: 7 },
  },
  { id: "b", took: 61_000, size: -5, deep: { x: [1] } },
];
const columns = [
  { key: "id", label: "Account" },
  { key: "size", type: "bytes" },
  { key: "took", type: "duration" },
  { key: "busy", type: "boolean" },
  { key: "state", type: "status" },
  { key: "token", type: "code" },
  { key: "seen", type: "relativeTime" },
  { key: "at", type: "time" },
  { key: "deep" },
];

test("a list is a table, followed by the commands of its actions", async () => {
  const list = {
    title: "Accounts",
    columns,
    rows,
    rowActions: [
      {
        action: "remove",
        label: "Remove",
        payload: { id: "$row.id", n: "$row.n", t: "$row.token" },
      },
    ],
    pageActions: [{ action: "more", payload: { page: 2 } }],
    ...{ page: 1, pageSize: 2, total: 9 },
  };
  expect(await printed({ note: "two", list })).toMatchInlineSnapshot(`
    "
    output
      note  two

    Accounts (rows 1 to 2 of 9)
      ACCOUNT  SIZE     TOOK  BUSY  STATE  TOKEN     SEEN    AT                        DEEP
      a 1      2.0 KiB  1.5s  yes   UP     (hidden)  2m ago  2026-01-02T03:04:05.000Z  -
      b        -5 B     1m1s  -     -      -         -       -                         {"x":[1]}

    actions on a row, for example on the first one
      Remove  platformctl actions run pool remove --set 'id=a 1' --set n=7

    actions on the list
      more  platformctl actions run pool more --set page=2
    "
  `);
});

test("a detail is a list of facts", async () => {
  const detail = {
    data: { id: "b", owner: { name: "ana" } },
    fields: [{ key: "owner.name", label: "Owner" }, { key: "none" }],
    actions: [{ action: "remove", label: "Remove", payload: { id: "$row.id" } }],
  };
  expect(await printed({ detail })).toMatchInlineSnapshot(`
    "
    detail
      Owner  ana
      none   -

    actions
      Remove  platformctl actions run pool remove --set id=b
    "
  `);
});

describe("a list", () => {
  test.each<[what: string, list: object, says: string]>([
    ["without rows", { rows: [], title: "Accounts" }, "\nAccounts\n  no rows\n"],
    ["with a text for no rows", { rows: [], emptyText: "none left" }, "\nlist\n  none left\n"],
    ["of one row", { rows: [{ a: 1 }] }, "\nlist (1 row)\n  A\n  1\n"],
    [
      "of too many rows",
      { rows: Array(201).fill({ a: 1 }) },
      "  1\n  1 more row: -o json shows everything\n",
    ],
    [
      "of too many columns",
      { rows: [Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`c${n}`, n]))] },
      "10 more columns: -o json shows everything\n",
    ],
  ])("%s", async (_what, list, says) => {
    expect(await printed({ list })).toContain(says);
  });
});

test("a value that a command cannot contain is left to the prompt", async () => {
  const row = {
    ...{
      ok: "it's",
      lines: "a\nb",
      hasControlCharacters: "\u001b[2J",
      long: "x".repeat(300),
      deep: { a: "$(x)" },
    },
  };
  const payload = Object.fromEntries(Object.keys(row).map((key) => [key, `$row.${key}`]));
  const list = {
    columns: [{ key: "ok" }],
    rows: [row],
    rowActions: [{ action: "go", payload: { ...payload, "a.b": 1, "c=d": 1 } }],
  };
  expect(await printed({ list })).toContain(
    `  go  platformctl actions run pool go --set 'ok=it'\\''s' --set 'deep={"a":"$(x)"}'\n`,
  );
});

test("a hostile result controls no terminal, however large it is", async () => {
  const evil = "\u001b]0;owned\u0007\u202e\n\r\t";
  const list = {
    title: evil,
    columns: [
      { key: "a", label: evil },
      ...Array.from({ length: size(3, 1000) }, (_, n) => ({ key: `c${n}`, label: evil })),
    ],
    rows: [{ a: evil }, ...Array(size(3, 200_000)).fill({ a: "x".repeat(40) })],
    rowActions: [{ action: "go", label: evil, payload: { a: "$row.a", b: evil } }],
    emptyText: evil,
  };
  const detail = { title: evil, data: { [evil]: evil }, actions: [{ action: "go", label: evil }] };
  for (const width of [undefined, 10]) {
    const text = await printed({ list, detail, [evil]: evil }, width);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
    expect(/[\u0000-\u0008\u000b-\u001f\u202e]/.test(text)).toBe(false);
  }
});

test("actions run prints a table, and its command works as printed", async () => {
  const list = {
    rows: [{ level: "debug" }],
    rowActions: [{ action: "set-level", label: "Use", payload: { level: "$row.level" } }],
  };
  const world = await openWorld({ executed: { success: true, output: { list } } });
  const words = ["actions", "run", "log-collector", "set-level", "--payload", "{}"];
  const { stdout } = await world.run("--server", words);
  expect(stdout).toContain("list (1 row)\n  LEVEL\n  debug\n");
  const [, command = ""] = /platformctl (actions run .*)/.exec(stdout) ?? [];
  const ran = await world.run("--server", [...command.split(" "), "-o", "json"]);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    payload: { level: "debug" },
    prepareCommandId: expect.stringMatching(/^cmd_/),
    result: { output: { list } },
  });
});

test("hidden actions are listed only on request, and run by their name", async () => {
  const world = await openWorld();
  await world.registerAgent("edge-3", [
    {
      ...{ code: "pool", name: "Pool", version: "1" },
      actions: [
        { name: "plain" },
        { name: "first", category: "data", order: 1 },
        { name: "remove", category: "row-action" },
      ],
    },
  ]);
  const names = async (...words: string[]) =>
    (await world.run("--server", [...words, "pool", "-o", "name"])).stdout.split("\n");
  expect(await names("actions", "list")).toEqual(["first", "plain", ""]);
  expect(await names("actions", "list", "--hidden")).toEqual(["first", "remove", "plain", ""]);
  expect(await names("services", "actions", "--hidden")).toHaveLength(4);
  const run = ["actions", "run", "pool", "remove", "--payload", "{}", "--detach"];
  expect((await world.run("--server", run)).status).toBe(0);
  const unknown = await world.run("--server", ["actions", "run", "pool", "nothing"]);
  expect(unknown.stderr).toContain("its actions are: first, plain.");
});
