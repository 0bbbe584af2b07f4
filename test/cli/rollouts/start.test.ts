// What `rollouts start` asks, refuses, and prints while it waits.

import { expect } from "vitest";
import { startRollout } from "../../../src/cli/commands/rollouts/start.ts";
import { failureNotes } from "../../../src/cli/commands/rollouts/watch.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import type { Client } from "../../../src/client/client.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld, test } from "../world.ts";

/** A world for commands that fail. */
const shared = perFile(openWorld);

test("it shows what it would run, asks, and says with --yes which services are left out", async ({
  world,
}) => {
  const words = ["rollouts", "start", "rotate-log", "--selector", "", "--set", "file=app.log"];
  const asked = await world.run("--server", words);
  expect(asked.status).toBe(5);
  expect(asked.stderr).toContain("1 service; it stops at the first failure.\n");
  expect(asked.stderr).toContain("wave 1: 1 service\n  log-collector\n");
  const leftOut = "  sleeper: The service declares no action rotate-log.\n";
  expect(asked.stderr).toContain(`left out\n${leftOut}`);
  expect(asked.stderr).toContain("\npayload\n  file: app.log\n");
  expect(asked.stderr).toContain("Start the rollout of rotate-log (HIGH) on 1 service? Add --yes");
  expect((await world.run("--server", ["rollouts", "list", "-o", "json"])).stdout).toBe("[]\n");

  const started = await world.run("--server", [...words, "--yes"]);
  expect(started.status).toBe(0);
  expect(started.stderr).toContain(`1 service is left out:\n${leftOut}`);
  const asJson = await world.run("--server", [...words, "--yes", "-o", "json"]);
  expect(JSON.parse(asJson.stderr).note).toMatchObject({
    code: "SERVICES_LEFT_OUT",
    message: "1 service is left out.",
    services: [{ serviceCode: "sleeper", code: "ACTION_NOT_FOUND" }],
  });
});

test("--wait says when the time is over, and how to continue waiting", async ({ world }) => {
  const words = "rollouts start snore --service sleeper --wait --timeout 0s --yes -o json";
  const ran = await world.run("--server", words.split(" "));
  expect(ran.status).toBe(8);
  const message = `Still RUNNING. To continue waiting: platformctl rollouts watch ${JSON.parse(ran.stdout).id}`;
  expect(JSON.parse(ran.stderr)).toEqual({ note: { code: "WAIT_TIMED_OUT", message } });
});

test("--dry-run shows the rollout, and starts nothing", async ({ world }) => {
  const words = ["rollouts", "start", "set-level", "-l", "", "--set", "level=info", "--dry-run"];
  const tolerant = [...words, "--max-failures", "1"];
  const { status, stdout, stderr } = await world.run("--server", tolerant);
  expect([status, stderr]).toEqual([0, "\nNothing was started.\n"]);
  const none = await world.run("--server", "rollouts start snore --dry-run -l a=b".split(" "));
  expect(none.status).toBe(5);
  expect(none.stderr).toBe(
    "\nNothing was started.\n" +
      'platformctl: no service was chosen. No agent or service has a label "a".\n',
  );
  expect(stdout).toMatch(/^danger +LOW\nconfirm +no$/m);
  expect(stdout).toMatch(/^stops +after more than 1 failure$/m);
  expect(stdout).toContain("\npayload\n  level: info\n");
  expect((await world.run("--server", ["rollouts", "list", "-o", "json"])).stdout).toBe("[]\n");
});

test("an empty --payload is refused, as by actions run", async () => {
  const words = ["rollouts", "start", "set-level", "-l", "", "--payload", "", "--yes"];
  expect(await shared().run("--server", words)).toMatchObject(
    failing(2, /--payload is not JSON: /),
  );
});

test("--set reads values as the services declare them", async ({ world }) => {
  const typed = (type: string) => ({ type: "object", properties: { version: { type } } });
  const service = (code: string, type: string) => {
    const actions = [{ name: "upgrade", prepare: false, inputSchema: typed(type) }];
    return { code, name: code, version: "1", healthStatus: "UP", actions };
  };
  await world.registerAgent("edge-3", [service("web", "string"), service("db", "number")]);
  const run = async (...chosen: string[]) => {
    const words = ["rollouts", "start", "upgrade", ...chosen, "--set", "version=1.1", "--dry-run"];
    const { status, stdout, stderr } = await world.run("--server", [...words, "-o", "json"]);
    return status === 0 ? JSON.parse(stdout) : stderr;
  };
  expect(await run("--service", "web")).toMatchObject({ total: 1, payload: { version: "1.1" } });
  expect(await run("--service", "db")).toMatchObject({ total: 1, payload: { version: 1.1 } });
  expect(await run("-l", "")).toMatch(
    /--set: (web and db|db and web) declare the fields with diff/,
  );
});

test("with many failures, the first 200 are printed", async ({ world }) => {
  const actions = [{ name: "upgrade", prepare: false }];
  const services = Array.from({ length: 201 }, (_, n) => ({
    ...{ code: `web-${n}`, name: `Web ${n}`, version: "1", actions },
  }));
  const { client } = await world.registerAgent("edge-3", services);
  await client.call("agent.offline", { body: {} });
  world.app.core.rollouts.start();
  const words = ["rollouts", "start", "upgrade", "--agent", "edge-3", "--offline", "fail"];
  const options = ["--max-failures", "100%", "--parallel", "1000", "--yes", "--wait"];
  const { status, stderr } = await world.run("--server", [...words, ...options]);
  expect(status).toBe(7);
  expect(stderr.match(/^failed: web-/gm)).toHaveLength(200);
  expect(stderr).toMatch(/^Only 200 failures are printed here\. To list all: platformctl/m);
});

test("if exactly 200 services fail, no failure is reported as missing", async () => {
  let total = 200;
  const page = async () => ({
    data: Array.from({ length: 200 }, (_, position) => ({ position, serviceCode: "web" })),
    pagination: { page: 1, pageSize: 200, total },
  });
  const lines: string[] = [];
  const io = { note: (line: string) => void lines.push(line) } as Io;
  const notes = failureNotes({ io, options: {} }, { page } as unknown as Client, "rol_1");
  await notes.note();
  expect(new Set(lines)).toEqual(new Set(["failed: web: \n"]));
  expect([lines.length, notes.isCut]).toEqual([200, false]);
  total++;
  await notes.note();
  expect(lines.slice(200)).toEqual([expect.stringMatching(/^Only 200 failures are printed here/)]);
  expect(notes.isCut).toBe(true);
});

test("--wait prints each failure when it happens, and exits with 7; a retry asks", async ({
  world,
}) => {
  world.app.core.rollouts.start();
  const words = ["rollouts", "start", "explode", "--service", "log-collector", "--yes", "--wait"];
  const ran = await world.run("--server", [...words, "--columns", "state,services"]);
  expect(ran.status).toBe(7);
  expect(ran.stdout).toContain("state     FAILED\nservices  1 failed\n");
  expect(ran.stderr).toMatch(
    /^failed: log-collector: .+\n\nTo run the action again on the services that failed: /,
  );
  const asJson = await world.run("--server", [...words, "-o", "json"]);
  expect(asJson.status).toBe(7);
  const rollout = JSON.parse(asJson.stdout);
  expect(rollout).toMatchObject({ state: "FAILED", targets: { FAILED: 1 } });
  const notes = asJson.stderr.trim().split("\n");
  expect(notes.map((line) => Object.keys(JSON.parse(line)))).toEqual([["failed"], ["note"]]);
  const retry = (id: string) => world.run("--server", ["rollouts", "retry", id]);
  expect(await retry(rollout.id)).toMatchObject(
    failing(5, "Run explode again on 1 service? Add --yes"),
  );
  const fine = ["rollouts", "start", "set-level", "--agent", "edge-1", "--yes", "--wait"];
  const { stdout } = await world.run("--server", [...fine, "-o", "name"]);
  expect(await retry(stdout.trim())).toMatchObject(
    failing(5, "No existing service of the rollout failed."),
  );
});

test("--canary is refused if the server is too old to know it", async () => {
  const calls: string[] = [];
  const api = {
    call: async (name: string) => {
      calls.push(name);
      return { total: 1, waves: [], leftOut: [], seed: "1", payload: {} };
    },
  };
  const options = { selector: "", canary: "canary=true", between: "continue", yes: true };
  const invocation = { args: ["restart"], options, client: async () => api };
  await expect(startRollout(invocation as never)).rejects.toThrow("this server is too old");
  expect(calls).toEqual(["rollouts.preview"]);
});

test.each([
  ["rollouts start set-level", "choose services with --selector, --service, --agent or --status"],
  [
    "rollouts start set-level -l a --if-unchanged --request-id a",
    "--request-id cannot be used with --if-unchanged",
  ],
  ["rollouts start set-level -l a:b", 'selector: has a:b; write a=b, or "a:b"'],
  ["rollouts start set-level --service web --between soon", "--between must be continue, pause"],
  ["rollouts start set-level --service web --payload 1", "--payload must be a JSON object"],
  ["rollouts start set-level --service web --payloads [1]", "--payloads must be JSON such as"],
  ["rollouts start set-level --service sleeper --waves 5,x", "must be a number such as 5, or a"],
])("%s is refused: %s", async (words, says) => {
  expect(await shared().run("--server", words.split(" "))).toMatchObject(failing(2, says));
});

test.each([
  ["rollouts start snore --service sleepr", 3, "no service sleepr. Did you mean sleeper?"],
  ["rollouts start snore --agent edgy-2", 3, "no agent edgy-2. Did you mean edge-2?"],
])("%s exits with %d: %s", async (words, status, says) => {
  const refused = await shared().run("--server", words.split(" "));
  expect(refused).toMatchObject(failing(status, says));
});

test("labels that no service has are named, and so are missing values", async ({ world }) => {
  await world.run("--server", ["agents", "label", "edge-1", "site=demo"]);
  const inputSchema = {
    type: "object",
    required: ["version"],
    properties: { version: { type: "string" } },
  };
  const actions = [{ name: "deploy", inputSchema }];
  await world.registerAgent("edge-3", [{ code: "shop", name: "Shop", version: "1", actions }]);
  for (const [words, status, says] of [
    ["snore -l siet=demo", 5, 'has a label "siet". Did you mean site?\n'],
    ["snore -l site=none", 5, "no service was chosen.\n"],
    ["snore -l site=none,!siet", 5, "no service was chosen.\n"],
    ["deploy --service shop", 2, "the action needs a value. Provide:\n  --set version=… (text)\n"],
    ["deploy --service shop --set versoin=1", 2, "no field versoin; did you mean version?"],
    ["deplyo --service shop", 5, "declares no action deplyo. Did you mean deploy?\n"],
  ] as const) {
    const refused = await world.run("--server", ["rollouts", "start", ...words.split(" ")]);
    expect(refused).toMatchObject(failing(status, says));
  }
  const dry = "rollouts start deplyo --service shop --dry-run".split(" ");
  const { status, stderr } = await world.run("--server", dry);
  expect(status).toBe(5);
  expect(stderr).toContain("declares no action deplyo. Did you mean deploy?\n");
});
