// Plants a marked value wherever a secret can be given, and looks for all of them in every table, in the
// answer of every route, in exports, in the live stream and in the log.

import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";
import { watch } from "../helpers/process/watcher.ts";
import { everyRow } from "../helpers/stored.ts";
import { addUser, signIn, trySignIn, watchLog } from "./access/people.ts";
import { apply, preview } from "./declarations/declaring.ts";
import { collector, openScene, type Scene } from "./scene.ts";

/** Returns a marked value, of which the label says where it was planted. */
type Plant = (label: string) => string;

const schema = {
  type: "object",
  properties: {
    pin: { type: "string", writeOnly: true },
    nested: { $ref: "#/$defs/hidden" },
    password: { type: "string", default: "" },
  },
  $defs: { hidden: { type: "object", properties: { value: { format: "password" } } } },
};

const action = (name: string, more: object = {}) => ({ name, inputSchema: schema, ...more });
const web = {
  ...{ code: collector.code, name: "Web", version: "1", healthStatus: "UP" },
  actions: [
    action("load", { prepare: false }),
    action("guarded", { prepare: false }),
    action("form"),
  ],
};
const target = { kind: "action", service: collector.code, action: "load" } as const;
const event = { type: "log.full", source: collector.code };

/** A payload with secrets of every kind. */
const payloadOf = (plant: Plant, where: string) => ({
  password: plant(`${where} by name`),
  pin: plant(`${where} writeOnly`),
  nested: { value: plant(`${where} format`) },
  list: [{ apiKey: plant(`${where} in a list`) }],
  url: `postgres://app:${plant(`${where} in a URL`)}@db/x`,
  note: "harmless",
});

const inUrl = (secret: string) => `see https://me:${secret}@host/ for more`;

type Planting = (scene: Scene, plant: Plant) => Promise<unknown>;

const plantings: Record<string, Planting> = {
  // A prepare is answered at once, so it comes before commands that wait.
  "a plan": async (scene, plant) => {
    const services = [web] as never;
    await scene.agent.client.call("agent.report", { body: { services, features: ["plan"] } });
    const prepareCommandId = await scene.prepare(
      { success: true, output: { inputSchema: schema, stateFingerprint: "state-1" } },
      { actionName: "form" },
    );
    const params = { serviceId: scene.serviceId, actionName: "form" };
    const body = { payload: payloadOf(plant, "plan"), prepareCommandId };
    return scene.as("operator").call("plans.create", { params, body });
  },
  "what an agent prepares": (scene, plant) =>
    scene.prepare(
      {
        success: true,
        output: {
          inputSchema: { properties: { password: { type: "string", default: plant("default") } } },
          initialPayload: { password: plant("initial payload"), url: inUrl(plant("initial URL")) },
          currentState: { token: plant("current state") },
        },
      },
      { actionName: "form" },
    ),
  "a command": (scene, plant) =>
    scene.as("operator").call("actions.execute", {
      params: { serviceId: scene.serviceId, actionName: "load" },
      body: { payload: payloadOf(plant, "command"), reason: inUrl(plant("command's reason")) },
    }),
  "a request for approval": async (scene, plant) => {
    const params = { serviceId: scene.serviceId, actionName: "guarded" };
    const body = { payload: payloadOf(plant, "approval"), reason: inUrl(plant("its reason")) };
    return (await newUser(scene)).call("actions.execute", { params, body });
  },
  "a rollout": (scene, plant) =>
    scene.as("operator").call("rollouts.create", {
      body: {
        ...{
          action: "load",
          services: [collector.code],
          offline: "wait",
          reason: inUrl(plant("rollout's")),
        },
        payload: payloadOf(plant, "rollout"),
        payloadByService: { [collector.code]: payloadOf(plant, "rollout of one service") },
      },
    }),
  schedules: async ({ as }, plant) => {
    const create = (name: string, body: object) =>
      as("operator").call("schedules.create", {
        body: { name, cron: "0 3 * * *", ...body } as never,
      });
    await create("one", {
      target: {
        ...target,
        payload: payloadOf(plant, "schedule"),
        reason: inUrl(plant("schedule's")),
      },
    });
    const payloadByService = { [collector.code]: payloadOf(plant, "scheduled rollout's service") };
    const payload = payloadOf(plant, "scheduled rollout");
    const rollout = {
      kind: "rollout",
      action: "load",
      services: [collector.code],
      payload,
      payloadByService,
    };
    await create("many", { target: rollout });
  },
  "a changed schedule": async ({ as }, plant) => {
    const operator = as("operator");
    const body = { name: "changed", cron: "0 4 * * *", target: { ...target, payload: {} } };
    const { id } = await operator.call("schedules.create", { body: body as never });
    for (const version of [1, 2]) {
      const payload = payloadOf(plant, `schedule's version ${version + 1}`);
      await operator.call("schedules.update", {
        params: { scheduleId: id },
        body: { ...body, target: { ...target, payload }, version } as never,
      });
    }
  },
  "a bus route and its tests": async ({ as }, plant) => {
    const constants = (where: string) =>
      Object.fromEntries(
        Object.entries(payloadOf(plant, where)).map(([name, value]) => [name, { const: value }]),
      );
    const route = (name: string) => ({
      ...{ name, state: "DRY_RUN", match: { type: "log.full" } },
      ...{ target: { serviceCode: collector.code, action: "load" }, payload: constants(name) },
    });
    const operator = as("operator");
    const { id: routeId } = await operator.call("bus-routes.create", {
      body: route("route") as never,
    });
    await operator.call("bus-routes.update", {
      params: { routeId },
      body: { ...route("route again"), version: 1 } as never,
    });
    await operator.call("bus-events.publish", { body: event });
    await operator.call("bus-routes.test-draft", {
      body: { route: route("draft") as never, event },
    });
  },
  declarations: async ({ as }, plant) => {
    const schedule = (where: string) => ({
      ...{ kind: "Schedule", name: "declared", everySeconds: 3600 },
      target: { ...target, payload: payloadOf(plant, where) },
    });
    await preview(as("viewer"), [schedule("preview")]);
    await apply(as("operator"), [schedule("apply")]);
    await apply(as("operator"), [schedule("second apply")]);
  },
  "what an agent reports": (scene, plant) =>
    scene.report([
      {
        ...web,
        health: {
          status: "UP",
          message: inUrl(plant("health's message")),
          details: { token: plant("health's details"), deep: [{ dsn: plant("deep in it") }] },
        },
        manifest: { env: { DB_PASSWORD: plant("manifest") } },
        configs: [
          { key: "level", type: "string", sensitive: true, valuePreview: plant("sensitive") },
          { key: "db.password", type: "string", valuePreview: plant("config's name") },
          { key: "db", type: "string", valuePreview: inUrl(plant("config's URL")) },
          { key: "x", type: "object", defaultValue: { secret: plant("config's default") } },
        ],
        actions: web.actions,
      },
    ]),
  "results, output and errors": async (scene, plant) => {
    const run = async (report: (secret: string) => object) => {
      const secret = plant("repeated by the agent");
      await scene.as("operator").call("actions.execute", {
        params: { serviceId: scene.serviceId, actionName: "form" },
        body: { payload: { pin: secret } },
      });
      const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
      for (const { id, payload } of commands) {
        const mine = payload.pin === secret;
        const chunks = [{ stream: "stdout", offset: 0, text: `the pin is ${secret}\n` }] as const;
        const params = { commandId: id };
        if (mine)
          await scene.agent.client.call("agent.output", { params, body: { chunks: [...chunks] } });
        await scene.result(id, (mine ? report(secret) : { success: true }) as never);
      }
    };
    await run((secret) => ({
      success: true,
      output: {
        ...{
          text: `login with ${secret}`,
          cookie: plant("result's name"),
          generatedKey: plant("one-time key"),
        },
        list: [inUrl(plant("result's URL"))],
      },
      message: `done with ${secret}`,
    }));
    await run((secret) => ({
      success: false,
      error: {
        code: "LOGIN_FAILED",
        message: `login failed for ${secret}, ${inUrl(plant("error's URL"))}`,
        details: { stderr: `bad pin ${secret}`, authorization: plant("error's details") },
      },
    }));
  },
  "an event": async ({ agent }, plant) =>
    agent.client.call("agent.publish", {
      params: { agentId: agent.agentId },
      body: { ...event, data: { password: plant("event"), url: inUrl(plant("event's URL")) } },
    }),
  "users and sessions": async (scene, plant) => {
    const owner = scene.as("owner");
    const password = `long ${plant("password")}`;
    const body = { username: "vera", role: "viewer", password } as const;
    const { id: userId } = await owner.call("users.create", { body });
    await signIn(scene, "vera", { password });
    await trySignIn(scene, "vera", { password: plant("wrong password") });
    await trySignIn(scene, "nobody", { password: plant("unknown user's password") });
    const again = `long ${plant("new password")}`;
    await owner.call("users.set-password", { params: { userId }, body: { password: again } });
  },
};

/** Only users can ask for approval. */
async function newUser(scene: Scene): Promise<Client> {
  const { id: userId } = await addUser(scene, "ann", "operator");
  const session = { username: "ann", role: "operator", sessionId: "ses_ann" } as const;
  return scene.asPrincipal({ kind: "user", userId, ...session });
}

/** Secrets of what can still run are stored, each in a column of its own. */
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

/** The ids that parameters of paths can have, by the list that has them. */
const idLists: Record<string, RouteName> = {
  agentId: "agents.list",
  serviceId: "services.list",
  commandId: "commands.list",
  rolloutId: "rollouts.list",
  scheduleId: "schedules.list",
  routeId: "bus-routes.list",
  eventId: "bus-events.list",
  approvalId: "approvals.list",
  policyId: "approval-policies.list",
  viewId: "saved-views.list",
  tokenId: "registration-tokens.list",
  userId: "users.list",
  keyId: "api-keys.list",
};

/** What routes need besides the ids in their paths. */
const queries: Record<string, object> = {
  "actions.prepare": { fromCatalog: "true" },
  "approval-policies.test": { action: "load" },
  "commands.list": { type: ["ACTION_EXECUTE", "ACTION_PREPARE"], pageSize: 200 },
  "audit-events.list": { pageSize: 200 },
  "search.find": { q: collector.code },
  "idempotency-keys.get": { key: "a-key" },
};

/** Calls every route that only reads, with every id that there is. Returns the answers by route. */
async function readEverything(scene: Scene, by: Client): Promise<[name: string, text: string][]> {
  const ids = new Map<string, string[]>();
  for (const [param, list] of Object.entries(idLists)) {
    const query = { pageSize: 200 };
    const items = (await scene.as("owner").call(list, { query } as never)) as { id: string }[];
    expect(items, list).toBeInstanceOf(Array);
    ids.set(
      param,
      items.map(({ id }) => id),
    );
  }
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

test("no planted secret is seen anywhere", { timeout: 60_000 }, async () => {
  const labels = new Map<string, string>();
  const plant: Plant = (label) => {
    const value = `plant${labels.size}Zq9x`;
    labels.set(value, label);
    return value;
  };
  const sessionSecret = `${plant("the session secret")}-and-thirty-two-characters`;
  const settings = { CAPSULE_BUS_ENABLED: "true", SESSION_SECRET: sessionSecret };
  const scene = await openScene({ ...settings, ADMIN_PASSWORD: `long ${plant("admin")}` }, [web]);
  const find = (text: string) =>
    [...text.matchAll(/plant\d+Zq9x/g)].map(([value]) => labels.get(value) ?? "an unknown plant");

  const log = watchLog(scene);
  const stream = await watch(scene.app.core);
  const policy = { name: "guarded", action: "guarded", approvers: { role: "owner" } } as const;
  await scene.as("owner").call("approval-policies.create", { body: policy });
  const tokens: string[] = [scene.agent.agentToken, await scene.apiKey("operator")];
  const { token } = await scene.as("operator").call("registration-tokens.create", { body: {} });
  for (const secret of [...tokens, token]) labels.set(secret, "a token");
  for (const planting of Object.values(plantings)) await planting(scene, plant);
  expect(labels.size).toBeGreaterThan(100);

  await stream.until("audit", ({ action }) => action === "user.password.changed");
  const found: string[] = [];
  const look = async (when: string) => {
    const note = (where: string, text: string) => {
      for (const label of find(text)) found.push(`${when}, ${where}: ${label}`);
      for (const secret of [...tokens, token]) {
        if (text.includes(secret)) found.push(`${when}, ${where}: a token`);
      }
    };
    for (const line of await tablesWith(scene, find)) found.push(`${when}, ${line}`);
    for (const role of ["viewer", "operator"] as const) {
      const answers = await readEverything(scene, scene.as(role));
      expect(answers.length).toBeGreaterThan(80);
      for (const [name, text] of answers) note(`${name} as ${role}`, text);
    }
    note("the log", log());
    note("the stream", JSON.stringify(stream.messages));
  };
  await look("while it is open");
  for (const { id, payload } of (
    await scene.agent.client.call("agent.poll", { query: { wait: 0 } })
  ).commands) {
    expect(find(JSON.stringify(payload)).length).toBeGreaterThan(0);
    await scene.result(id);
  }
  await look("after the end");
  // The first operator who reads the command is meant to see it.
  const once = "while it is open, commands.get as operator: one-time key";
  expect(found.filter((one) => one === once)).toHaveLength(1);
  expect(new Set(found)).toEqual(new Set([once]));
  // The agent gets them, so they were not lost.
  const row = JSON.stringify((await everyRow(scene)).schedules);
  expect(find(row)).toContain("schedule by name");
});
