// `-o csv` prints what the server's export of the same list contains.

import { describe, expect } from "vitest";
import { exportNameOf } from "../../../src/api/contract/export-names.ts";
import { allCommands } from "../../../src/cli/commands/index.ts";
import { optionsOf } from "../../../src/cli/options.ts";
import { routeFacts } from "../../../src/domain/route-facts.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld, test, type World } from "../world.ts";

const commandTable = await allCommands();
const shared = perFile(async () => {
  const world = await openWorld();
  for (const code of ["edge-8", "edge-9"]) await world.registerAgent(code);
  return world;
});

async function exported(world: World, list: string, query: object = {}): Promise<string> {
  const name = exportNameOf(list) as "agents.export";
  const { chunks } = await world.as("owner").download(name, { query });
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk);
  return text;
}

const listing = commandTable.filter(({ csv }) => csv !== undefined);

test("each list with pages has a command that prints it as CSV", () => {
  const lists = listing.map(({ csv }) => csv as string);
  const known = Object.keys(routeFacts).filter((name) => routeFacts[name]?.columns);
  expect(lists.toSorted()).toEqual(known.toSorted());
});

describe("a list as CSV", () => {
  test.for([
    ["agents list --limit 200 --sort code", "--db", "agents.list", { sort: "code" }],
    ["tokens list --all --status USED", "--server", "registration-tokens.list", { status: "USED" }],
    ["agents list --all --search nothing", "--server", "agents.list", { q: "nothing" }],
  ] as const)("%s %s prints the export", async ([words, way, list, query]) => {
    const ran = await shared().run(way, [...words.split(" "), "-o", "csv"]);
    expect(ran).toEqual({
      status: 0,
      stdout: await exported(shared(), list, query),
      stderr: "",
    });
  });

  test("a page has the header and the rows of the page", async () => {
    const words = ["agents", "list", "--limit", "1", "--page", "2", "-o", "csv"];
    const { stdout } = await shared().run("--server", words);
    const all = await exported(shared(), "agents.list", { sort: "code" });
    const [head, first, second] = all.split("\r\n");
    expect(first).not.toBe(second);
    expect(stdout).toBe(`${head}\r\n${second}\r\n`);
    const { stdout: rows } = await shared().run("--server", [...words, "--no-headers"]);
    expect(rows).toBe(`${second}\r\n`);
  });

  test("all pages have one header", async ({ world }) => {
    const owner = world.as("owner");
    const create = () => owner.call("registration-tokens.create", { body: { name: "=1+1" } });
    await Promise.all(Array.from({ length: 201 }, create));
    const { stdout } = await world.run("--server", ["tokens", "list", "--all", "-o", "csv"]);
    expect(stdout).toBe(await exported(world, "registration-tokens.list"));
    expect(stdout.split("'=1+1")).toHaveLength(202);
  });
});

test.for([
  ["agents get edge-8 -o csv", /Allowed choices are table, wide, json, jsonl, yaml, name/],
  ["agents list -o csv --columns id", /--columns is for tables, and a CSV has all columns/],
  ["events list --tail -o csv", /--tail prints no CSV: use -o jsonl/],
] as const)("%s is refused", async ([words, says]) => {
  expect(await shared().run("--server", words.split(" "))).toMatchObject(failing(2, says));
});

test("the help of a list offers csv, and that of other commands does not", () => {
  for (const spec of commandTable.filter(({ output }) => output)) {
    const format = optionsOf(spec).find(({ flags }) => flags.startsWith("-o,"));
    expect(format?.choices?.includes("csv"), spec.name).toBe(spec.csv !== undefined);
  }
});

test("only a terminal gets control characters escaped", async ({ world }) => {
  const body = { name: "red \u001b[31m, cut\u009b" };
  await world.as("owner").call("registration-tokens.create", { body });
  const words = ["tokens", "list", "--limit", "1", "-o", "csv"];
  const { stdout: piped } = await world.run("--server", words);
  expect(piped).toContain(`"${body.name}"`);
  // A serial console does not know its width.
  for (const io of [{ width: 80 }, { isTerminal: true }]) {
    const { stdout: shown } = await world.run("--server", words, { io });
    expect(shown).toContain('"red \\u001b[31m, cut\\u009b"');
    for (const raw of ["\u001b", "\u009b", "\r"]) expect(shown).not.toContain(raw);
  }
});
