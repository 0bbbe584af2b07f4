// Every command that calls the API and prints what it says: over both ways `-o json` is the API's data and
// nothing else. The other forms show the same; they are made of that data wherever it came from, and are
// looked at over one way. (What both ways print as a table is in golden/.) A command that is missing here
// fails the first test.

import { expect, test } from "vitest";
import { parse } from "yaml";
import { busLabel, type RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";
import { commandTable } from "../../src/cli/tree/index.ts";
import { checkAnswer } from "../helpers/contract.ts";
import { cases, downloads, forPeople } from "./cases/index.ts";
import { openWorld, ways } from "./world.ts";

test("every command that calls the API and prints what it says has a case", () => {
  const asked = commandTable.filter((spec) => spec.target && spec.output);
  const names = asked.map((spec) => spec.name);
  expect([...Object.keys(cases), ...downloads, ...forPeople].sort()).toEqual(names.sort());
});

const table = Object.entries(cases).flatMap(([name, one]) =>
  ways.map((way) => ({ name, way, ...one })),
);

test.each(table)("$name $way prints the API's data", async (one) => {
  const opened = await open(one);
  const data = await printsData(one, opened);
  if (one.way !== "--server") return;
  await printsForms(one, opened, data);
  await printsTables(one, opened);
});

type Opened = Awaited<ReturnType<typeof open>>;

/** As JSON; answers it. */
async function printsData(one: (typeof table)[number], { world, run }: Opened): Promise<unknown> {
  const json = await run("-o", "json");
  const data = JSON.parse(json);
  const { paginated, bus, status = 200 }: RouteSpec = routes[one.route];
  const pagination = paginated ? { pagination: { page: 1, pageSize: 20, total: 1 } } : {};
  const said = one.said?.(data) ?? data;
  const experimental = bus ? { experimental: busLabel } : {};
  if (!one.printsPart) {
    const envelope = { success: true, data: said, ...pagination, ...experimental };
    checkAnswer(one.route, status, envelope);
  }
  if (one.same) {
    const same = await one.same(world.as("owner"), data);
    expect(one.part ? data[one.part] : data).toEqual(same);
  }
  return data;
}

/** As JSON lines and YAML, and as names. */
async function printsForms(
  one: (typeof table)[number],
  { run }: Opened,
  data: unknown,
): Promise<void> {
  const lines = (await run("-o", "jsonl")).trimEnd().split("\n").map(parseJson);
  expect(lines.map(shapeOf)).toEqual((Array.isArray(data) ? data : [data]).map(shapeOf));
  expect(shapeOf(parse(await run("-o", "yaml")))).toEqual(shapeOf(data));
  const names = (await run("-o", "name")).trimEnd().split("\n");
  if (!one.showsRows) expect(names).toHaveLength(lines.length);
  for (const name of names) expect(name).toMatch(one.named);
}

/** With the columns that are wanted. */
async function printsTables(one: (typeof table)[number], { run }: Opened): Promise<void> {
  const { paginated }: RouteSpec = routes[one.route];
  const isList = paginated || one.printsPart || one.showsRows;
  const headsOf = (text: string) => {
    const block = text.split("\n\n")[0]?.trimEnd().split("\n") ?? [];
    const heads = isList ? block[0]?.split(/ {2,}/) : block.map((line) => line.split(/ {2,}/)[0]);
    return (heads ?? []).map((head) => head?.toLowerCase());
  };
  const narrow = headsOf(await run());
  expect(narrow).toEqual(expect.arrayContaining(isList ? one.columns : []));
  expect(headsOf(await run("-o", "wide"))).toEqual(expect.arrayContaining(narrow));
  expect(headsOf(await run("--columns", one.columns.join(",")))).toEqual(one.columns);
  const bare = await run("--no-headers", "--columns", one.columns[0]);
  expect(bare.split("\n")[0]).not.toMatch(new RegExp(`\\b${one.columns[0]}\\b`, "i"));
}

/** A world, and one run of the case after the other in it; each must succeed. */
async function open(one: (typeof table)[number]) {
  const world = await openWorld();
  const run = async (...flags: string[]) => {
    const words = [...one.name.split(" "), ...((await one.words?.(world)) ?? [])];
    const { status, stdout, stderr } = await world.run(one.way, [...words, ...flags], {
      stdin: one.stdin ?? "",
    });
    expect(stderr).not.toContain("platformctl:");
    // A command is named before it is waited for, in whichever form it is printed then.
    const said = stderr.replace(/^(\S+ on \S+: cmd_\w{26}|\{"command":.*\})\n/, "");
    if (flags[0] === "-o" && flags[1] !== "wide") expect(said).toBe("");
    expect(status).toBe(0);
    return stdout;
  };
  return { world, run };
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** The keys and the kinds of values, at any depth: what does not differ between two runs. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
