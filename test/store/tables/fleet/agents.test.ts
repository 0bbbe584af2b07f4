import { expect, test } from "vitest";
import { insertAgentToken } from "../../../../src/store/tables/access/agent-tokens.ts";
import { findAgent, markOnline, saveAgent } from "../../../../src/store/tables/fleet/agents.ts";
import { startOfTime as now, openTestApp } from "../../../helpers/app.ts";

test.each([
  ["before it stopped, which another node received", now - 10, now - 11, "OFFLINE"],
  ["in the millisecond in which it stopped", now - 10, now - 10, "ONLINE"],
  ["after it stopped", now - 10, now - 9, "ONLINE"],
  ["after it stopped, while the clock is set back", now + 10, now, "ONLINE"],
])("an agent that called %s", async (_, stoppedAt, calledAt, status) => {
  const { database } = openTestApp();
  const stored = await database.write(async (tx) => {
    await saveAgent(tx, {
      id: "a",
      code: "a",
      name: null,
      mode: "sidecar",
      runtime: null,
      version: null,
      labels: {},
      assignedLabels: {},
      features: [],
      status: "OFFLINE",
      registeredAt: 0,
      updatedAt: 0,
      lastHeartbeatAt: null,
      disabledAt: null,
      stoppedAt,
    });
    await tx.run(
      "INSERT INTO registration_tokens (id, token_hash, status, created_at) VALUES ('r', 'r', 'USED', 0)",
    );
    await insertAgentToken(tx, { id: "t", agentId: "a", hash: "t", registrationTokenId: "r" });
    expect(await markOnline(tx, "a", calledAt)).toBe(status === "ONLINE");
    return findAgent(tx, "a");
  });
  expect(stored).toMatchObject({ status });
});
