// A repeated call with an Idempotency-Key gets the first response and creates nothing.

import { test as base, expect, vi } from "vitest";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";
import { systemContext } from "../../src/core/context.ts";
import { rememberAnswer } from "../../src/core/idempotency-keys.ts";
import { AppError } from "../../src/domain/errors.ts";
import { onceOnly } from "../../src/http/idempotency.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { everyRow } from "../helpers/stored.ts";
import { refuseWrites } from "../helpers/wrapped-writes.ts";
import { withKey } from "./access/people.ts";
import { somePolicy } from "./approvals/requested.ts";
import { planOf } from "./commands/planning.ts";
import { expectRefused } from "./refusals.ts";
import { openScene, type Scene } from "./scene.ts";

const nightly = {
  name: "nightly",
  cron: "0 3 * * *",
  target: { kind: "action" as const, service: "log-collector", action: "rotate" },
};

const test = base.extend("scene", () => openBus());

interface Maker {
  /** Calls as an operator, or as the required role. With `change`, the call is a different one. */
  call: (scene: Scene) => Promise<(key: string, change?: object) => Promise<object>>;
  /** The table to which the call adds one row. */
  table: string;
  /** The fields of a different call with the same key. */
  other?: object;
  /** The response field that is shown once. */
  secret?: string;
}

const password = "correct horse battery";

/** Every route that accepts a key. A test fails for a route that is missing here. */
const makers: Partial<Record<RouteName, Maker>> = {
  "registration-tokens.create": {
    table: "registration_tokens",
    other: { name: "other" },
    secret: "token",
    call: async (scene) => by(scene.as("operator"), "registration-tokens.create", { name: "one" }),
  },
  "api-keys.create": {
    table: "api_keys",
    secret: "key",
    call: async (scene) =>
      by(scene.as("owner"), "api-keys.create", { name: "one", role: "viewer" }),
  },
  "users.create": {
    table: "users",
    call: async (scene) =>
      by(scene.as("owner"), "users.create", { username: "ada", password, role: "viewer" }),
  },
  "actions.execute": {
    table: "commands",
    other: { reason: "another" },
    call: async (scene) =>
      by(
        scene.as("operator"),
        "actions.execute",
        { reason: "one" },
        { serviceId: scene.serviceId, actionName: "rotate" },
      ),
  },
  "commands.retry": {
    table: "commands",
    call: async (scene) => {
      const commandId = await scene.execute();
      await scene.cancel(commandId);
      return by(scene.as("operator"), "commands.retry", { confirmation: false }, { commandId });
    },
  },
  "plans.apply": {
    table: "commands",
    other: { confirmation: true },
    call: async (scene) =>
      by(scene.as("operator"), "plans.apply", { plan: { ...(await planOf(scene)) } }),
  },
  "approval-policies.create": {
    table: "approval_policies",
    call: async (scene) => by(scene.as("owner"), "approval-policies.create", { ...somePolicy }),
  },
  "rollouts.create": {
    table: "rollouts",
    call: async (scene) =>
      by(scene.as("operator"), "rollouts.create", { action: "rotate", selector: "" }),
  },
  "rollouts.retry": {
    table: "rollouts",
    call: async (scene) => {
      const operator = scene.as("operator");
      const body = { action: "rotate", selector: "" };
      const params = { rolloutId: (await operator.call("rollouts.create", { body })).id };
      await operator.call("rollouts.cancel", { params });
      return by(operator, "rollouts.retry", { rest: true }, params);
    },
  },
  "schedules.create": {
    table: "schedules",
    call: async (scene) => by(scene.as("operator"), "schedules.create", { ...nightly }),
  },
  "schedules.run": {
    table: "schedule_runs",
    call: async (scene) => {
      const operator = await withKey(scene, await scene.apiKey("operator"));
      const { id } = await operator.call("schedules.create", { body: nightly });
      return by(operator, "schedules.run", {}, { scheduleId: id });
    },
  },
  "saved-views.create": {
    table: "saved_views",
    call: async (scene) =>
      by(scene.as("operator"), "saved-views.create", {
        name: "one",
        noun: "agents",
        shared: true,
      }),
  },
  "bus-routes.create": {
    table: "bus_routes",
    call: async (scene) =>
      by(scene.as("operator"), "bus-routes.create", {
        name: "one",
        match: { type: "disk.full" },
        target: { serviceCode: "log-collector", action: "rotate" },
      }),
  },
  "bus-events.publish": {
    table: "bus_events",
    call: async (scene) => by(scene.as("operator"), "bus-events.publish", event),
  },
  "agent.publish": {
    table: "bus_events",
    other: { data: { free: 2 } },
    call: async (scene) =>
      by(scene.agent.client, "agent.publish", event, { agentId: scene.agent.agentId }),
  },
};

const event = { type: "disk.full", source: "log-collector", data: { free: 1 } };

const rows = Object.entries(makers) as [RouteName, Maker][];
const plain = rows.filter(([, { secret }]) => secret === undefined);
const secret = rows.filter(([, maker]) => maker.secret !== undefined);

/** These routes need no key: registering uses up its token, and signing in replaces the session. */
const others = ["agent.register", "auth.login"];

test("each creating POST accepts a key", () => {
  const table = Object.entries<RouteSpec>(routes);
  const keyed = table.filter(([, spec]) => spec.idempotent).map(([name]) => name);
  expect(keyed.toSorted()).toEqual(Object.keys(makers).toSorted());
  const makes = table.filter(
    ([name, { method, status }]) =>
      method === "POST" && (status ?? 200) > 200 && !others.includes(name),
  );
  expect(keyed).toEqual(expect.arrayContaining(makes.map(([name]) => name)));
});

/** Makes a call that cannot be recorded, and therefore creates nothing. */
async function failToRecord(scene: Scene, call: (key: string) => Promise<object>) {
  const before = await everyRow(scene);
  const allow = refuseWrites(scene.database, "INTO idempotency_keys");
  await expectRefused(call("job-1"), "INTERNAL_ERROR");
  expect(await everyRow(scene)).toEqual(before);
  allow();
}

test.for(plain)(
  "%s creates nothing if it is not recorded; repeated, it returns the same response",
  async ([_name, maker], { scene }) => {
    const call = await maker.call(scene);
    await failToRecord(scene, call);
    const before = await scene.count(maker.table);
    const first = await call("job-1");
    scene.clock.advance(3600_000);
    expect(await call("job-1")).toEqual(first);
    expect(await scene.count(maker.table)).toBe(before + 1);
  },
);

test.for(secret)(
  "%s creates nothing if it is not recorded; repeated, it does not return the secret again",
  async ([name, maker], { scene }) => {
    const call = await maker.call(scene);
    await failToRecord(scene, call);
    const before = await scene.count(maker.table);
    const first = (await call("job-1")) as { id: string };
    await expectRefused(call("job-1"), "IDEMPOTENCY_SECRET_GONE", { id: first.id, route: name });
    expect(await scene.count(maker.table)).toBe(before + 1);
    const plain = (first as Record<string, unknown>)[maker.secret ?? ""] as string;
    expect(plain).toMatch(/^platform_/);
    expect(JSON.stringify(await everyRow(scene))).not.toContain(plain);
  },
);

/** One route for each kind of caller, and `plans.apply`, which finds plans again by content. */
const someRoutes = ["actions.execute", "plans.apply", "agent.publish"] as const;

test.for([...someRoutes, "registration-tokens.create"] as const)(
  "%s refuses a different call with the same key",
  async (name, { scene }) => {
    const maker = makers[name]!;
    const call = await maker.call(scene);
    await call("job-1");
    const before = await scene.count(maker.table);
    await expectRefused(call("job-1", maker.other), "IDEMPOTENCY_KEY_REUSED");
    expect(await scene.count(maker.table)).toBe(before);
  },
);

test("a key belongs to one route, even if the other values are equal", async ({ scene }) => {
  const { core } = scene.app;
  const ctx = { ...systemContext(core), principal: { kind: "local", osUser: "ada" } as const };
  const same = { params: {}, query: {}, body: {}, key: "job-1" };
  const answer = { id: "one" };
  const call = (route: RouteName) =>
    onceOnly(
      ctx,
      routes["users.create"],
      { route, ...same },
      {
        run: (once) => core.db.write((tx) => rememberAnswer(once, tx, answer)),
        replay: () => ({ ...answer, replayed: true }),
      },
    );
  expect(await call("users.create")).toEqual(answer);
  expect(await call("users.create")).toHaveProperty("replayed");
  await expectRefused(call("schedules.create"), "IDEMPOTENCY_KEY_REUSED");
});

test.for(someRoutes)("one of several concurrent calls of %s runs", async (name, { scene }) => {
  const maker = makers[name]!;
  const call = await maker.call(scene);
  const before = await scene.count(maker.table);
  const answers = await Promise.all(Array.from({ length: 5 }, () => call("job-1")));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await scene.count(maker.table)).toBe(before + 1);
});

test("a run of a schedule with a key starts one rollout, at once", async ({ scene }) => {
  const operator = await withKey(scene, await scene.apiKey("operator"));
  const target = { kind: "rollout" as const, action: "rotate", selector: "" };
  const { id } = await operator.call("schedules.create", { body: { ...nightly, target } });
  const run = by(operator, "schedules.run", {}, { scheduleId: id });
  expect(await run("job-1")).toMatchObject({ state: "RUNNING" });
  await run("job-1");
  const [rollout, ...others] = await operator.call("rollouts.list");
  expect(others).toEqual([]);
  expect((await scene.trail({ targetId: rollout!.id })).at(-1)).toMatchObject({
    action: "rollout.created",
    actorType: "API_KEY",
  });
});

test.for(["users.create", "registration-tokens.create"] as const)(
  "the first response of %s is not confirmed while it might be lost",
  async (name, { scene }) => {
    const call = await makers[name]!.call(scene);
    await call("job-1");
    const doubt = new AppError("UNAVAILABLE", "It may or may not be on disk.");
    vi.spyOn(scene.app.core.db, "durable").mockRejectedValueOnce(doubt);
    await expectRefused(call("job-1"), "UNAVAILABLE");
  },
);

test("a key can be used again after a failure", async ({ scene }) => {
  const execute = await makers["actions.execute"]!.call(scene);
  await scene.change("disable");
  await expectRefused(execute("job-1"), "AGENT_DISABLED");
  await scene.change("enable");
  await expect(execute("job-1")).resolves.toMatchObject({ command: { status: "PENDING" } });
});

test("another caller's key is a different key", async ({ scene }) => {
  const params = { serviceId: scene.serviceId, actionName: "rotate" };
  const made: { command: { id: string } | null }[] = [];
  for (const role of ["operator", "owner"] as const) {
    const options = { idempotencyKey: "job-1" };
    made.push(await scene.as(role).call("actions.execute", { params }, options));
  }
  expect(made[0]!.command!.id).not.toBe(made[1]!.command!.id);
});

test("the key expires after a day", async ({ scene }) => {
  const call = await makers["actions.execute"]!.call(scene);
  const first = await call("job-1");
  scene.clock.advance(24 * 3600_000 - 1);
  await scene.report([]);
  await scene.as("operator").call("maintenance.run");
  expect(await call("job-1")).toEqual(first);
  scene.clock.advance(1);
  await scene.as("operator").call("maintenance.run");
  expect(await scene.count("idempotency_keys")).toBe(0);
  expect(await call("job-1")).not.toEqual(first);
});

test("a wall clock that is ahead for a while does not expire the key", async ({ scene }) => {
  await scene.app.noteStarted();
  const call = await makers["actions.execute"]!.call(scene);
  const first = await call("job-1");
  scene.clock.jump(48 * 3_600_000);
  await scene.as("operator").call("maintenance.run");
  expect(await call("job-1")).toEqual(first);
});

test("the result is visible to its caller only", async ({ scene }) => {
  const operator = scene.as("operator");
  const made = await (await makers["actions.execute"]!.call(scene))("job/1?x=%");
  const found = await operator.call("idempotency-keys.get", { query: { key: "job/1?x=%" } });
  expect(found).toMatchObject({ key: "job/1?x=%", route: "actions.execute", answer: made });
  await expectRefused(
    scene.as("viewer").call("idempotency-keys.get", { query: { key: "job/1?x=%" } }),
    "IDEMPOTENCY_KEY_NOT_FOUND",
  );
});

test("over HTTP: valid keys and replays", async () => {
  const app = await listenTestApp();
  const { key } = await app
    .as("owner")
    .call("api-keys.create", { body: { name: "ci", role: "owner" } });
  const create = (idempotencyKey: string, username = "ada") =>
    app.request("POST", "/api/admin/users", {
      bearer: key,
      headers: { "Idempotency-Key": idempotencyKey },
      body: { username, password, role: "viewer" },
    });
  for (const bad of ["", " ", "two words", "k".repeat(129), "na\u00efve"]) {
    expect((await create(bad)).body.error, bad).toMatchObject({ code: "INVALID_REQUEST" });
  }
  const first = await create("k".repeat(128));
  expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
  const second = await create("k".repeat(128));
  expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
  expect(second.body).toEqual(first.body);
  const listed = await app.request("GET", "/api/admin/users", {
    bearer: key,
    headers: { "Idempotency-Key": "two words" },
  });
  expect(listed.status).toBe(200);
});

test("calls that give the path accept the key", async ({ scene }) => {
  const ask = scene.app.localPaths({ kind: "local", osUser: "ada" });
  const call = () =>
    ask({
      method: "POST",
      path: `/api/admin/capsule-services/${scene.serviceId}/actions/rotate`,
      body: "{}",
      idempotencyKey: "job-1",
    });
  const first = await call();
  expect(first.status).toBe(202);
  expect((await call()).body).toEqual(first.body);
});

function by(client: Client, name: RouteName, body: object, params: object = {}) {
  return (idempotencyKey: string, change: object = {}) =>
    client.call(name, { params, body: { ...body, ...change } } as never, {
      idempotencyKey,
    }) as Promise<object>;
}

async function openBus(): Promise<Scene> {
  return openScene({ CAPSULE_BUS_ENABLED: "true" });
}
