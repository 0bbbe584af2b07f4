// Credentials that have ended are deleted with the audit rows of the same age.

import { expect } from "vitest";
import { pruneCredentials } from "../../../src/core/access/credential-retention.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { type Scene, test } from "../scene.ts";

const dayMs = 24 * 60 * 60 * 1000;
const inOneDay = 24 * 60 * 60;

async function namesOf({ as }: Scene, list: "registration-tokens.list" | "api-keys.list") {
  const { data } = await as("owner").page(list, { query: { pageSize: 200 } });
  return data.map(({ name }) => name).sort();
}

async function agentTokens({ database }: Scene, agentId: string): Promise<string[]> {
  const rows = await database.read.all<{ state: string }>(
    `SELECT COALESCE(revoked_reason, 'ACTIVE') AS "state" FROM agent_tokens WHERE agent_id = ? ORDER BY id`,
    agentId,
  );
  return rows.map(({ state }) => state);
}

async function endOnes(scene: Scene): Promise<void> {
  const owner = scene.as("owner");
  const createToken = (name: string, more: object = {}) =>
    owner.call("registration-tokens.create", { body: { name, ...more } });
  await createToken("open", { expiresInSeconds: 0 });
  await createToken("expired", { expiresInSeconds: inOneDay });
  const { id: tokenId } = await createToken("revoked", { expiresInSeconds: 0 });
  await owner.call("registration-tokens.revoke", { params: { tokenId } });

  const createKey = (name: string, more: object = {}) =>
    owner.call("api-keys.create", { body: { name, role: "viewer", ...more } });
  await createKey("open");
  await createKey("expired", { expiresInSeconds: inOneDay });
  const { id: keyId } = await createKey("revoked");
  await owner.call("api-keys.revoke", { params: { keyId } });
}

test("ended credentials are deleted after auditRetentionDays", async ({ scene }) => {
  await endOnes(scene);
  const { agentId } = await scene.registerAgent("edge-1");
  const used = (await namesOf(scene, "registration-tokens.list")).length - 3;
  expect(used).toBe(2);
  expect(await agentTokens(scene, agentId)).toEqual(["ROTATED", "ACTIVE"]);

  scene.clock.advance(89 * dayMs);
  expect((await sweep(scene.app.core)).credentialsPruned).toBe(0);
  scene.clock.advance(1.5 * dayMs);
  // The revoked, used and replaced tokens are deleted first, and the expired ones a day later.
  expect((await sweep(scene.app.core)).credentialsPruned).toBe(2 + used + 1);
  scene.clock.advance(1.5 * dayMs);
  expect((await sweep(scene.app.core)).credentialsPruned).toBe(2);
  expect(await namesOf(scene, "registration-tokens.list")).toEqual(["open"]);
  expect(await namesOf(scene, "api-keys.list")).toEqual(["open"]);
  expect(await agentTokens(scene, agentId)).toEqual(["ACTIVE"]);
  expect((await sweep(scene.app.core)).credentialsPruned).toBe(0);
});

test("nothing is deleted if auditRetentionDays is 0", async ({ scene }) => {
  await endOnes(scene);
  await scene.as("owner").call("settings.update", { body: { auditRetentionDays: 0 } });
  scene.clock.advance(400 * dayMs);
  expect((await sweep(scene.app.core)).credentialsPruned).toBe(0);
});

test("an agent's last token is kept even if it was revoked", async ({ scene }) => {
  const { agentId, agentToken } = await scene.registerAgent("edge-1");
  await scene.as("operator").call("agents.revoke-token", { params: { agentId } });
  scene.clock.advance(400 * dayMs);
  await pruneCredentials(scene.app.core, scene.clock.now());
  expect(await agentTokens(scene, agentId)).toEqual(["REVOKED"]);
  await expect(scene.app.core.credentials.agent(agentToken)).rejects.toThrow("was revoked");
});

test("a sweep deletes more credentials than one transaction can", async ({ scene }) => {
  await scene.database.write(async (tx) => {
    for (let n = 0; n < 450; n++) {
      await tx.run(
        `INSERT INTO registration_tokens (id, token_hash, status, created_at, revoked_at)
         VALUES (?, ?, 'REVOKED', 0, 0)`,
        `reg_${n}`,
        `hash-${n}`,
      );
    }
  });
  expect(await pruneCredentials(scene.app.core, 1)).toBe(450);
});
