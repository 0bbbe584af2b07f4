// `platformctl services move`: refusals, and what is shown until the new agent reports the service.

import { expect } from "vitest";
import { exit } from "../../../src/cli/exit.ts";
import { failing, test } from "../world.ts";

test("`services move` refuses a mistaken name, a missing agent and one without a token", async ({
  world,
}) => {
  const { agentId } = await world.registerAgent("edge-3");
  await world.as("operator").call("agents.revoke-token", { params: { agentId } });
  for (const [words, status, says] of [
    [["sleeper"], exit.usage, /--to AGENT is missing/],
    [["sleeper", "--to", "edge-9"], exit.notFound, /there is no agent edge-9/],
    [["sleepy", "--to", "edge-1"], exit.notFound, /there is no service sleepy/],
    [["sleeper", "--to", "edge-3"], exit.conflict, /: The agent edge-3 has no token: register/],
  ] as const) {
    const refused = await world.run("--server", ["services", "move", ...words]);
    expect(refused).toMatchObject(failing(status, says));
  }
  const { data } = await world.as("viewer").page("services.list", { query: { q: "sleeper" } });
  expect(data).toMatchObject([{ agentCode: "edge-2" }]);
});

test("claims are printed with the service and with the agent", async ({ world }) => {
  const other = await world.registerAgent("edge-3", [
    { code: "sleeper", name: "Sleeper", version: "1" },
  ]);
  const run = (words: string[]) => world.run("--server", words, { io: { now: world.clock.now } });
  expect((await run(["services", "get", "sleeper"])).stdout).toContain(
    "claims\n  edge-3 also reports this service; first refused now\n" +
      "  Move the service: platformctl services move sleeper --to edge-3\n",
  );
  const agent = await run(["agents", "get", other.agentId]);
  expect(agent.stdout).toContain(
    "refused services\n  sleeper belongs to edge-2; first refused now\n",
  );
});

test("a moved service needs attention until its new agent reports it", async ({ world }) => {
  const sleeper = { code: "sleeper", name: "Sleeper", version: "1" };
  const other = await world.registerAgent("edge-3");
  const run = async (...words: string[]) =>
    (await world.run("--server", words, { io: { now: world.clock.now } })).stdout;
  const next =
    "moved\n  edge-3 has not reported this service since the move.\n" +
    "  Its agent.yaml must contain the service, and the previous agent's must not.\n";
  expect(await run("services", "move", "sleeper", "--to", "edge-3")).toContain(next);
  await other.client.call("agent.report", { body: { complete: true, services: [] } });
  await world.sleeping.client.call("agent.report", { body: { services: [sleeper] } });
  const shown = await run("services", "get", "sleeper");
  expect(shown).toContain(next);
  expect(shown).not.toContain("\nremoved\n");
  expect(shown).toContain("Undo the move: platformctl services move sleeper --to edge-2");
  expect(await run("services", "list", "--columns", "code,message")).toMatch(
    /^sleeper +edge-3 does not report it yet$/m,
  );
  const reason = "the service was moved to an agent that does not report it yet";
  expect(await run("attention", "list", "--columns", "problem,reason,first")).toMatch(
    new RegExp(`^STALE +${reason} +sleeper$`, "m"),
  );
  await other.client.call("agent.report", { body: { complete: true, services: [sleeper] } });
  expect(await run("services", "get", "sleeper")).not.toContain("moved");
  expect(await run("attention", "list")).not.toContain("sleeper");
});

test("a service of a stopped agent shows why, not its last health", async ({ world }) => {
  const client = world.sleeping.client;
  await client.call("agent.heartbeat", {
    body: { health: [{ serviceCode: "sleeper", healthStatus: "UP", message: "fine" }] },
  });
  const message = async () => {
    const words = ["services", "list", "--columns", "code,message"];
    return (await world.run("--server", words)).stdout.match(/^sleeper +(.*?) *$/m)?.[1];
  };
  expect(await message()).toBe("fine");
  await client.call("agent.offline");
  expect(await message()).toBe("the agent was stopped");
});
