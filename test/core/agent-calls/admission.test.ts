// Which agents may register with a code, and what an agent can check before it registers.

import { describe, expect } from "vitest";
import { registrationFailuresPerMinute } from "../../../src/domain/limits.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { registering } from "../registering.ts";
import { test } from "../scene.ts";

const token = /^platform_agent_/;

function gate(app: TestApp) {
  const { invite, register } = registering(app);
  return {
    invite,
    register: (token: string, code = "edge-1") => register(token, { code }),
    check: (registrationToken: string, code = "edge-1", services: string[] = []) =>
      app
        .asPrincipal({ kind: "anonymous" })
        .call("agent.check", { body: { registrationToken, agent: { code }, services } }),
  };
}

async function rejections(app: TestApp) {
  const query = { action: "registration_token.rejected", pageSize: 200 };
  const { data } = await app.as("viewer").page("audit-events.list", { query });
  return data.map(({ metadata }) => metadata).reverse();
}

describe("the code", () => {
  test("of an online agent is taken; the token is not consumed", async ({ app }) => {
    const { invite, register } = gate(app);
    const first = await register(await invite());
    const second = await invite();
    await expectRefused(register(second), "AGENT_CODE_TAKEN", { agentCode: "edge-1" });
    expect(await app.app.core.credentials.agent(first.agentToken)).toMatchObject({
      agentId: first.agentId,
    });
    expect(await rejections(app)).toEqual([{ reason: "AGENT_CODE_TAKEN", agentCode: "edge-1" }]);
    expect((await register(second, "edge-2")).agentToken).toMatch(token);
  });

  test("of an online agent can be taken with a token for replacing it", async ({ app }) => {
    const { invite, register } = gate(app);
    const first = await register(await invite());
    const second = await register(await invite({ replace: true }));
    expect(second.agentId).toBe(first.agentId);
  });

  test.for<[title: string, lose: (app: TestApp, agentId: string) => unknown]>([
    ["is silent", ({ clock }) => clock.advance(90_001)],
    [
      "has no token",
      ({ as }, agentId) => as("operator").call("agents.revoke-token", { params: { agentId } }),
    ],
  ])("of an agent that %s is free, and the agent keeps its id", async ([_title, lose], { app }) => {
    const { invite, register } = gate(app);
    const { agentId } = await register(await invite());
    await lose(app, agentId);
    expect((await register(await invite())).agentId).toBe(agentId);
  });

  test("of an agent whose last call is not stored yet is taken", async ({ app }) => {
    const { invite, register } = gate(app);
    const { agentId } = await register(await invite());
    app.clock.advance(90_000);
    app.app.core.presence.agents.add(agentId, app.clock.now());
    app.clock.advance(90_000);
    await expectRefused(register(await invite()), "AGENT_CODE_TAKEN");
  });

  test("goes to one of 64 concurrent registrations, and 63 tokens stay valid", async ({ app }) => {
    const { invite, register } = gate(app);
    const tokens = await Promise.all(Array.from({ length: 64 }, () => invite()));
    const outcomes = await Promise.allSettled(tokens.map((one) => register(one)));
    const agents = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(agents).toHaveLength(1);
    // After 60 failures in a minute, the address is refused.
    const refusals = ["AGENT_CODE_TAKEN", "RATE_LIMITED"];
    expect(refused.filter((code) => !refusals.includes(code))).toEqual([]);
    const { credentials } = app.app.core;
    expect(await credentials.agent(agents[0]!.agentToken)).toMatchObject({ agentCode: "edge-1" });
    const query = { status: "ACTIVE" as const };
    const left = await app.as("viewer").page("registration-tokens.list", { query });
    expect(left.pagination.total).toBe(63);
  });
});

describe("a token for", () => {
  test.for([
    ["edge-7", "edge-7", true],
    ["edge-7", "edge-70", false],
    ["edge-*", "edge-70", true],
    ["edge-*", "core-1", false],
  ] as const)("%s admits %s: %j", async ([agentCode, code, isLetIn], { app }) => {
    const { invite, register } = gate(app);
    const invitation = await invite({ agentCode });
    if (isLetIn) {
      expect((await register(invitation, code)).agentToken).toMatch(token);
      return;
    }
    await expectRefused(register(invitation, code), "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT", {
      agentCode,
    });
    expect(await rejections(app)).toEqual([{ reason: "NOT_FOR_THIS_AGENT", agentCode: code }]);
    const { data } = await app.as("viewer").page("registration-tokens.list");
    expect(data).toMatchObject([{ status: "ACTIVE", agentCode, replace: false }]);
  });

  test('"*" alone is refused', async () => {
    const { invite } = gate(openTestApp());
    await expectRefused(invite({ agentCode: "*" }), "VALIDATION_FAILED");
  });

  test("a token for replacing an agent shows both settings", async ({ app }) => {
    const body = { agentCode: "edge-7", replace: true };
    const created = await app.as("operator").call("registration-tokens.create", { body });
    expect(created).toMatchObject(body);
    const params = { tokenId: created.id };
    expect(await app.as("viewer").call("registration-tokens.get", { params })).toMatchObject(body);
    const query = { action: "registration_token.created" };
    const { data } = await app.as("viewer").page("audit-events.list", { query });
    expect(data[0]!.metadata).toMatchObject(body);
  });
});

describe("a check", () => {
  const service = { code: "web", name: "Web", version: "1" };

  test("accepts a valid token without consuming it", async ({ app }) => {
    const { invite, register, check } = gate(app);
    const invitation = await invite();
    for (const _twice of [1, 2]) {
      expect(await check(invitation)).toEqual({ credential: "REGISTRATION_TOKEN", rejected: [] });
    }
    expect(await app.as("viewer").call("agents.list")).toEqual([]);
    await register(invitation);
    await expectRefused(check(invitation), "REGISTRATION_TOKEN_USED");
  });

  test("reports which agent and service codes are taken", async ({ app }) => {
    const { invite, check } = gate(app);
    const owner = await app.registerAgent("edge-1", [service]);
    await expectRefused(check(await invite()), "AGENT_CODE_TAKEN");
    const rejected = [{ code: "web", reason: "SERVICE_CODE_TAKEN", agentCode: "edge-1" }];
    expect(await check(await invite(), "edge-2", ["web", "free"])).toMatchObject({ rejected });
    const own = app.asPrincipal({ kind: "anonymous" }, owner.agentToken);
    const body = { agent: { code: "edge-1" }, services: ["web"] };
    expect(await own.call("agent.check", { body })).toEqual({
      credential: "AGENT_TOKEN",
      rejected: [],
    });
    const foreign = own.call("agent.check", { body: { agent: { code: "edge-2" } } });
    await expectRefused(foreign, "FORBIDDEN");
  });

  test("considers the labels that the token assigns to the agent", async ({ app }) => {
    const { check } = gate(app);
    const owner = app.as("owner");
    const labels = { env: "prod" };
    await app.registerAgent("edge-1", [service]);
    const [{ id: serviceId } = { id: "" }] = await owner.call("services.list");
    await owner.call("services.label", { params: { serviceId }, body: { labels } });
    app.clock.advance(90_001);
    const { token } = await owner.call("registration-tokens.create", { body: { labels } });
    expect(await check(token, "edge-2", ["web"])).toMatchObject({ rejected: [] });
    const more = { services: [service] };
    const { agentId } = await registering(app).register(token, { code: "edge-2" }, more);
    expect(await owner.call("services.list")).toMatchObject([{ id: serviceId, agentId }]);
  });

  test("does not count as a call from the agent", async ({ app }) => {
    const { agentId, agentToken } = await app.registerAgent("edge-1");
    const { lastHeartbeatAt } = await app.as("viewer").call("agents.get", { params: { agentId } });
    app.clock.advance(5000);
    const body = { agent: { code: "edge-1" } };
    await app.asPrincipal({ kind: "anonymous" }, agentToken).call("agent.check", { body });
    const after = await app.as("viewer").call("agents.get", { params: { agentId } });
    expect(after.lastHeartbeatAt).toBe(lastHeartbeatAt);
  });

  test("with the token of a disabled agent does not count as a guess", async ({ app }) => {
    const { agentId, agentToken } = await app.registerAgent("edge-1");
    await app.as("operator").call("agents.disable", { params: { agentId } });
    const own = app.asPrincipal({ kind: "anonymous" }, agentToken);
    const body = { agent: { code: "edge-1" } };
    for (let call = 0; call <= registrationFailuresPerMinute; call++) {
      await expectRefused(own.call("agent.check", { body }), "AGENT_DISABLED");
    }
  });

  test("counts toward the same limits as a registration", async ({ app }) => {
    const { invite, check, register } = gate(app);
    const used = await invite();
    await register(used, "edge-9");
    for (let guess = 0; guess < 60; guess++) {
      await expectRefused(check(used), "REGISTRATION_TOKEN_USED");
    }
    expect(await rejections(app)).toHaveLength(60);
    await expectRefused(check(used), "RATE_LIMITED");
    await expectRefused(register(await invite()), "RATE_LIMITED");
  });
});
