// The story: an agent joins, services are seen, actions are run, one fails, the service goes down, the
// agent is shut out, and all of it stands in the audit trail. The operator's part is `platformctl`.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Shown, Stage } from "./stage.ts";

export async function playStory(stage: Stage): Promise<void> {
  await joinFleet(stage);
  await lookAround(stage);
  await runActions(stage);
  await failHonestly(stage);
  await loseService(stage);
  await shutOut(stage);
  await readTheTrail(stage);
}

async function joinFleet(stage: Stage): Promise<void> {
  stage.tell("1. A server, on an empty folder. On this host, the database file is the credential.");
  await stage.startServer();
  stage.say(`  it answers at ${stage.url}`);
  const key = await stage.platformctl(["api-keys", "create", "--name", "demo", "--role", "owner"]);
  const invited = await stage.platformctl([
    "tokens",
    "create",
    "--name",
    "edge",
    "--expires",
    "1h",
  ]);
  stage.apiKey = wordOf(key, "platform_key_");

  stage.tell("2. A service to manage, a log collector, and an agent beside it, with that token.");
  const collectorUrl = await stage.startCollector();
  await fillLogs(collectorUrl);
  stage.startAgent(collectorUrl, wordOf(invited, "platform_reg_"));
  await waitForStatus(stage, "HEALTHY");

  stage.tell("3. From here on the operator works over HTTP, with the API key.");
  await stage.platformctl(["agents", "list"]);
  const { data: agents } = await stage.client.page("agents.list");
  stage.check("the agent is ONLINE", agents[0]?.status === "ONLINE");
}

async function lookAround(stage: Stage): Promise<void> {
  const listed = await stage.platformctl(["services", "list"]);
  stage.check("the service is HEALTHY", listed.stdout.includes("HEALTHY"));
  await stage.platformctl(["services", "get", "log-collector"]);
  stage.tell("4. Two phases: PREPARE asks the agent for the form and the state of right now.");
  const prepared = await stage.platformctl(["actions", "prepare", "log-collector", "rotate-log"]);
  stage.check("the form offers the files that are there", prepared.stdout.includes("app.log"));
}

async function runActions(stage: Stage): Promise<void> {
  stage.tell("5. EXECUTE runs it.");
  const level = await run(stage, "set-level", ["--set", "level=debug"]);
  stage.check("set-level succeeded", level.status === 0 && level.stdout.includes("SUCCEEDED"));
  const tail = await run(stage, "tail", ["--set", "file=app.log", "--set", "lines=3"]);
  stage.check("tail brought real lines", tail.stdout.includes("request 40 served"));
  const unconfirmed = await run(stage, "rotate-log", ["--set", "file=app.log"]);
  stage.check("a HIGH action is refused without --yes (exit 5)", unconfirmed.status === 5);
  const rotated = await run(stage, "rotate-log", ["--set", "file=app.log", "--yes"]);
  const moved = existsSync(join(stage.logFolder, "app.log.1"));
  stage.check("rotate-log succeeded, and app.log.1 is on disk", rotated.status === 0 && moved);
}

async function failHonestly(stage: Stage): Promise<void> {
  stage.tell(
    "6. Somebody deletes web.log behind everyone's back. A command that cannot be done says so.",
  );
  rmSync(join(stage.logFolder, "web.log"));
  const failed = await run(stage, "rotate-log", ["--payload", '{"file":"web.log"}', "--yes"]);
  stage.check("the command FAILED with the agent's own code (exit 1)", failed.status === 1);
  stage.check("the code is FILE_GONE", failed.stdout.includes("FILE_GONE"));
}

async function loseService(stage: Stage): Promise<void> {
  stage.tell("7. The service stops. Its agent lives on and reports it.");
  const collector = stage.program("collector");
  stage.say(`\n$ kill ${collector.pid}`);
  await collector.stop();
  await waitForStatus(stage, "UNHEALTHY");
  const listed = await stage.platformctl(["services", "list"]);
  stage.check("the service is UNHEALTHY", listed.stdout.includes("UNHEALTHY"));
}

async function shutOut(stage: Stage): Promise<void> {
  stage.tell("8. The operator disables the agent. Its very next call is refused.");
  const disabled = await stage.platformctl(["agents", "disable", "edge-1"]);
  stage.check("the agent is DISABLED", disabled.stdout.includes("DISABLED"));
  const agent = stage.program("agent");
  const refusal = await stage.until("the agent is refused", 10, () =>
    agent
      .output()
      .split("\n")
      .find((line) => line.includes("AGENT_DISABLED")),
  );
  stage.say(`\nthe agent says: ${refusal}`);
  stage.check("the agent's calls are refused with AGENT_DISABLED", refusal.length > 0);
  const listed = await stage.platformctl(["services", "list"]);
  stage.check("its service counts as OFFLINE", listed.stdout.includes("OFFLINE"));
}

async function readTheTrail(stage: Stage): Promise<void> {
  stage.tell("9. All of it is in the audit trail, newest first.");
  await stage.platformctl(["audit", "list", "--limit", "60"]);
  const { data } = await stage.client.page("audit-events.list", { query: { pageSize: 200 } });
  const seen = new Set(data.map((event) => event.action));
  for (const action of expectedActions) stage.check(`${action} is there`, seen.has(action));
}

const expectedActions = [
  "registration_token.consumed",
  "agent.registered",
  "service.reported",
  "action.prepare.requested",
  "command.completed",
  "command.failed",
  "service.health.changed",
  "agent.disabled",
];

function run(stage: Stage, action: string, words: string[]): Promise<Shown> {
  return stage.platformctl(["actions", "run", "log-collector", action, ...words]);
}

function waitForStatus(stage: Stage, status: string): Promise<unknown> {
  return stage.until(`the service is ${status}`, 15, async () => {
    const { data } = await stage.client.page("services.list");
    return data.some((service) => service.status === status);
  });
}

/** What programs that use the collector would send. */
async function fillLogs(collectorUrl: string): Promise<void> {
  for (const [file, count] of [
    ["app.log", 40],
    ["web.log", 12],
  ] as const) {
    for (let number = 1; number <= count; number++) {
      const body = JSON.stringify({ level: "info", line: `request ${number} served` });
      const headers = { "content-type": "application/json" };
      await fetch(`${collectorUrl}/logs/${file}`, { method: "POST", headers, body });
    }
  }
}

function wordOf(shown: Shown, prefix: string): string {
  const word = shown.stdout.split(/\s+/).find((part) => part.startsWith(prefix));
  if (!word) throw new Error(`platformctl printed no ${prefix}…`);
  return word;
}
