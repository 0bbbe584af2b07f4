// Which registration tokens are valid, and what a second registration with the same code changes.

import { expect } from "vitest";
import type { TestApp } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { registering } from "../registering.ts";
import { test } from "../scene.ts";

async function auditOf(app: TestApp): Promise<string[]> {
  const { data } = await app.as("viewer").page("audit-events.list", { query: { pageSize: 200 } });
  return data.map(({ action }) => action).reverse();
}

test("a token registers one agent", async ({ app }) => {
  const { invite, register } = registering(app);
  const token = await invite();
  const registered = await register(token, {
    name: "Edge",
    version: token,
    runtime: { node: "24", apiKey: "hunter2" },
    labels: { a: "b", from: token },
  });
  expect(registered.agentToken).toMatch(/^platform_agent_/);
  const agent = await app.as("viewer").call("agents.get", { params: registered });
  expect(agent).toMatchObject({
    code: "edge-1",
    name: "Edge",
    status: "ONLINE",
    // Values that may be secrets are redacted.
    version: "platform_reg_[REDACTED]",
    runtime: { node: "24", apiKey: "[REDACTED]" },
    labels: { a: "b", from: "platform_reg_[REDACTED]" },
  });
  const again = register(token, { code: "edge-2" });
  await expectRefused(again, "REGISTRATION_TOKEN_USED");
  expect(await auditOf(app)).toEqual([
    "registration_token.created",
    "registration_token.consumed",
    "agent.registered",
    "registration_token.rejected",
  ]);
});

test("new codes that have the form of an id are refused, and existing ones continue to work", async ({
  app,
}) => {
  const { invite, register } = registering(app);
  const [agent, service] = ["agt_01M8ZZZZZZZZZZZZZZZZZZZZZZ", "svc_01M8ZZZZZZZZZZZZZZZZZZZZZZ"];
  const issue = (path: string) => ({
    issues: [{ path, message: expect.stringMatching(/form of an id .* choose a name$/) }],
  });
  const token = await invite();
  const refusal = { code: "VALIDATION_FAILED", details: issue("agent.code") };
  await expect(register(token, { code: agent })).rejects.toMatchObject(refusal);
  const services = [{ code: service, name: "S", version: "1", healthStatus: "UP" }];
  const ofService = { code: "VALIDATION_FAILED", details: issue("services.0.code") };
  await expect(register(token, {}, { services })).rejects.toMatchObject(ofService);

  // Older versions of this service accepted such codes.
  const { agentId } = await register(token, {}, { services: [{ ...services[0], code: "s" }] });
  const rename = (table: string, code: string) =>
    app.database.write((tx) => tx.run(`UPDATE ${table} SET code = ?`, code));
  await rename("agents", agent);
  await rename("services", service);
  const again = await register(await invite({ replace: true }), { code: agent }, { services });
  expect(again).toMatchObject({ agentId });
  expect(again).not.toHaveProperty("rejected");
});

test("registering again uses up the token, keeps the agent's id and ends its old token", async ({
  app,
}) => {
  const { invite, register } = registering(app);
  const first = await register(await invite());
  const { credentials } = app.app.core;
  expect(await credentials.agent(first.agentToken)).toMatchObject({ agentId: first.agentId });
  app.clock.advance(1000);
  const invitation = await invite({ replace: true });
  const second = await register(invitation, { mode: "embedded" });
  expect(second.agentId).toBe(first.agentId);
  expect(second.agentToken).not.toBe(first.agentToken);
  await expect(async () => credentials.agent(first.agentToken)).rejects.toMatchObject({
    code: "UNAUTHORIZED",
  });
  expect(await credentials.agent(second.agentToken)).toMatchObject({ agentId: first.agentId });
  const { data } = await app.as("viewer").page("agents.list");
  expect(data).toMatchObject([{ id: first.agentId, mode: "embedded" }]);
  expect((await auditOf(app)).slice(-2)).toEqual([
    "registration_token.consumed",
    "agent.token.rotated",
  ]);
  await expectRefused(register(invitation), "REGISTRATION_TOKEN_USED");
});

test("a DISABLED agent cannot register, and the token is not consumed", async ({ app }) => {
  const { invite, register } = registering(app);
  const { agentId, agentToken } = await register(await invite());
  await app.as("operator").call("agents.disable", { params: { agentId } });
  const token = await invite({ replace: true });
  await expectRefused(register(token), "AGENT_DISABLED");
  await app.as("operator").call("agents.enable", { params: { agentId } });
  // Neither the token nor the agent has changed.
  expect(await app.app.core.credentials.agent(agentToken)).toMatchObject({ agentId });
  expect(await register(token)).toMatchObject({ agentId });
});

test("with invalid services, nothing is registered", async ({ app }) => {
  const { invite, register } = registering(app);
  const token = await invite();
  const service = { code: "twin", name: "Twin", version: "1" };
  await expectRefused(register(token, {}, { services: [service, service] }), "VALIDATION_FAILED");
  expect(await auditOf(app)).toEqual(["registration_token.created"]);
  await register(token, {}, { service });
  expect(await app.as("viewer").call("services.list")).toMatchObject([{ code: "twin" }]);
});
