// What a wait says about the agent of a pending command, and that it needs no output.

import { expect, test } from "vitest";
import type { CommandDetail } from "../../../src/cli/commands/commands/show.ts";
import { awaitCommand, silenceOf } from "../../../src/cli/commands/commands/wait-for-command.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import type { Client } from "../../../src/client/client.ts";
import { AppError } from "../../../src/domain/errors.ts";

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

test("a wait for a command of an older server, which has no output, ends as well", async () => {
  const statuses = ["RUNNING", "RUNNING", "SUCCEEDED"];
  const call = async (route: string) => {
    if (route === "commands.output") throw new AppError("NOT_FOUND", "There is no such path.");
    return { id: "cmd_1", status: statuses.shift() };
  };
  const taken: unknown[] = [];
  const command = await awaitCommand({
    io: { interactive: false, now: () => now } as Io,
    api: { call, reached: true } as unknown as Client,
    signal: new AbortController().signal,
    options: {},
    commandId: "cmd_1",
    timeoutSeconds: 60,
    sink: { take: async (parts) => void taken.push(parts) },
  });
  expect([command.status, taken]).toEqual(["SUCCEEDED", []]);
});
