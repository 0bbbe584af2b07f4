// What each state of a registration token shows and allows.

import { describe, expect } from "vitest";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import type { RegistrationTokenStatus } from "../../../src/domain/fleet/registration-tokens.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { anotherProcess, auditOf, day, second } from "../access/people.ts";
import { expectInvalid, expectRefused, outcome } from "../refusals.ts";
import { registering } from "../registering.ts";
import { test } from "../scene.ts";

const create = ({ as }: TestApp, body: object = {}) =>
  as("operator").call("registration-tokens.create", { body });

const get = ({ as }: TestApp, tokenId: string) =>
  as("viewer").call("registration-tokens.get", { params: { tokenId } });

const revoke = ({ as }: TestApp, tokenId: string) =>
  as("operator").call("registration-tokens.revoke", { params: { tokenId } });

const remove = ({ as }: TestApp, tokenId: string) =>
  as("operator").call("registration-tokens.delete", { params: { tokenId } });

const register = (scene: TestApp, token: string, code = "edge-1") =>
  registering(scene).register(token, { code });

const at = (ms: number) => new Date(ms).toISOString();

type State = [
  title: string,
  is: RegistrationTokenStatus,
  reach: (scene: TestApp, id: string, token: string) => unknown,
];

const states: State[] = [
  ["new", "ACTIVE", () => undefined],
  ["used", "USED", (scene, _, token) => register(scene, token)],
  ["revoked", "REVOKED", revoke],
  ["expired, before the sweep", "EXPIRED", ({ clock }) => clock.advance(day)],
  [
    "expired, after the sweep",
    "EXPIRED",
    async ({ clock, app }) => {
      clock.advance(day);
      expect(await sweep(app.core)).toMatchObject({ registrationTokensExpired: 1 });
    },
  ],
];

/** Tokens that passed two states are stored with the status of one of `states`. */
const passed: State[] = [
  [
    "used and revoked",
    "REVOKED",
    async (scene, id, token) => {
      await register(scene, token);
      await revoke(scene, id);
    },
  ],
  [
    "used and expired",
    "USED",
    async (scene, _, token) => {
      await register(scene, token);
      scene.clock.advance(day);
      expect(await sweep(scene.app.core)).toMatchObject({ registrationTokensExpired: 0 });
    },
  ],
];

async function reached([, , reach]: State) {
  const scene = openTestApp();
  const { token, ...made } = await create(scene, { name: "plant 7" });
  await reach(scene, made.id, token);
  return { scene, token, made, id: made.id };
}

describe.each([...states, ...passed])("a token that is %s", (...state) => {
  const [, is] = state;
  /** The error code that a registering agent gets, or null if it is registered. */
  const told = is === "ACTIVE" ? null : `REGISTRATION_TOKEN_${is}`;
  const effect = told === null ? "registers an agent" : `is refused with ${told}`;

  test(`is ${is} when read by id and in the list, and ${effect}`, async () => {
    const { scene, made, id, token } = await reached(state);
    const shown = await get(scene, id);
    expect(shown).toMatchObject({ id, name: "plant 7", status: is, createdAt: made.createdAt });
    for (const status of ["ACTIVE", "USED", "REVOKED", "EXPIRED"] as const) {
      const query = { status };
      const { data, pagination } = await scene
        .as("viewer")
        .page("registration-tokens.list", { query });
      expect(data).toEqual(status === is ? [shown] : []);
      expect(pagination.total).toBe(status === is ? 1 : 0);
    }
    const { data } = await scene.as("viewer").page("registration-tokens.list");
    expect(data).toEqual([shown]);
    const answer = await outcome(register(scene, token, "edge-2"));
    if (told === null) expect(answer).toMatchObject({ agentId: expect.stringMatching(/^agt_/) });
    else expect(answer).toBe(told);
  });
});

describe.each(states)("a token that is %s", (...state) => {
  const [, is] = state;

  test("can be revoked once", async () => {
    const { scene, id, token } = await reached(state);
    const before = await get(scene, id);
    const rows = await auditOf(scene, "registration_token.revoked");
    scene.clock.advance(second);
    const revoked = await revoke(scene, id);
    const revokedAt = is === "REVOKED" ? before.revokedAt : at(scene.clock.now());
    expect(revoked).toEqual({ ...before, status: "REVOKED", revokedAt });
    expect(await revoke(scene, id)).toEqual(revoked);
    const added = (await auditOf(scene, "registration_token.revoked")).slice(rows.length);
    expect(added).toMatchObject(
      is === "REVOKED" ? [] : [{ targetId: id, metadata: { name: "plant 7", from: is } }],
    );
    expect(added).toHaveLength(is === "REVOKED" ? 0 : 1);
    await expectRefused(register(scene, token, "edge-2"), "REGISTRATION_TOKEN_REVOKED");
  });

  test(`${is === "ACTIVE" ? "cannot" : "can"} be deleted`, async () => {
    const { scene, id, token } = await reached(state);
    if (is === "ACTIVE") {
      await expectRefused(remove(scene, id), "REGISTRATION_TOKEN_ACTIVE", { status: "ACTIVE" });
      expect((await get(scene, id)).status).toBe("ACTIVE");
      expect(await auditOf(scene, "registration_token.deleted")).toEqual([]);
      return;
    }
    expect(await remove(scene, id)).toEqual({ id, deleted: true });
    await expectRefused(get(scene, id), "REGISTRATION_TOKEN_NOT_FOUND");
    await expectRefused(remove(scene, id), "REGISTRATION_TOKEN_NOT_FOUND");
    await expectRefused(register(scene, token, "edge-2"), "REGISTRATION_TOKEN_INVALID");
    expect(await auditOf(scene, "registration_token.deleted")).toMatchObject([
      { targetId: id, metadata: { name: "plant 7", status: is } },
    ]);
  });
});

test.for(["revoked", "deleted"])(
  "an agent keeps its token when its registration token is %s",
  async (how, { app: scene }) => {
    const { token, id } = await create(scene);
    const { agentId, agentToken } = await register(scene, token);
    await flushPresence(scene.app.core);
    expect(await get(scene, id)).toMatchObject({
      status: "USED",
      usedByAgentId: agentId,
      usedAt: at(scene.clock.now()),
    });
    await (how === "revoked" ? revoke(scene, id) : remove(scene, id));
    scene.app.core.credentials.forget();
    const principal = await scene.app.core.credentials.agent(agentToken);
    expect(principal).toMatchObject({ agentId });
    await scene.asPrincipal(principal).call("agent.heartbeat", { body: {} });
    const agent = await scene.as("viewer").call("agents.get", { params: { agentId } });
    expect(agent).toMatchObject({ id: agentId, status: "ONLINE" });
  },
);

test("a token revoked by another process is refused", async ({ app: scene }) => {
  const { token, id } = await create(scene);
  const other = anotherProcess(scene);
  await other.call("registration-tokens.revoke", { params: { tokenId: id } });
  await expectRefused(register(scene, token), "REGISTRATION_TOKEN_REVOKED");
  expect(await auditOf(scene, "registration_token.re*")).toMatchObject([
    { action: "registration_token.revoked", actorType: "LOCAL", actorName: "ada" },
    {
      action: "registration_token.rejected",
      result: "DENIED",
      targetId: id,
      metadata: { reason: "REVOKED" },
    },
  ]);
});

test.each(["used first", "revoked first"])(
  "a token that is used and revoked concurrently, %s, ends up revoked",
  async (order) => {
    const scene = openTestApp();
    const { token, id } = await create(scene);
    const revoking = order === "revoked first" ? revoke(scene, id) : null;
    const joining = outcome<object>(register(scene, token));
    await (revoking ?? revoke(scene, id));
    const isIn = (await joining) !== "REGISTRATION_TOKEN_REVOKED";
    expect(await get(scene, id)).toMatchObject({
      status: "REVOKED",
      usedByAgentId: isIn ? expect.stringMatching(/^agt_/) : null,
    });
    expect((await scene.as("viewer").page("agents.list")).pagination.total).toBe(isIn ? 1 : 0);
  },
);

describe("a token's expiry", () => {
  test.each<[title: string, body: object, ttl: string | undefined, lastsMs: number | null]>([
    ["is a day away by default", {}, undefined, day],
    ["is as configured", {}, "60", 60 * second],
    ["is absent if configured as 0", {}, "0", null],
    ["can be a number of seconds", { expiresInSeconds: 90 }, undefined, 90 * second],
  ])("%s", async (_, body, ttl, lastsMs) => {
    const scene = openTestApp(ttl === undefined ? {} : { REGISTRATION_TOKEN_TTL_SECONDS: ttl });
    const made = await create(scene, body);
    const expiresAt = lastsMs === null ? null : at(scene.clock.now() + lastsMs);
    expect(made.expiresAt).toBe(expiresAt);
    expect(await auditOf(scene, "registration_token.created")).toMatchObject([
      { targetId: made.id, metadata: { expiresAt } },
    ]);
    scene.clock.advance((lastsMs ?? 3650 * day) - 1);
    expect((await get(scene, made.id)).status).toBe("ACTIVE");
    scene.clock.advance(1);
    expect((await get(scene, made.id)).status).toBe(lastsMs === null ? "ACTIVE" : "EXPIRED");
  });

  test("is validated", async ({ app: scene }) => {
    const expiresAt = "2026-01-02T03:04:05.678Z";
    await expectInvalid(create(scene, { expiresAt }), "expiresAt");
    const both = { expiresAt: "2027-01-01T00:00:00Z", expiresInSeconds: 60 };
    await expectInvalid(create(scene, both), "expiresAt");
    await expectInvalid(create(scene, { expiresInSeconds: 3_153_600_001 }), "expiresInSeconds");
    expect(await scene.as("viewer").call("registration-tokens.list")).toEqual([]);
  });
});

test("the list has pages, filters by status, and starts with the newest token", async ({
  app: scene,
}) => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.unshift((await create(scene, { name: `n${n}` })).id);
  for (const id of [ids[0]!, ids[3]!]) await revoke(scene, id);
  const page = async (query: object) => {
    const answer = await scene.as("viewer").page("registration-tokens.list", { query });
    return [answer.data.map(({ id }) => ids.indexOf(id)), answer.pagination.total];
  };
  expect(await page({})).toEqual([[0, 1, 2, 3, 4, 5], 6]);
  expect(await page({ pageSize: 4, page: 2 })).toEqual([[4, 5], 6]);
  expect(await page({ pageSize: 4, page: 3 })).toEqual([[], 6]);
  expect(await page({ pageSize: 3, page: 2 })).toEqual([[3, 4, 5], 6]);
  expect(await page({ status: "REVOKED" })).toEqual([[0, 3], 2]);
  expect(await page({ status: "ACTIVE", pageSize: 3, page: 2 })).toEqual([[5], 4]);
  await expectRefused(page({ status: "GONE" }), "VALIDATION_FAILED");
});

test("a used token names its agent, until the agent is deleted", async ({ app: scene }) => {
  const used = await create(scene);
  const unused = await create(scene);
  const { agentId } = await register(scene, used.token, "edge-9");
  const agents = async () => {
    const { data } = await scene.as("viewer").page("registration-tokens.list");
    return Object.fromEntries(data.map(({ id, agent }) => [id, agent]));
  };
  const agent = { id: agentId, code: "edge-9" };
  expect(await agents()).toEqual({ [used.id]: agent, [unused.id]: null });
  expect(await get(scene, used.id)).toMatchObject({ usedByAgentId: agentId, agent });
  const operator = scene.as("operator");
  await operator.call("agents.revoke-token", { params: { agentId } });
  await operator.call("agents.delete", { params: { agentId } });
  expect(await get(scene, used.id)).toMatchObject({ usedByAgentId: agentId, agent: null });
});
