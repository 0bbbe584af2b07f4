// The demo's story: two agents register, actions run and fail, and the audit trail shows it all.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loseNode, revokeToken, startNodes } from "./cluster-story.ts";
import { fullShards } from "./page-cache.ts";
import type { Shown, Stage } from "./stage.ts";

export async function runStory(stage: Stage): Promise<void> {
  await joinFleet(stage);
  await lookAround(stage);
  await runActions(stage);
  await failAction(stage);
  await rollOut(stage);
  await loseService(stage);
  if (isCluster(stage)) await loseNode(stage);
  await disableAgent(stage);
  if (isCluster(stage)) await revokeToken(stage);
  await readTrail(stage);
}

async function joinFleet(stage: Stage): Promise<void> {
  if (isCluster(stage)) await startNodes(stage);
  else await startServer(stage);
  const key = await stage.platformctl("api-keys", "create", "--name", "demo", "--role", "owner");
  const first = await invite(stage, "edge-1");
  const second = await invite(stage, "edge-2");
  stage.apiKey = wordOf(key, "platform_key_");

  stage.announce(
    "A log collector knows nothing about agents. A sidecar manages it through a YAML file.",
  );
  const collectorUrl = await stage.startCollector();
  await fillLogs(collectorUrl);
  stage.say(`\nfrom that file:\n${excerptOf(stage.startSidecar(collectorUrl, first))}`);

  stage.announce("A page cache is its own agent: it runs the library in its own process.");
  stage.startPageCache(second);
  await waitForStatus(stage, "log-collector", "HEALTHY");
  await waitForStatus(stage, "page-cache", "HEALTHY");

  stage.announce(
    isCluster(stage)
      ? "From here on, the operator works over HTTP with the API key, through a different node than the agents."
      : "From here on, the operator works over HTTP with the API key.",
  );
  await stage.platformctl("agents", "list");
  const { data: agents } = await stage.client.page("agents.list");
  const online = agents.filter(({ status }) => status === "ONLINE").map(({ mode }) => mode);
  stage.check("both agents are ONLINE", online.sort().join() === "embedded,sidecar");
}

function isCluster({ database }: Stage): boolean {
  return database.kind === "postgresql";
}

async function startServer(stage: Stage): Promise<void> {
  stage.announce(
    "A server starts on an empty folder. On its host, the database file is the credential.",
  );
  await stage.startServer("server", "data");
}

async function invite(stage: Stage, name: string): Promise<string> {
  const created = await stage.platformctl("tokens", "create", "--name", name, "--expires", "1h");
  return wordOf(created, "platform_reg_");
}

/** Returns the part of agent.yaml that describes the service, without its actions. */
function excerptOf(text: string): string {
  const lines = text.slice(text.indexOf("services:"), text.indexOf("    configs:")).split("\n");
  return [...lines.slice(0, -1), "    …"].map((line) => `  ${line}`).join("\n");
}

async function lookAround(stage: Stage): Promise<void> {
  const listed = await stage.platformctl("services", "list");
  const healthy = [/page-cache +HEALTHY/, /log-collector +HEALTHY/];
  stage.check(
    "both services are HEALTHY",
    healthy.every((line) => line.test(listed.stdout)),
  );
  await stage.platformctl("services", "get", "log-collector");
  stage.announce("Two phases: PREPARE asks the agent for the form and the current state.");
  const prepared = await stage.platformctl("actions", "prepare", "log-collector", "rotate-log");
  stage.check("the form offers the existing files", prepared.stdout.includes("app.log"));
}

async function runActions(stage: Stage): Promise<void> {
  stage.announce(
    "EXECUTE runs the action: the sidecar calls the collector; the page cache runs it itself.",
  );
  const level = await run(stage, "set-level", "--set", "level=debug");
  stage.check("set-level succeeded", level.status === 0 && level.stdout.includes("SUCCEEDED"));
  const tail = await run(stage, "tail", "--set", "file=app.log", "--set", "lines=3");
  stage.check("tail returned real lines", tail.stdout.includes("request 40 served"));
  const unconfirmed = await run(stage, "rotate-log", "--set", "file=app.log");
  stage.check("a HIGH action is refused without --yes (exit 5)", unconfirmed.status === 5);
  const rotated = await run(stage, "rotate-log", "--set", "file=app.log", "--yes");
  const moved = existsSync(join(stage.logFolder, "app.log.1"));
  stage.check("rotate-log succeeded, and app.log.1 is on disk", rotated.status === 0 && moved);
  const pages = await stage.platformctl("actions", "run", "page-cache", "pages");
  stage.check("the cached pages are a table", /PATH +SIZE/.test(pages.stdout));
  const remove = ["actions", "run", "page-cache", "remove-page", "--set", "path=/news/1"];
  stage.check("its first row offers to remove the page", pages.stdout.includes(remove.join(" ")));
  const clear = ["actions", "run", "page-cache", "clear", "--set", "prefix=/news/"];
  const { stdout } = await stage.platformctl(...clear);
  stage.check("the page cache removed 6 pages", /removed +6\b|removed: 6/.test(stdout));
}

async function failAction(stage: Stage): Promise<void> {
  stage.announce("Someone deletes web.log. A command that cannot be carried out reports why.");
  rmSync(join(stage.logFolder, "web.log"));
  const failed = await run(stage, "rotate-log", "--payload", '{"file":"web.log"}', "--yes");
  stage.check("the command FAILED with the collector's own code (exit 1)", failed.status === 1);
  stage.check("the code is FILE_GONE", failed.stdout.includes("FILE_GONE"));
}

async function rollOut(stage: Stage): Promise<void> {
  stage.announce(
    "A rollout runs one action on many services, in waves. Two shards of the page cache have a full disk.",
  );
  const words = ["rebuild", "--selector", "tier=cache", "--waves", "1,50%", "--parallel", "1"];
  const shown = await stage.platformctl("rollouts", "start", ...words, "--yes", "--wait");
  const hasStopped = shown.status === 7 && shown.stdout.includes("too many failures");
  stage.check("the rollout stopped itself at the first failure (exit 7)", hasStopped);
  const id = wordOf(shown, "rol_");
  const columns = ["--columns", "wave,service,state,error"];
  const { stdout } = await stage.platformctl("rollouts", "targets", id, ...columns);
  const failed = stdout.match(/shard-\d +FAILED +DISK_FULL/g) ?? [];
  const left = fullShards.filter((number) => new RegExp(`shard-${number} +NOT_RUN`).test(stdout));
  stage.check("one shard failed", failed.length === 1);
  stage.check("the other one with a full disk was not run", left.length === 1);
}

async function loseService(stage: Stage): Promise<void> {
  stage.announce(
    "The collector stops. Its agent continues, and reports that the collector is down.",
  );
  const collector = stage.program("collector");
  stage.say(`\n$ kill ${collector.pid}`);
  await collector.stop();
  await waitForStatus(stage, "log-collector", "UNHEALTHY");
  const { stdout } = await stage.platformctl("services", "list");
  stage.check("the collector is UNHEALTHY", /log-collector +UNHEALTHY/.test(stdout));
  stage.check("the page cache is unchanged", /page-cache +HEALTHY/.test(stdout));
}

async function disableAgent(stage: Stage): Promise<void> {
  const server = isCluster(stage) ? "Node-a" : "The server";
  stage.announce(`The operator disables the sidecar. ${server} refuses its next call.`);
  const disabled = await stage.platformctl("agents", "disable", "edge-1");
  stage.check("the agent is DISABLED", disabled.stdout.includes("DISABLED"));
  const sidecar = stage.program("sidecar");
  const isRefusal = (line: string) => line.includes('"AGENT_DISABLED"') && line.endsWith("}");
  const refusal = await stage.until("the server refuses the agent", 10, () =>
    sidecar.output().split("\n").find(isRefusal),
  );
  stage.say(`\nthe sidecar's log: ${JSON.parse(refusal).msg}`);
  stage.check("the agent's calls are refused with AGENT_DISABLED", refusal.length > 0);
  const { stdout } = await stage.platformctl("services", "list");
  stage.check("its service counts as OFFLINE", /log-collector +OFFLINE/.test(stdout));
}

async function readTrail(stage: Stage): Promise<void> {
  stage.announce("The audit trail contains all of this. These are its newest rows.");
  const columns = ["--columns", "at,actor,action,target"];
  await stage.platformctl("audit", "list", "--limit", "15", ...columns);
  const { data } = await stage.client.page("audit-events.list", { query: { pageSize: 200 } });
  const seen = new Set(data.map((event) => event.action));
  for (const action of expectedActions) stage.check(`${action} is recorded`, seen.has(action));
}

const expectedActions = [
  "registration_token.consumed",
  "agent.registered",
  "service.reported",
  "action.prepare.requested",
  "command.completed",
  "command.failed",
  "rollout.failed",
  "service.health.changed",
  "agent.disabled",
];

function run(stage: Stage, action: string, ...words: string[]): Promise<Shown> {
  return stage.platformctl("actions", "run", "log-collector", action, ...words);
}

function waitForStatus(stage: Stage, code: string, status: string): Promise<unknown> {
  return stage.until(`${code} is ${status}`, 15, async () => {
    const { data } = await stage.client.page("services.list");
    return data.some((service) => service.code === code && service.status === status);
  });
}

async function fillLogs(collectorUrl: string): Promise<void> {
  for (const [file, count] of Object.entries({ "app.log": 40, "web.log": 12 })) {
    for (let number = 1; number <= count; number++) {
      const body = JSON.stringify({ level: "info", line: `request ${number} served` });
      await fetch(`${collectorUrl}/logs/${file}`, { method: "POST", body });
    }
  }
}

function wordOf(shown: Shown, prefix: string): string {
  const word = shown.stdout.split(/\s+/).find((part) => part.startsWith(prefix));
  if (!word) throw new Error(`platformctl printed no ${prefix}…`);
  return word;
}
