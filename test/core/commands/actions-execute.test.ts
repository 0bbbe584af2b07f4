// How an execution is checked, and what its command stores.

import { test as base, describe, expect, vi } from "vitest";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import { startOfTime } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const text = { type: "string" };
const strict = { required: ["file"], properties: { file: text }, additionalProperties: false };
const actions = [
  { name: "rotate", inputSchema: strict, timeoutSeconds: 60 },
  { name: "other", inputSchema: {} },
  { name: "drop", dangerLevel: "HIGH" },
  { name: "drop-softly", dangerLevel: "HIGH", requiresConfirmation: false },
];

const services = [collector, { ...collector, code: "second" }].map((one) => ({ ...one, actions }));
const test = base.extend("scene", () => openScene({}, services));

interface Wish {
  actionName?: string;
  serviceId?: string;
  query?: { queue?: boolean };
  payload?: object;
  confirmation?: boolean;
  prepareCommandId?: string;
  reason?: string;
}

async function execute(scene: Scene, wish: Wish = {}) {
  const { actionName = "rotate", serviceId = scene.serviceId, query = {}, ...rest } = wish;
  const body = { payload: { file: "a.log" }, ...rest } as never;
  const params = { serviceId, actionName };
  return (await scene.as("operator").call("actions.execute", { params, query, body })).command!;
}

test("an agent that has just called can be used, although it is stored as OFFLINE", async ({
  scene,
}) => {
  scene.clock.advance(901_000);
  await sweep(scene.app.core);
  await expectRefused(execute(scene), "AGENT_OFFLINE");
  await scene.beat();
  expect(await execute(scene)).toMatchObject({ status: "PENDING" });
});

test("a reachable agent's action is one transaction, whatever memory contains", async ({
  scene,
}) => {
  await scene.beat();
  const write = vi.spyOn(scene.app.core.db, "batch");
  await execute(scene);
  expect(write).toHaveBeenCalledTimes(1);
});

test("creates a PENDING command with the payload, which is audited once", async ({ scene }) => {
  const payload = { file: "a.log" };
  const command = await execute(scene, { payload, reason: "a drill" });
  expect(command).toMatchObject({
    type: "ACTION_EXECUTE",
    status: "PENDING",
    agentId: scene.agent.agentId,
    serviceId: scene.serviceId,
    serviceCode: collector.code,
    action: "rotate",
    reason: "a drill",
    source: { kind: "operator", userId: "key_operator", name: "operator key" },
    prepareCommandId: null,
    retryOf: null,
    expiresAt: new Date(startOfTime + 300_000).toISOString(),
    deliveries: 0,
  });
  expect((await scene.get(command.id)).payload).toEqual(payload);
  expect(await scene.auditOf(command.id)).toEqual(["command.created"]);
});

test("names the user, the key or the local user as the source", async ({ scene }) => {
  const params = { serviceId: scene.serviceId, actionName: "other" };
  const user = { kind: "user", userId: "usr_1", username: "ada", role: "operator" } as const;
  const key = { kind: "apiKey", keyId: "key_1", name: "ci", role: "owner" } as const;
  const callers = [
    [
      { ...user, sessionId: "ses_1" },
      { userId: "usr_1", name: "ada" },
    ],
    [
      { ...key, userId: null, makerId: null },
      { userId: "key_1", name: "ci" },
    ],
    [
      { kind: "local", osUser: "root" },
      { userId: null, name: "root" },
    ],
  ] as const;
  for (const [principal, source] of callers) {
    const caller = scene.asPrincipal(principal);
    const { command } = await caller.call("actions.execute", { params, body: {} });
    expect(command!.source).toEqual({ kind: "operator", ...source });
  }
});

describe("the payload must match", () => {
  const own = { required: ["level"], properties: { level: text }, additionalProperties: false };

  test("the catalog's schema", async ({ scene }) => {
    const payload = { file: "a", level: "x" };
    await expectRefused(execute(scene, { payload }), "PAYLOAD_INVALID", {
      issues: [{ path: "level", message: expect.any(String) }],
    });
    expect(await scene.as("viewer").call("commands.list")).toEqual([]);
  });

  test("the schema of the named prepare, instead of the catalog's", async ({ scene }) => {
    const prepareCommandId = await scene.prepare({ success: true, output: { inputSchema: own } });
    await expectRefused(execute(scene, { prepareCommandId }), "PAYLOAD_INVALID");
    const command = await execute(scene, { prepareCommandId, payload: { level: "debug" } });
    expect(command.prepareCommandId).toBe(prepareCommandId);
    // Without a schema in the result, the catalog's schema applies.
    await expectRefused(execute(scene, { payload: { level: "debug" } }), "PAYLOAD_INVALID");
  });

  test.for([undefined, { inputSchema: "x" }])(
    "the catalog's if the prepare returned none: %j",
    async (output, { scene }) => {
      const prepareCommandId = await scene.prepare({ success: true, output });
      await expectRefused(execute(scene, { prepareCommandId, payload: {} }), "PAYLOAD_INVALID");
      await execute(scene, { prepareCommandId });
    },
  );

  test("the type object, even without a schema", async ({ scene }) => {
    for (const payload of [null, [], "x", 1]) {
      const attempt = execute(scene, { actionName: "other", payload: payload as never });
      await expectRefused(attempt, "VALIDATION_FAILED");
    }
  });
});

test("a prepare of the same action on another service cannot be named", async ({ scene }) => {
  const { data } = await scene.as("viewer").page("services.list", { query: { q: "second" } });
  const prepareCommandId = await scene.prepare({ success: true }, { serviceId: data[0]!.id });
  await expectRefused(execute(scene, { prepareCommandId }), "COMMAND_NOT_FOUND");
  const query = { type: "ACTION_EXECUTE" } as const;
  expect(await scene.as("viewer").call("commands.list", { query })).toEqual([]);
});

describe("confirmation", () => {
  test.for([
    ["drop", true],
    ["drop-softly", false],
    ["other", false],
  ] as const)("%s requires it: %s", async ([actionName, needed], { scene }) => {
    for (const wish of [{}, { confirmation: false }]) {
      const attempt = execute(scene, { actionName, ...wish });
      if (needed) {
        await expectRefused(attempt, "CONFIRMATION_REQUIRED", {
          action: actionName,
          dangerLevel: "HIGH",
        });
      } else await attempt;
    }
    await execute(scene, { actionName, confirmation: true });
    const { data } = await scene.as("viewer").page("commands.list");
    expect(data).toHaveLength(needed ? 1 : 3);
  });
});

describe("an unreachable agent", () => {
  const ways: [how: string, code: string, make: (scene: Scene) => unknown][] = [
    ["is silent", "AGENT_OFFLINE", ({ clock }) => clock.advance(90_001)],
    ["has no token", "AGENT_OFFLINE", (scene) => scene.change("revoke-token")],
    ["is disabled", "AGENT_DISABLED", (scene) => scene.change("disable")],
  ];

  test.for(ways)(
    "%s: %s; with `queue` the command waits",
    async ([_how, code, make], { scene }) => {
      await make(scene);
      const { agentId } = scene.agent;
      for (const query of [{}, { queue: false }]) {
        await expectRefused(execute(scene, { query }), code, { agentId, agentCode: "edge-1" });
      }
      const params = { serviceId: scene.serviceId, actionName: "rotate" };
      await expectRefused(scene.as("operator").call("actions.prepare", { params }), code);
      expect((await execute(scene, { query: { queue: true } })).status).toBe("PENDING");
    },
  );

  test("errors in the request are reported first", async ({ scene }) => {
    scene.clock.advance(90_001);
    await expectRefused(execute(scene, { payload: {} }), "PAYLOAD_INVALID");
    await expectRefused(execute(scene, { actionName: "drop" }), "CONFIRMATION_REQUIRED");
    await expectRefused(execute(scene, { payload: {}, query: { queue: true } }), "PAYLOAD_INVALID");
  });

  test("a queued command is delivered after the agent is enabled", async ({ scene }) => {
    await scene.change("disable");
    const { id } = await execute(scene, { query: { queue: true } });
    await scene.change("enable");
    expect(await scene.poll()).toEqual([id]);
  });

  test("over HTTP, `queue` must be true or false", async () => {
    const app = await listenTestApp();
    await app.registerAgent("edge-1", [collector]);
    const { key: bearer } = await app
      .as("owner")
      .call("api-keys.create", { body: { name: "p", role: "operator" } });
    const [service] = await app.as("viewer").call("services.list");
    app.clock.advance(90_001);
    const path = `/api/admin/capsule-services/${service!.id}/actions/rotate`;
    const ask = async (query: string) =>
      (await app.request("POST", path + query, { bearer, body: {} })).status;
    const refused = ["?queue=TRUE", "?queue=1", "?queue", "?queue=", "?queue=true&queue=true"];
    for (const query of refused) expect([query, await ask(query)]).toEqual([query, 422]);
    expect(await Promise.all(["", "?queue=false", "?queue=true"].map(ask))).toEqual([
      409, 409, 202,
    ]);
  });
});

describe("the reason", () => {
  const token = mintToken("agent", (bytes) => bytes.fill(7));

  test("is stored and audited without the platform's tokens", async ({ scene }) => {
    const { id, reason } = await execute(scene, { reason: `because of ${token}, password=x` });
    const clean = "because of platform_agent_[REDACTED], password=x";
    expect(reason).toBe(clean);
    expect((await scene.get(id)).reason).toBe(clean);
    const [row] = await scene.trail({ targetId: id });
    expect(row).toMatchObject({ action: "command.created", message: clean });
  });

  test("has at most 500 characters", async ({ scene }) => {
    expect((await execute(scene, { reason: "x".repeat(500) })).reason).toHaveLength(500);
    await expectRefused(execute(scene, { reason: "x".repeat(501) }), "VALIDATION_FAILED");
  });
});

test("after a move, commands go to the new agent", async ({ scene }) => {
  const other = await scene.registerAgent("edge-2");
  await scene.move(other);
  await scene.report([collector], other);
  const { id, agentId } = await execute(scene);
  expect(agentId).toBe(other.agentId);
  expect(await scene.poll()).toEqual([]);
  expect(await scene.poll({ wait: 0 }, other)).toEqual([id]);
});
