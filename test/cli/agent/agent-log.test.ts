import { expect, test } from "vitest";
import { logEvent, openAgentLog } from "../../../src/cli/commands/agent/agent-log.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";

function recorded() {
  const lines: unknown[] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields, message]);
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { lines, log };
}

test("the agent's log has each event's level and fields, with control characters escaped and tokens redacted", () => {
  const { lines, log } = recorded();
  const event = {
    type: "command.log",
    at: "2026-01-02T03:04:05.678Z",
    level: "warn",
    message: "line\u001b[2J\nnext platform_agent_abcdef",
    commandId: "cmd_1",
    commandType: "ACTION_EXECUTE",
    serviceCode: "web",
    action: "a\u009bb",
    fields: { deep: ["platform_reg_abcdef\u0007", 1, null] },
  } as const;
  logEvent(log, event, null);
  logEvent(log, event, "Do this.");
  const facts = {
    type: "command.log",
    commandId: "cmd_1",
    commandType: "ACTION_EXECUTE",
    serviceCode: "web",
    action: "a\\u009bb",
    fields: { deep: ["platform_reg_[REDACTED]\\u0007", 1, null] },
  };
  const message = "line\\u001b[2J\\nnext platform_agent_[REDACTED]";
  expect(lines).toEqual([
    ["warn", facts, message],
    ["warn", facts, `${message} Do this.`],
  ]);
});

test("an invalid log level or format is an error that names it, and other variables are not read", async () => {
  const io = (env: Record<string, string>) => ({ env }) as Io;
  await expect(openAgentLog(io({ LOG_LEVEL: "loud" }), {})).rejects.toThrow("PLATFORM_LOG_LEVEL: ");
  await expect(openAgentLog(io({}), { logFormat: "xml" })).rejects.toThrow("--log-format: ");
  await openAgentLog(io({ PORT: "no port", LOG_LEVEL: "loud" }), { logLevel: "silent" });
});
