// Looks for planted secrets in every table, in the response of every route, in exports, in the live
// stream and in the log.

import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";
import { openTestApp } from "../helpers/app.ts";
import { watch } from "../helpers/process/watcher.ts";
import { everyRow } from "../helpers/stored.ts";
import { watchLog } from "./access/people.ts";
import { endEverything, everyId, oneTimeKey, openPlanted, plantEverything } from "./planting.ts";
import { collector, type Scene } from "./scene.ts";

/** The columns that hold the secrets of what can still run, by table. */
const mayHold: Record<string, string> = {
  commands: "secrets",
  rollouts: "secrets",
  rollout_targets: "secrets",
  schedules: "secrets",
  bus_routes: "secrets",
  approvals: "secrets",
};

async function tablesWith(scene: Scene, find: (text: string) => string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [table, rows] of Object.entries(await everyRow(scene))) {
    for (const row of rows) {
      const { [mayHold[table] ?? ""]: _, ...rest } = row as Record<string, unknown>;
      found.push(...find(JSON.stringify(rest)).map((label) => `${table}: ${label}`));
    }
  }
  return found;
}

/** The queries of routes that need more than the ids in their paths. */
const queries: Record<string, object> = {
  "actions.prepare": { fromCatalog: "true" },
  "approval-policies.test": { action: "load" },
  "commands.list": { type: ["ACTION_EXECUTE", "ACTION_PREPARE"], pageSize: 200 },
  "audit-events.list": { pageSize: 200 },
  "search.find": { q: collector.code },
  "idempotency-keys.get": { key: "a-key" },
};

/** Calls every route that only reads, with every existing id. Returns the responses by route. */
async function readEverything(scene: Scene, by: Client): Promise<[name: string, text: string][]> {
  const ids = await everyId(scene);
  const answers: [string, string][] = [];
  for (const [name, spec] of Object.entries(routes) as [RouteName, RouteSpec][]) {
    if (spec.method !== "GET" || name === "stream.open" || spec.access === "agent") continue;
    const names = [...spec.path.matchAll(/:(\w+)/g)].map(([, param = ""]) => param);
    const [param] = names;
    const known = param === undefined ? [""] : (ids.get(param) ?? ["none"]);
    for (const id of known) {
      const params = { ...(param ? { [param]: id } : {}), actionName: "load", sessionId: "x" };
      const input = { params, query: { ...queries[name], serviceId: scene.serviceId } };
      if (name !== "approval-policies.test") Object.assign(input, { query: { ...queries[name] } });
      answers.push([name, await answerOf(by, name, input, spec.produces !== undefined)]);
    }
  }
  return answers;
}

async function answerOf(by: Client, name: RouteName, input: object, isFile: boolean) {
  try {
    if (!isFile) return JSON.stringify((await by.call(name, input as never)) ?? null);
    const { chunks } = await by.download(name as "agents.export", input as never);
    return await textOf(chunks);
  } catch (error) {
    return JSON.stringify([(error as Error).message, error]);
  }
}

test("no planted secret is seen anywhere", async () => {
  const { plants, scene } = await openPlanted((env) => openTestApp(env));
  const find = (text: string) => plants.find(text);
  const log = watchLog(scene);
  const stream = await watch(scene.app.core);
  await plantEverything(scene, plants);
  expect(plants.count).toBeGreaterThan(100);

  await stream.until("audit", ({ action }) => action === "user.password.changed");
  const found: string[] = [];
  const look = async (when: string, ...roles: ("viewer" | "operator")[]) => {
    const note = (where: string, text: string) => {
      for (const label of find(text)) found.push(`${when}, ${where}: ${label}`);
    };
    for (const line of await tablesWith(scene, find)) found.push(`${when}, ${line}`);
    for (const role of roles) {
      const answers = await readEverything(scene, scene.as(role));
      expect(answers.length).toBeGreaterThan(80);
      for (const [name, text] of answers) note(`${name} as ${role}`, text);
    }
    note("the log", log());
    note("the stream", JSON.stringify(stream.messages));
  };
  await look("while it is open", "viewer", "operator");
  await endEverything(scene, plants);
  // What viewers see is a part of what operators see.
  await look("after the end", "operator");
  // The one-time key is meant for the first operator who reads its command.
  const once = `while it is open, commands.get as operator: ${oneTimeKey}`;
  expect(found.filter((one) => one === once)).toHaveLength(1);
  expect(new Set(found)).toEqual(new Set([once]));
  // The schedule still has its secret, because it can still run.
  const row = JSON.stringify((await everyRow(scene)).schedules);
  expect(find(row)).toContain("schedule by name");
});
