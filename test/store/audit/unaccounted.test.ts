// Users, API keys and agents that contradict the audit trail, because another program wrote them.

import { expect, test } from "vitest";
import { readUnaccounted } from "../../../src/store/audit/unaccounted.ts";
import { tamper } from "../../core/audit/long-trail.ts";
import { openTestApp } from "../../helpers/app.ts";

test("each user, key and agent that contradicts the trail is named, with the difference", async () => {
  const app = openTestApp();
  const { call } = app.as("owner");
  for (const username of ["ada", "ben", "cleo"]) {
    const body = { username, password: "seven blue teapots", role: "viewer" } as const;
    const { id: userId } = await call("users.create", { body });
    await call("users.update", { params: { userId }, body: { role: "operator" } });
  }
  await call("api-keys.create", { body: { name: "ci", role: "viewer" } });
  const names = ["disabled", "revoked", "renamed"] as const;
  const [disabled, revoked] = await Promise.all(names.map((code) => app.registerAgent(code)));
  await call("agents.disable", { params: { agentId: disabled!.agentId } });
  await call("agents.revoke-token", { params: { agentId: revoked!.agentId } });
  const read = () => readUnaccounted(app.database.read, app.clock.now());
  expect(await read()).toEqual({ discrepancies: [], orphanedKeys: [] });

  const columns = "role, password_hash, created_at, updated_at, password_changed_at";
  const cleo = "SELECT id FROM users WHERE username = 'cleo'";
  await tamper(
    app,
    `INSERT INTO users (id, username, username_key, status, ${columns})
     SELECT 'usr_x', 'eve', 'eve', 'ACTIVE', ${columns} FROM users WHERE username = 'ada'`,
    "UPDATE users SET role = 'owner' WHERE username = 'ada'",
    "UPDATE users SET status = 'DISABLED' WHERE username = 'ben'",
    `UPDATE audit_events SET metadata = '{' WHERE action = 'user.updated' AND target_id = (${cleo})`,
    "UPDATE api_keys SET role = 'owner', user_id = 'usr_gone' WHERE name = 'ci'",
    "UPDATE agents SET status = 'ONLINE' WHERE code = 'disabled'",
    "UPDATE agent_tokens SET revoked_at = NULL, revoked_reason = NULL",
    "UPDATE agents SET code = 'other' WHERE code = 'renamed'",
  );
  const { discrepancies = [], orphanedKeys } = (await read()) ?? {};
  expect(discrepancies.toSorted()).toEqual([
    "API key ci: owner, but viewer in the audit trail",
    "agent disabled: ONLINE, but DISABLED in the audit trail",
    "agent other: registered as renamed in the audit trail",
    "agent revoked: its token works, but was revoked in the audit trail",
    "user ada: owner, but operator in the audit trail",
    "user ben: DISABLED, but ACTIVE in the audit trail",
    "user cleo: one of its rows in the audit trail cannot be read",
    "user eve: the audit trail has no user.created event",
  ]);
  expect(orphanedKeys).toEqual(["ci"]);
});
