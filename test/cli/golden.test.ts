// Runs every command that prints the API's data. With --db, its JSON must be that data. Over HTTP,
// its tables must match a file in golden/. `npm run golden` writes these files again, and
// `TEST_DATABASE=postgresql npm run golden` those in golden/postgresql.

import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { Noun } from "../../src/api/contract/noun.ts";
import { type NounName, nouns } from "../../src/api/contract/nouns.ts";
import { busLabel, type RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";
import { allCommands } from "../../src/cli/commands/index.ts";
import { sortOf } from "../../src/cli/nouns/sort.ts";
import type { Client } from "../../src/client/client.ts";
import { checkAnswer } from "../helpers/contract.ts";
import { perFile } from "../helpers/lifetime.ts";
import type { Case } from "./cases/case.ts";
import { cases, downloads, forPeople } from "./cases/index.ts";
import { normalized } from "./golden.ts";
import { openWorld, type Way, type World } from "./world.ts";

const commandTable = await allCommands();
const folder = join(import.meta.dirname, "golden");

test("every command that prints the API's data has a case, and a golden file or a command like it", () => {
  const specs = commandTable.filter((spec) => spec.destination && spec.output);
  const names = specs.map((spec) => spec.name);
  expect([...Object.keys(cases), ...downloads, ...forPeople].sort()).toEqual(names.sort());
  const filed = Object.entries(cases).flatMap(([name, { like, byEngine }]) => {
    if (like) return [];
    return byEngine ? [fileOf(name), join("postgresql", fileOf(name))] : fileOf(name);
  });
  const files = readdirSync(folder, { recursive: true }).filter((name) => name !== "postgresql");
  expect(files.sort()).toEqual(filed.sort());
});

const table = Object.entries(cases).map(([name, one]) => ({ name, ...one }));

test.each(table)("`$name` prints the API's data", async (one) => {
  const { world, run } = await open(one);
  const data = JSON.parse((await run("--db", ["-o", "json"])).stdout);
  if (!one.printsPart) checkAnswer(one.route, statusOf(one), envelopeOf(one, data));
  const same = await sameFromApi(one, world.as("owner"), data);
  if (same !== undefined) expect(one.part ? data[one.part] : data).toEqual(same);
  let shown = "";
  const more = [["-o", "wide"], ...(one.measured ? [] : [["-o", "name"]])];
  // A command that prints the same table as another one also prints the same other forms.
  const forms = [[], ...(one.like || one.onlyTable ? [] : more)];
  for (const flags of forms) {
    const { words, stdout } = await run("--server", flags);
    if (one.like) expect(stdout).toBe(await printedBy(one.like, world, words, flags));
    const command = ["> platformctl", one.name, ...flags].join(" ");
    shown += `${command}\n${normalized(withFixedName(stdout, world), one.varies)}`;
  }
  const isApart = one.byEngine && world.place.kind === "postgresql";
  const file = join(folder, isApart ? "postgresql" : "", fileOf(one.name));
  if (!one.like) await expect(shown).toMatchFileSnapshot(file);
});

/** On PostgreSQL, the database of each test has another name. */
function withFixedName(text: string, { place }: World): string {
  return place.kind === "file" ? text : text.replaceAll(basename(place.name), "platform");
}

const unchanged = perFile(() => openWorld({ fixedTime: true }));

/** Opens a world for the runs of a case, each of which must succeed. */
async function open(one: Case & { name: string }) {
  const world = one.reads ? unchanged() : await openWorld({ fixedTime: true });
  let first: string[] | undefined;
  const run = async (way: Way, flags: string[]) => {
    const words = (one.once && first) || ((await one.words?.(world)) ?? []);
    first = words;
    const line = [...one.name.split(" "), ...words, ...flags];
    const { status, stdout, stderr } = await world.run(way, line, { stdin: one.stdin ?? "" });
    // A command that waits prints its id on stderr first.
    const said = stderr.replace(/^(\S+ on \S+: cmd_\w{26}|\{"command":.*\})\n/, "");
    expect([status, flags[1] === "json" || flags[1] === "name" ? said : ""]).toEqual([0, ""]);
    return { words, stdout };
  };
  return { world, run };
}

/** Returns what the command `like` prints for the arguments in these words. */
async function printedBy(like: string, world: World, words: string[], flags: string[]) {
  const { args = [] } = commandTable.find(({ name }) => name === like) ?? {};
  const required = args.filter(({ name }) => name.startsWith("<"));
  const line = [...like.split(" "), ...words.slice(0, required.length), ...flags];
  const { status, stdout } = await world.run("--server", line);
  expect(status).toBe(0);
  return stdout;
}

type Printed = { id: string; command: { id: string }; length: number };

/** Returns the API's data for the printed object, or undefined if nothing can be compared. */
async function sameFromApi({ same, route, printsPart }: Case, api: Client, printed: Printed) {
  if (same) return same(api, printed);
  const [name = "", verb] = route.split(".");
  const noun: Noun | undefined = nouns[name as NounName];
  if (!noun || printsPart) return undefined;
  const { id, length } = printed;
  if (verb === "list") {
    const query = { pageSize: length, ...(sortOf(noun) as object) };
    return (await api.page(route as "agents.list", { query })).data;
  }
  const get = `${name}.get` as "agents.get";
  const isGone = verb === "delete" || verb === "create" || !(get in routes) || !id;
  if (isGone) return undefined;
  const now = await api.call(get, { params: { [noun.param]: id } as { agentId: string } });
  // An update may print more than the object, which checkAnswer has checked.
  return verb === "update" ? expect.objectContaining(now) : now;
}

function statusOf({ route }: Case): number {
  return (routes[route] as RouteSpec).status ?? 200;
}

function envelopeOf({ route, said }: Case, data: Record<string, unknown>): unknown {
  const { paginated, bus }: RouteSpec = routes[route];
  return {
    success: true,
    data: said?.(data) ?? data,
    ...(paginated ? { pagination: { page: 1, pageSize: 20, total: 1 } } : {}),
    ...(bus ? { experimental: busLabel } : {}),
  };
}

function fileOf(name: string): string {
  return `${name.replaceAll(" ", "-")}.txt`;
}
