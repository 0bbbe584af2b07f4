// What the server remembers of tokens.

import { expect } from "vitest";
import { interceptReads } from "../intercepted-reads.ts";
import { test } from "../scene.ts";

test("a token that is revoked while it is looked up is refused on the next call", async ({
  scene,
}) => {
  const { credentials } = scene.app.core;
  const owner = scene.as("owner");
  const body = { name: "ci", role: "viewer" } as const;
  const { key, id: keyId } = await owner.call("api-keys.create", { body });
  const tokens = {
    agent_tokens: {
      use: async () => credentials.agent(scene.agent.agentToken),
      revoke: () => scene.change("revoke-token"),
    },
    api_keys: {
      use: () => credentials.apiKey(key),
      revoke: () => owner.call("api-keys.revoke", { params: { keyId } }),
    },
  };
  for (const [table, { use, revoke }] of Object.entries(tokens)) {
    credentials.forget();
    let isRevoked = false;
    interceptReads(scene, ({ all }) => ({
      async all(sql, ...params) {
        const rows = await all(sql, ...params);
        if (!isRevoked && sql.includes(`FROM ${table}`) && sql.includes("_hash IN")) {
          isRevoked = true;
          await revoke();
        }
        return rows as never;
      },
    }));
    expect(await use()).toBeDefined();
    expect(isRevoked).toBe(true);
    await expect(use()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  }
});
