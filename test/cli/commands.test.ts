// Every command that calls the API, over both ways: `-o json` is the API's data and nothing else, and
// the other forms show the same. A command that is missing here fails the first test.

import { expect, test } from "vitest";
import { parse } from "yaml";
import { type RouteName, routes } from "../../src/api/index.ts";
import type { RouteSpec } from "../../src/api/route.ts";
import { commandTable } from "../../src/cli/tree.ts";
import type { Client } from "../../src/client/client.ts";
import { checkAnswer } from "../helpers/contract.ts";
import { openWorld, type World, ways } from "./world.ts";

interface Case {
  /** What follows the command's name, for one run of it. */
  words?: (world: World) => Promise<string[]> | string[];
  /** Whose data is printed. */
  route: RouteName;
  /** What the API says of the same thing afterwards; must be equal. */
  same?: (api: Client, printed: { id: string; command: { id: string } }) => Promise<unknown>;
  /** What `same` is compared with, when that is not all. */
  part?: "command";
  /** Two columns to choose. */
  columns: [string, string];
  /** What `-o name` prints. */
  named: RegExp;
}

const getCommand: Case["same"] = (api, { id }) =>
  api.call("commands.get", { params: { commandId: id } });
const getAgent: Case["same"] = (api, { id }) => api.call("agents.get", { params: { agentId: id } });
const commandColumns: Case["columns"] = ["status", "action"];
const commandName = /^cmd_/;

const cases: Record<string, Case> = {
  "tokens create": {
    words: () => ["--name", "edge-7", "--expires", "1h"],
    route: "registration-tokens.create",
    columns: ["name", "token"],
    named: /^rtk_/,
  },
  "agents list": {
    words: () => ["--status", "ONLINE", "--mode", "sidecar"],
    route: "agents.list",
    same: async (api) => (await api.page("agents.list")).data,
    columns: ["code", "status"],
    named: /^edge-\d$/,
  },
  "agents get": {
    words: () => ["edge-1"],
    route: "agents.get",
    same: getAgent,
    columns: ["code", "status"],
    named: /^edge-1$/,
  },
  "agents disable": {
    words: () => ["edge-2"],
    route: "agents.disable",
    same: getAgent,
    columns: ["code", "disabled"],
    named: /^edge-2$/,
  },
  "agents enable": {
    words: async ({ as }) => {
      const agents = await as("owner").page("agents.list", { query: { q: "edge-2" } });
      const agentId = agents.data[0]?.id ?? "";
      await as("owner").call("agents.disable", { params: { agentId } });
      return ["edge-2"];
    },
    route: "agents.enable",
    same: getAgent,
    columns: ["code", "status"],
    named: /^edge-2$/,
  },
  "agents revoke-token": {
    words: () => ["edge-2", "--yes"],
    route: "agents.revoke-token",
    same: getAgent,
    columns: ["code", "token"],
    named: /^edge-2$/,
  },
  "services list": {
    route: "services.list",
    same: async (api) => (await api.page("services.list")).data,
    columns: ["code", "status"],
    named: /^(log-collector|sleeper)$/,
  },
  "services get": {
    words: () => ["log-collector"],
    route: "services.get",
    same: (api, { id }) => api.call("services.get", { params: { serviceId: id } }),
    columns: ["code", "version"],
    named: /^log-collector$/,
  },
  "actions prepare": {
    words: () => ["log-collector", "set-level"],
    route: "actions.prepare",
    same: (api, { command }) => api.call("commands.get", { params: { commandId: command.id } }),
    part: "command",
    columns: ["action", "danger"],
    named: commandName,
  },
  "actions run": {
    words: () => ["log-collector", "rotate-log", "--set", "file=app.log", "--yes"],
    route: "commands.get",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
  "commands list": {
    words: async (world) => {
      await world.execute("sleeper", "snore");
      return ["--limit", "1"];
    },
    route: "commands.list",
    same: async (api) => (await api.page("commands.list", { query: { pageSize: 1 } })).data,
    columns: commandColumns,
    named: commandName,
  },
  "commands get": {
    words: async (world) => [await world.execute("sleeper", "snore")],
    route: "commands.get",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
  "commands wait": {
    words: async (world) => [await world.execute("log-collector", "set-level")],
    route: "commands.get",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
  "commands cancel": {
    words: async (world) => [await world.execute("sleeper", "snore")],
    route: "commands.cancel",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
  "api-keys create": {
    words: () => ["--name", "ci", "--role", "viewer", "--expires", "90d"],
    route: "api-keys.create",
    columns: ["name", "key"],
    named: /^key_/,
  },
  "audit list": {
    words: () => ["--action", "agent.*"],
    route: "audit-events.list",
    same: async (api) =>
      (await api.page("audit-events.list", { query: { action: "agent.*" } })).data,
    columns: ["seq", "action"],
    named: /^aud_/,
  },
  health: { route: "system.health", columns: ["status", "version"], named: /^UP$/ },
};

test("every command that calls the API has a case", () => {
  const names = commandTable.filter((spec) => spec.target).map((spec) => spec.name);
  expect(Object.keys(cases).sort()).toEqual(names.sort());
});

const table = Object.entries(cases).flatMap(([name, one]) =>
  ways.map((way) => ({ name, way, ...one })),
);

test.each(table)("$name $way prints the API's data as JSON, JSON lines and YAML", async (one) => {
  const { world, run } = await open(one);
  const json = await run("-o", "json");
  const data = JSON.parse(json);
  const { paginated, status = 200 }: RouteSpec = routes[one.route];
  const pagination = paginated ? { pagination: { page: 1, pageSize: 20, total: 1 } } : {};
  checkAnswer(one.route, status, { success: true, data, ...pagination });
  if (one.same) {
    const said = await one.same(world.as("owner"), data);
    expect(one.part ? data[one.part] : data).toEqual(said);
  }

  const lines = (await run("-o", "jsonl")).trimEnd().split("\n").map(parseJson);
  expect(lines.map(shapeOf)).toEqual((Array.isArray(data) ? data : [data]).map(shapeOf));
  expect(shapeOf(parse(await run("-o", "yaml")))).toEqual(shapeOf(data));
  const names = (await run("-o", "name")).trimEnd().split("\n");
  expect(names).toHaveLength(lines.length);
  for (const name of names) expect(name).toMatch(one.named);
});

test.each(table)("$name $way prints tables with the columns that are wanted", async (one) => {
  const { run } = await open(one);
  const isList = (routes[one.route] as RouteSpec).paginated ?? false;
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
});

/** A world, and one run of the case after the other in it; each must succeed. */
async function open(one: (typeof table)[number]) {
  const world = await openWorld();
  const run = async (...flags: string[]) => {
    const words = [...one.name.split(" "), ...((await one.words?.(world)) ?? [])];
    const { status, stdout, stderr } = await world.run(one.way, [...words, ...flags]);
    expect(stderr).not.toContain("platformctl:");
    if (flags[0] === "-o" && flags[1] !== "wide") expect(stderr).toBe("");
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
