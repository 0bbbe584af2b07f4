// What a wait prints about a command's agent. A wait ends even if the command has no output.

import { expect, test } from "vitest";
import type { CommandDetail } from "../../../src/cli/commands/commands/show.ts";
import { awaitCommand, silenceOf } from "../../../src/cli/commands/commands/wait-for-command.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import type { Client } from "../../../src/client/client.ts";
import { AppError } from "../../../src/domain/errors.ts";

const now = Date.parse("2026-01-31T12:00:00Z");
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

type Agent = { status: string; lastHeartbeatAt: string | null };

const agent = (status: string, lastHeartbeatAt: string | null) => ({ status, lastHeartbeatAt });

test.each<[says: string | null, status: string, agent: Agent | null]>([
  ["edge-7 last seen 1m ago; command expires in 4m", "PENDING", agent("ONLINE", ago(70))],
  ["edge-7 last seen 10s ago; command expires in 4m", "PENDING", agent("OFFLINE", ago(10))],
  ["edge-7 is DISABLED; command expires in 4m", "PENDING", agent("DISABLED", ago(10))],
  [null, "PENDING", agent("OFFLINE", null)],
  [null, "PENDING", agent("ONLINE", ago(10))],
  ["edge-7 last seen 1m ago; command times out in 4m", "RUNNING", agent("ONLINE", ago(70))],
  [null, "RUNNING", agent("ONLINE", ago(10))],
  [null, "SUCCEEDED", agent("OFFLINE", ago(70))],
  [null, "PENDING", null],
])("%s, if the command is %s and the agent is %o", async (says, status, found) => {
  const call = async () => {
    if (found === null) throw new Error("no agent");
    return found;
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
  const { command } = await awaitCommand({
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

test("a missing end is shown once, also if the command ends between two requests", async () => {
  const statuses = ["RUNNING", "FAILED"];
  const lost = { kind: "LOST", offset: 0, bytes: 0 };
  const call = async (route: string) =>
    route === "commands.output"
      ? { parts: [lost], status: "FAILED", nextOffset: 0, complete: true }
      : { id: "cmd_1", status: statuses.shift() };
  const taken: unknown[] = [];
  await awaitCommand({
    io: { interactive: false, now: () => now } as Io,
    api: { call, reached: true } as unknown as Client,
    signal: new AbortController().signal,
    options: {},
    commandId: "cmd_1",
    timeoutSeconds: 60,
    sink: { take: async (parts) => void taken.push(...parts) },
  });
  expect(taken).toEqual([lost]);
});
