// `agents wait` and `services wait`, over HTTP and on the database file.

import { expect } from "vitest";
import { exit } from "../../../src/cli/exit.ts";
import { cli, test, type World, ways } from "../world.ts";

function disable({ as, sleeping: { agentId } }: World) {
  return as("owner").call("agents.disable", { params: { agentId } });
}

/** Waits for an agent that does not exist, long enough for another wait to look once or more. */
async function lookedInVain(world: World, way: (typeof ways)[number]): Promise<string> {
  const words = ["agents", "wait", "edge-77", "--timeout=2s", "--debug"];
  const late = await world.run(way, words);
  expect(late.status).toBe(exit.stillPending);
  return late.stderr;
}

test.for(ways)("%s: a status that it has already ends the wait at once", async (way, { world }) => {
  const now = ["--timeout=0s", "-o", "name"];
  const agent = ["agents", "wait", "edge-2", ...now];
  expect(await world.run(way, agent)).toEqual({ status: 0, stdout: "edge-2\n", stderr: "" });
  const sick = await world.run(way, ["services", "wait", "sleeper", "--for=unhealthy", ...now]);
  expect(sick).toEqual({ status: 0, stdout: "sleeper\n", stderr: "" });
  await disable(world);
  const disabled = await world.run(way, [...agent, "--for=disabled"]);
  expect(disabled).toEqual({ status: 0, stdout: "edge-2\n", stderr: "" });
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
  const calls = (await lookedInVain(world, way)).split("\n");
  expect(isOver).toBe(false);
  // Only the last look reads all names, for the suggestion.
  const looks = calls.filter((line) => line.includes("/agents/edge-77 404"));
  expect(looks.length).toBeGreaterThan(1);
  const whole = calls.filter((line) => line.includes("/agents?") && !line.includes("q=edge-77"));
  expect(whole).toHaveLength(1);
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
  const message = "Still UNHEALTHY after 1s, not HEALTHY.";
  expect(JSON.parse(late.stderr)).toEqual({ note: { code: "WAIT_TIMED_OUT", message } });

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

test("a wait without a destination fails before it shows its progress", async () => {
  const shown: string[] = [];
  const io = { interactive: true, showLine: (text: string) => void shown.push(text) };
  const ran = await cli(["agents", "wait", "edge-1"], { io });
  expect(ran).toMatchObject({ status: exit.usage });
  expect(shown).toEqual([]);
});

test("a refusal or an ambiguous name ends the wait immediately", async ({ world }) => {
  const refused = await cli(["agents", "wait", "edge-1"], { env: { URL: world.url } });
  expect(refused).toMatchObject({ status: 4 });
  const several = await world.run("--db", ["agents", "wait", "agt_"]);
  expect(several.status).toBe(exit.conflict);
});
