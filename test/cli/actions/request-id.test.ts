// With `--request-id`, a repeated command line creates nothing twice.

import { expect } from "vitest";
import { commandTypes } from "../../../src/domain/commands/commands.ts";
import { failing, test } from "../world.ts";

const setLevel = ["actions", "run", "log-collector", "set-level", "--request-id", "job-1"];

test("an action runs once, and is not prepared again", async ({ world }) => {
  const way = "--server";
  const words = [...setLevel, "--set", "level=10", "-o", "json"];
  const first = await world.run(way, words);
  expect(first.status).toBe(0);
  const again = await world.run(way, words);
  expect(again).toMatchObject({ status: 0, stdout: first.stdout });
  const notes = again.stderr.trimEnd().split("\n");
  expect(notes.map((line) => JSON.parse(line))).toMatchObject([
    { note: { code: "ALREADY_RUN" } },
    { command: {} },
  ]);
  const text = await world.run(way, words.slice(0, -2));
  expect(text.stderr).toMatch(/^An earlier run with this request id created the command.\n/);
  const query = { type: [...commandTypes] };
  expect(await world.as("owner").call("commands.list", { query })).toMatchObject([
    { type: "ACTION_EXECUTE" },
    { type: "ACTION_PREPARE" },
  ]);
});

test("a request id is refused if the call has other values", async ({ world }) => {
  await world.run("--server", [...setLevel, "--set", "level=warn"]);
  const words = [...setLevel, "--set", "level=debug", "-o", "json"];
  const refused = await world.run("--server", words);
  expect(refused).toMatchObject({ status: 5, stdout: "" });
  expect(JSON.parse(refused.stderr).error.code).toBe("IDEMPOTENCY_KEY_REUSED");
  expect(await world.executions()).toHaveLength(1);
});

test("a value that is partly redacted is not compared", async ({ world }) => {
  const set = ["--set", "url=postgres://u:pw@h/db", "--set", 'db={"host":"h","password":"y"}'];
  const words = [...setLevel, ...set, "-o", "json"];
  const first = await world.run("--server", words);
  expect(first.status).toBe(0);
  expect(first.stdout.match(/\[REDACTED\]/g)?.length).toBeGreaterThanOrEqual(2);
  expect(await world.run("--server", words)).toMatchObject({ status: 0, stdout: first.stdout });
  const other = await world.run("--server", [...words, "--set", "level=debug"]);
  expect(other).toMatchObject({ status: 5, stdout: "" });
  expect(await world.executions()).toHaveLength(1);
});

const route = '{"name":"r","match":{"type":"a.b"},"target":{"serviceCode":"x","action":"y"}}';

test.for([
  ["events publish --type disk.full --source log-collector -o json", "events"],
  [`api POST bus/routes --data ${route}`, "routes"],
  ["rollouts start set-level --agent edge-1 --yes -o name", "rollouts"],
] as const)("a repeated `%s` creates one object", async ([line, noun], { world }) => {
  const run = () => world.run("--server", [...line.split(" "), "--request-id", "job-1"]);
  const count = async () =>
    JSON.parse((await world.run("--server", [noun, "list", "-o", "json"])).stdout).length;
  const before = await count();
  const first = await run();
  expect(first.status).toBe(0);
  expect(await run()).toMatchObject({ status: 0, stdout: first.stdout });
  expect(await count()).toBe(before + 1);
});

test("a rollout or schedule is found again, whatever the service has become", async ({ world }) => {
  const service = (type: string, healthStatus: "UP" | "DOWN") => {
    const inputSchema = { properties: { version: { type }, list: { type: "array" } } };
    const actions = [{ name: "upgrade", prepare: false, inputSchema }];
    return { code: "web", name: "web", version: "1", healthStatus, actions };
  };
  const { client } = await world.registerAgent("edge-3", [service("string", "DOWN")]);
  const set = ["--set", "version=1.10", "--set", "list.0=a"];
  const commands = [
    ["rollouts", "start", "upgrade", "--status", "UNHEALTHY", "--agent", "edge-3"],
    "schedules create nightly --every 1d --service web --action upgrade".split(" "),
  ].map((words, at) => [...words, ...set, "--yes", "-o", "name", "--request-id", `job-${at}`]);
  const run = () => Promise.all(commands.map((words) => world.run("--server", words)));
  const first = await run();
  await client.call("agent.report", { body: { services: [service("number", "UP")] } });
  expect(await run()).toMatchObject(first.map(({ stdout }) => ({ status: 0, stdout })));
  commands[0]?.push("--waves", "1");
  commands[1]?.push("--set", "version=1.2");
  expect(await run()).toMatchObject([{ status: 5 }, { status: 5 }]);
});

test("the secret of a new token is returned once", async ({ world }) => {
  const invalid = ["tokens", "create", "--request-id", "two words"];
  expect(await world.run("--server", invalid)).toMatchObject(
    failing(2, "--request-id must be 1 to 128 visible ASCII characters"),
  );
  const words = ["tokens", "create", "--name", "x", "--request-id", "job-1", "-o", "json"];
  const first = JSON.parse((await world.run("--server", words)).stdout);
  const again = await world.run("--server", words);
  expect(again).toMatchObject({ status: 5, stdout: "" });
  expect(JSON.parse(again.stderr).error).toMatchObject({
    code: "IDEMPOTENCY_SECRET_GONE",
    details: { id: first.id },
  });
});
