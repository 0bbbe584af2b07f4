// Who can edit a schedule or a bus route without sending its stored secrets again, and what others
// can find out about the secrets.

import { test as base, describe, expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { apply, preview, said } from "../declarations/declaring.ts";
import { interceptReads } from "../intercepted-reads.ts";
import { expectInvalid, outcome as outcomeOf } from "../refusals.ts";
import { collector, openScene, type Scene } from "../scene.ts";
import { withKey } from "./people.ts";

const secret = "hunter2-of-ann";
const document = {
  Schedule: {
    ...{ kind: "Schedule", name: "nightly", cron: "0 3 * * *" },
    target: {
      ...{ kind: "action", service: collector.code, action: "rotate" },
      payload: { password: secret, pin: 4711815193, level: 3 },
    },
  },
  BusRoute: {
    ...{ kind: "BusRoute", name: "rotate", state: "ENABLED", match: { type: "log.full" } },
    target: { serviceCode: collector.code, action: "rotate" },
    payload: { password: { const: secret }, pin: { const: 4711815193 }, level: { const: 3 } },
  },
};
type Kind = keyof typeof document;
const kinds = Object.keys(document) as Kind[];
const schema = { type: "object", properties: { pin: { type: "integer", writeOnly: true } } };
const declared = { ...collector, actions: [{ name: "rotate", inputSchema: schema }] };

/** The names of the routes and of the id's parameter for each kind. */
const names = {
  Schedule: { noun: "schedules", param: "scheduleId" },
  BusRoute: { noun: "bus-routes", param: "routeId" },
} as const;

async function openSecrets() {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" }, [declared]);
  const { asPrincipal, as } = scene;
  let sessions = 0;
  const person = async (username: string) => {
    const role = "owner" as const;
    const body = { username, role, password: `${username} has a long password` };
    const { id } = await as("owner").call("users.create", { body });
    const sessionId = `ses_${sessions++}`;
    return { id, client: asPrincipal({ kind: "user", userId: id, username, role, sessionId }) };
  };
  const key = async (by: Client) => {
    const made = await by.call("api-keys.create", { body: { name: "ci", role: "operator" } });
    return withKey(scene, made.key);
  };
  const local = (osUser: string) => asPrincipal({ kind: "local", osUser });
  return { ...scene, person, key, local, ann: await person("ann"), ben: await person("ben") };
}

const test = base.extend("scene", () => openSecrets());

async function create(by: Client, kind: Kind): Promise<string> {
  const { kind: _, ...body } = document[kind];
  const { id } = (await by.call(`${names[kind].noun}.create`, { body } as never)) as { id: string };
  return id;
}

async function get(by: Client, kind: Kind, id: string): Promise<JsonObject> {
  const { noun, param } = names[kind];
  return (await by.call(`${noun}.get`, { params: { [param]: id } } as never)) as JsonObject;
}

/** Sends back what `get` shows, with changes. */
async function edit(by: Client, kind: Kind, id: string, change: Change): Promise<JsonObject> {
  const { noun, param } = names[kind];
  const body = change(await get(by, kind, id));
  return (await by.call(`${noun}.update`, {
    params: { [param]: id },
    body,
  } as never)) as JsonObject;
}

const outcome = (call: Promise<unknown>) => outcomeOf(call.then(() => "ok" as const));

type Change = (shown: JsonObject) => JsonObject;

const describing: Change = (shown) => ({ ...shown, description: "at night" });

/** Changes a field of the payload that is no secret. */
function withLevel(kind: Kind, level: number): Change {
  return (shown) =>
    kind === "Schedule"
      ? inTarget(shown, { payload: { ...payloadOf(shown), level } })
      : { ...shown, payload: { ...(shown.payload as object), level: { const: level } } };
}

function inTarget(shown: JsonObject, change: JsonObject): JsonObject {
  return { ...shown, target: { ...(shown.target as JsonObject), ...change } };
}

function payloadOf({ target }: JsonObject): JsonObject {
  return (target as { payload: JsonObject }).payload;
}

describe.each(kinds)("the secrets of a %s", (kind) => {
  const needs = "PAYLOAD_NEEDS_SECRETS";

  test("stay if whoever gave them edits another field, and if anybody edits the description", async ({
    scene,
  }) => {
    const { ann, ben, as, key, local, person } = scene;
    const id = await create(ann.client, kind);
    const edited = (by: Client, change: Change) => outcome(edit(by, kind, id, change));
    expect(await edited(await key(ann.client), withLevel(kind, 4))).toBe("ok");
    expect(await edited(ben.client, describing)).toBe("ok");
    expect(await edited(ann.client, withLevel(kind, 5))).toBe("ok");
    for (const by of [ben.client, as("operator"), local("root")]) {
      expect(await edited(by, withLevel(kind, 6))).toBe(needs);
    }
    // These changes need the secrets again, whoever makes them.
    const service = kind === "Schedule" ? "service" : "serviceCode";
    for (const change of [{ [service]: "mine" }, { action: "form" }]) {
      expect(await edited(ann.client, (shown) => inTarget(shown, change))).toBe(needs);
    }
    await as("owner").call("users.delete", { params: { userId: ann.id } });
    expect(await edited((await person("ann")).client, withLevel(kind, 6))).toBe(needs);
    const rows = JSON.stringify(await scene.trail({ pageSize: 200 }));
    expect(rows).not.toMatch(/hunter2|4711815193/);
  });

  test("belong to the caller who gave them last", async ({ scene }) => {
    const id = await create(scene.ann.client, kind);
    const anew: Change = () => ({ ...document[kind], version: 1 });
    await edit(scene.ben.client, kind, id, anew);
    const level = withLevel(kind, 4);
    expect(await outcome(edit(scene.ann.client, kind, id, level))).toBe(needs);
    expect(await outcome(edit(scene.ben.client, kind, id, level))).toBe("ok");
  });

  test("are found neither by a preview nor by an update with a guess", async ({ scene }) => {
    const { ann, ben, as } = scene;
    const id = await create(ann.client, kind);
    const shown = await get(as("viewer"), kind, id);
    const guess = (password: string) => {
      const text = JSON.stringify(document[kind]).replace(secret, password);
      return JSON.parse(text) as object;
    };
    const seen = async (password: string) => {
      const { changes, plan } = await preview(as("viewer"), [guess(password)]);
      return { change: changes[0]!.change, length: plan.length };
    };
    expect(await seen(secret)).toEqual(await seen("a wrong one"));
    expect((await seen(secret)).change).toBe("updated");
    const { version } = await edit(ben.client, kind, id, () => ({ ...guess(secret), version: 1 }));
    expect(version).toBe(2);
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|4711815193/);
  });

  test("keep a repeated apply unchanged if they are shown as [REDACTED]", async ({ scene }) => {
    const { ann, ben, as } = scene;
    await apply(ann.client, [document[kind]]);
    const text = JSON.stringify(document[kind])
      .replace(secret, "[REDACTED]")
      .replace("4711815193", '"[REDACTED]"');
    const redacted = JSON.parse(text) as JsonObject;
    for (const by of [ben.client, as("viewer")]) {
      expect(said(await preview(by, [redacted]))).toEqual([
        `unchanged ${kind} ${document[kind].name}`,
      ]);
    }
    expect(said(await apply(ben.client, [redacted]))).toEqual([
      `unchanged ${kind} ${document[kind].name}`,
    ]);
    const changed = JSON.parse(
      text.replace('"level":3', '"level":4').replace('{"const":3}', '{"const":4}'),
    );
    expect(await outcome(apply(ben.client, [changed]))).toBe("VALIDATION_FAILED");
    expect(await outcome(preview(ben.client, [changed]))).toBe("VALIDATION_FAILED");
    const moved = JSON.parse(text.replaceAll(collector.code, "mine"));
    expect(await outcome(apply(ann.client, [moved]))).toBe("VALIDATION_FAILED");
    expect(said(await apply(ann.client, [changed]))).toEqual([
      `updated ${kind} ${document[kind].name}`,
    ]);
  });

  test("are a part of a preview's plan, which does not show them", async ({ scene }) => {
    const { ann } = scene;
    const { plan } = await preview(ann.client, [document[kind]]);
    const again = await preview(ann.client, [document[kind]]);
    expect(again.plan).not.toBe(plan);
    const text = JSON.stringify(document[kind]).replace(secret, "another secret");
    const swapped = JSON.parse(text) as object;
    expect(await outcome(apply(ann.client, [swapped], { plan }))).toBe("DECLARATIONS_CHANGED");
    const applied = await apply(ann.client, [document[kind]], { plan });
    expect(applied.plan).toBe(plan);
    expect(await outcome(apply(ann.client, [document[kind]], { plan }))).toBe(
      "DECLARATIONS_CHANGED",
    );
  });

  test("are withheld once their action is declared", async ({ scene }) => {
    const { ann, as, report } = scene;
    await report([{ ...declared, actions: [] }]);
    const id = await create(ann.client, kind);
    expect(JSON.stringify(await get(as("viewer"), kind, id))).toContain("4711815193");
    await report([declared]);
    const { noun, param } = names[kind];
    const viewer = as("viewer");
    const [listed] = (await viewer.call(`${noun}.list`)) as JsonObject[];
    const { changes } = await preview(viewer, [], { prune: true });
    expect(JSON.stringify([listed, changes])).not.toMatch(/hunter2|4711815193/);
    const got = await get(viewer, kind, id);
    expect(JSON.stringify(got)).not.toMatch(/hunter2|4711815193/);
    expect(got.withheld).toHaveLength(2);
    await edit(ann.client, kind, id, withLevel(kind, 4));
    await ann.client.call(`${noun}.delete`, { params: { [param]: id } } as never);
    expect(JSON.stringify(await scene.trail({ pageSize: 200 }))).not.toMatch(/hunter2|4711815193/);
  });
});

test("two keys without a user are separate, but all callers with the database count as one", async ({
  scene,
}) => {
  const { as, key, local } = scene;
  const level = withLevel("Schedule", 4);
  const one = await key(as("owner"));
  const other = await key(as("owner"));
  const id = await create(one, "Schedule");
  const edited = (by: Client) => outcome(edit(by, "Schedule", id, level));
  expect(await edited(other)).toBe("PAYLOAD_NEEDS_SECRETS");
  await edit(local("root"), "Schedule", id, () => ({ ...document.Schedule, version: 1 }));
  expect(await edited(one)).toBe("PAYLOAD_NEEDS_SECRETS");
  expect(await edited(local("ann"))).toBe("ok");
});

test("only the giver of a schedule's secrets can accept a new agent for them", async ({
  scene,
}) => {
  const { ann, ben, registerAgent, move } = scene;
  const id = await create(scene.ann.client, "Schedule");
  await move(await registerAgent("edge-2"));
  expect(await outcome(edit(ben.client, "Schedule", id, (shown) => shown))).toBe(
    "PAYLOAD_NEEDS_SECRETS",
  );
  expect(await outcome(edit(ben.client, "Schedule", id, describing))).toBe("PAYLOAD_NEEDS_SECRETS");
  expect(await outcome(edit(ann.client, "Schedule", id, describing))).toBe("ok");
});

/** Moves the service to another agent after the next read whose SQL contains the text. */
async function moveAfterRead(scene: Scene, text: string) {
  const other = await scene.registerAgent("edge-2");
  let isMoved = false;
  interceptReads(scene, (reader) => {
    const thenMove =
      (method: "get" | "all") =>
      async (sql: string, ...params: never[]) => {
        const found = await reader[method](sql, ...params);
        if (sql.includes(text) && !isMoved) {
          isMoved = true;
          await scene.move(other);
        }
        return found as never;
      };
    return { get: thenMove("get"), all: thenMove("all") };
  });
  return { other, wasMoved: () => isMoved };
}

test("a move between the reads of an edit does not hand the secrets over", async ({ scene }) => {
  const { ann, ben, report } = scene;
  const scheduleId = await create(ann.client, "Schedule");
  const params = { scheduleId };
  const body = describing(await get(ben.client, "Schedule", scheduleId)) as never;
  const { other, wasMoved } = await moveAfterRead(scene, "WHERE s.code = ?");
  await ben.client.call("schedules.update", { params, body });
  expect(wasMoved()).toBe(true);
  await report([declared], other);
  expect(await ben.client.call("schedules.run", { params, body: {} })).toMatchObject({
    errorCode: "TARGET_CHANGED",
  });
});

test("an apply refuses a schedule whose service moved after it was compared", async ({ scene }) => {
  const { ann, ben, as } = scene;
  const { id } = (await apply(ann.client, [document.Schedule])).changes[0]!;
  const payload = { password: "[REDACTED]", pin: "[REDACTED]", level: 3 };
  const changed = { ...inTarget(document.Schedule, { payload }), cron: "0 4 * * *" };
  const { wasMoved } = await moveAfterRead(scene, "FROM approval_policies");
  await expectInvalid(apply(ben.client, [changed]), "documents.0.document");
  expect(wasMoved()).toBe(true);
  expect((await get(as("viewer"), "Schedule", id!)).withheld).toHaveLength(2);
});

test("a route sends its secrets to the agent, and shows them in no test and no replay", async ({
  scene,
}) => {
  const { ann, as, agent } = scene;
  const routeId = await create(ann.client, "BusRoute");
  const event = { type: "log.full", source: collector.code };
  const { id: eventId } = await as("operator").call("bus-events.publish", { body: event });
  const { commands } = await agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(commands[0]?.payload).toEqual({ password: secret, pin: 4711815193, level: 3 });
  const viewer = as("viewer");
  const { kind: _, ...route } = document.BusRoute;
  const from = "2026-01-01T00:00:00Z";
  const answers = [
    await viewer.call("bus-routes.test", { params: { routeId }, body: { event } }),
    await viewer.call("bus-routes.test", { params: { routeId }, body: { eventId } }),
    await viewer.call("bus-routes.test-draft", { body: { route: route as never, event } }),
    await viewer.call("bus-routes.replay", { body: { routeId, from } }),
    await viewer.call("bus-routes.replay", { body: { route: route as never, from } }),
    await viewer.call("commands.get", { params: { commandId: commands[0]!.id } }),
  ];
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain('"level":3');
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|4711815193/);
  }
});

test("a route keeps its secrets from another agent that has its service now", async ({ scene }) => {
  const { ann, as, agent, registerAgent, report, move } = scene;
  const routeId = await create(ann.client, "BusRoute");
  const { kind: _, ...rule } = document.BusRoute;
  const plain = { ...rule, name: "plain", payload: { level: { const: 3 } } };
  await ann.client.call("bus-routes.create", { body: plain as never });
  const other = await registerAgent("edge-2");
  await move(other);
  await report([declared], other);
  const outcomes = async () => {
    const body = { type: "log.full", source: collector.code };
    const { id: eventId } = await as("operator").call("bus-events.publish", { body });
    const event = await as("viewer").call("bus-events.get", { params: { eventId } });
    const { commands } = await other.client.call("agent.poll", { query: { wait: 0 } });
    return { routes: event.routes, payloads: commands.map(({ payload }) => payload) };
  };
  const reason = expect.stringMatching(/belongs to another agent.* Save the route again, with/);
  const kept = await outcomes();
  expect(kept.routes).toMatchObject([
    { routeId, outcome: "FAILED", reason },
    { outcome: "COMMAND_CREATED" },
  ]);
  expect(kept.payloads).toEqual([{ level: 3 }]);

  // Without sending the secrets again, even the user who gave them can change the description, but
  // not the payload.
  const described = await edit(ann.client, "BusRoute", routeId, (shown) => ({
    ...shown,
    description: "at night",
  }));
  expect(described.warnings).toContainEqual(reason);
  const level: Change = (shown) => ({
    ...shown,
    payload: { ...(shown.payload as object), level: { const: 4 } },
  });
  expect(await outcome(edit(ann.client, "BusRoute", routeId, level))).toBe("PAYLOAD_NEEDS_SECRETS");
  expect((await outcomes()).payloads).toEqual([{ level: 3 }]);

  const whole: Change = ({ version }) => ({ ...rule, version: version as number });
  await edit(ann.client, "BusRoute", routeId, whole);
  const given = { password: secret, pin: 4711815193, level: 3 };
  expect((await outcomes()).payloads).toEqual([given, { level: 3 }]);

  await move(agent);
  await report([declared]);
  expect((await outcomes()).routes).toMatchObject([{ outcome: "FAILED", reason }, {}]);
});

test("the message about an invalid secret number does not quote it", async ({ scene }) => {
  const properties = {
    pin: { type: "integer", writeOnly: true, maximum: 999 },
    level: { maximum: 2 },
  };
  await scene.report([{ ...declared, actions: [{ name: "rotate", inputSchema: { properties } }] }]);
  const routeId = await create(scene.ann.client, "BusRoute");
  const body = { event: { type: "log.full", source: collector.code } };
  const { reason } = await scene
    .as("viewer")
    .call("bus-routes.test", { params: { routeId }, body });
  expect(reason).toContain("pin: must be at most 999");
  expect(reason).not.toContain("4711815193");
});
