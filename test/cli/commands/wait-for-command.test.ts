// What a wait says about the agent of a pending command.

import { expect, test } from "vitest";
import type { CommandDetail } from "../../../src/cli/commands/commands/show.ts";
import { silenceOf } from "../../../src/cli/commands/commands/wait-for-command.ts";
import type { Client } from "../../../src/client/client.ts";

const now = Date.parse("2026-01-31T12:00:00Z");
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

test.each<[says: string | null, status: string, lastHeartbeatAt: string | null | Error]>([
  ["edge-7 last seen 1m ago; the command expires in 4m", "PENDING", ago(70)],
  [null, "PENDING", null],
  [null, "PENDING", ago(10)],
  [null, "RUNNING", ago(70)],
  [null, "PENDING", new Error("no agent")],
])("%s, if the command is %s and the agent was seen at %s", async (says, status, seen) => {
  const call = async () => {
    if (seen instanceof Error) throw seen;
    return { lastHeartbeatAt: seen };
  };
  const command = { status, agentId: "agt_7", agentCode: "edge-7", expiresAt: ago(-240) };
  const api = { call } as unknown as Client;
  expect(await silenceOf(api, command as CommandDetail, now)).toBe(says);
});
