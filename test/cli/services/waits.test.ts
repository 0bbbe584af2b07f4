// `agents wait` and `services wait`, over HTTP and on the database file.

import { expect } from "vitest";
import { exit } from "../../../src/cli/exit.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { cli, sleeper, test, type World, ways } from "../world.ts";

function disable({ as, sleeping: { agentId } }: World) {
  return as("owner").call("agents.disable", { params: { agentId } });
}

/** Waits for longer than another wait takes to look. */
async function lookedInVain(world: World, way: (typeof ways)[number]): Promise<void> {
  const late = await world.run(way, ["agents", "wait", "edge-77", "--timeout=1s"]);
  expect(late.status).toBe(exit.stillPending);
}

test("a status that does not depend on the agent is printed immediately", async ({ world }) => {
  await disable(world);
  const agent = await world.run("--db", "agents wait edge-2 --for=disabled -o name".split(" "));
  expect(agent).toEqual({ status: 0, stdout: "edge-2\n", stderr: "" });
  const words = ["services", "wait", "sleeper", "--for=offline", "--timeout=0s", "-o", "json"];
  const service = await world.run("--db", words);
  expect(service).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(service.stdout)).toMatchObject({ code: "sleeper", status: "OFFLINE" });
});

test.for(ways)("%s: reports from before the wait do not count", async (way, { world }) => {
  const ofService = ["services", "wait", "sleeper", "--for=unhealthy", "-o", "name"];
  const ofAgent = ["agents", "wait", "edge-2", "-o", "name"];
  const early = [ofService, ofAgent].map((words) => world.run(way, [...words, "--timeout=1s"]));
  for (const stale of await Promise.all(early)) {
    expect(stale.status).toBe(exit.stillPending);
    expect(stale.stderr).toMatch(
      /^Last reported as (UNHEALTHY|ONLINE), but there was no report in 1s/,
    );
  }
  let isOver = false;
  const waiting = Promise.all([world.run(way, ofService), world.run(way, ofAgent)]);
  void waiting.finally(() => {
    isOver = true;
  });
  await lookedInVain(world, way);
  expect(isOver).toBe(false);
  world.clock.advance(1000);
  const body = { services: [sleeper] as never };
  await world.sleeping.client.call("agent.report", { body });
  // A server flushes the presence every second.
  await flushPresence(world.app.core);
  expect(await waiting).toEqual([
    { status: 0, stdout: "sleeper\n", stderr: "" },
    { status: 0, stdout: "edge-2\n", stderr: "" },
  ]);
});

test("an agent that was enabled again counts only when it calls", async ({ world }) => {
  await disable(world);
  await world.run("--db", ["agents", "enable", "edge-2"]);
  const late = await world.run("--db", ["agents", "wait", "edge-2", "--timeout=1s"]);
  expect(late.status).toBe(exit.stillPending);
});

test("waits for a status to change, and for things that do not exist yet", async ({ world }) => {
  const way = "--server";
  const disabled = world.run(way, "agents wait edge-2 --for DISABLED -o name".split(" "));
  const comes = world.run(way, ["agents", "wait", "edge-9", "-o", "name"]);
  const reported = world.run(way, ["services", "wait", "hummer", "-o", "name"]);
  let isOver = false;
  void Promise.race([disabled, comes, reported]).finally(() => {
    isOver = true;
  });
  await lookedInVain(world, way);
  expect(isOver).toBe(false);
  await disable(world);
  await world.registerAgent("edge-9", [
    { code: "hummer", name: "Hummer", version: "1.0.0", healthStatus: "UP" },
  ]);
  expect(await disabled).toEqual({ status: 0, stdout: "edge-2\n", stderr: "" });
  expect(await comes).toEqual({ status: 0, stdout: "edge-9\n", stderr: "" });
  expect(await reported).toEqual({ status: 0, stdout: "hummer\n", stderr: "" });
});

test("exits with 8 after the timeout", async ({ world }) => {
  const words = ["services", "wait", "sleeper", "--timeout=1s"];
  const started = performance.now();
  const late = await world.run("--server", [...words, "-o", "json"]);
  expect(performance.now() - started).toBeGreaterThan(950);
  expect(late.status).toBe(exit.stillPending);
  expect(JSON.parse(late.stdout).status).toBe("UNHEALTHY");
  expect(late.stderr).toBe("Still UNHEALTHY after 1s, not HEALTHY.\n");

  const missing = await world.run("--server", ["agents", "wait", "edge-11", "--timeout=0s"]);
  expect(missing).toMatchObject({ status: exit.stillPending, stdout: "" });
  expect(missing.stderr).toBe(
    "platformctl: timed out after 0s: there is no agent edge-11. Did you mean edge-1?\n",
  );
  const unknown = `agt_${"0".repeat(26)}`;
  const gone = `agents wait ${unknown} --timeout=0s -o json`.split(" ");
  const json = await world.run("--server", gone);
  expect(json.status).toBe(exit.stillPending);
  expect(JSON.parse(json.stderr).error.code).toBe("AGENT_NOT_FOUND");
});

test("an agent with a revoked token is OFFLINE until it registers again", async ({ world }) => {
  const revoked = await world.run("--db", ["agents", "revoke-token", "edge-2", "--yes"]);
  expect(revoked.stdout).toMatch(/status +OFFLINE\n/);
  const waiting = world.run("--db", ["agents", "wait", "edge-2", "-o", "name"]);
  const late = await world.run("--server", ["agents", "wait", "edge-2", "--timeout", "1s"]);
  expect(late.status).toBe(exit.stillPending);
  expect(late.stderr).toBe("Still OFFLINE after 1s, not ONLINE.\n");
  world.clock.advance(1000);
  await world.registerAgent("edge-2");
  expect(await waiting).toEqual({ status: 0, stdout: "edge-2\n", stderr: "" });
});

test("a refusal or an ambiguous name ends the wait immediately", async ({ world }) => {
  const refused = await cli(["agents", "wait", "edge-1"], { env: { URL: world.url } });
  expect(refused).toMatchObject({ status: 4 });
  const several = await world.run("--db", ["agents", "wait", "agt_"]);
  expect(several.status).toBe(exit.conflict);
});
