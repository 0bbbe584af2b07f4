// Refusals of `platformctl services move`: the error and the exit status.

import { expect } from "vitest";
import { exit } from "../../../src/cli/exit.ts";
import { failing, test } from "../world.ts";

test.for<[words: string[], status: number, says: RegExp]>([
  [["sleeper"], exit.usage, /--to AGENT is missing/],
  [["sleeper", "--to", "edge-9"], exit.notFound, /there is no agent edge-9/],
  [["sleepy", "--to", "edge-1"], exit.notFound, /there is no service sleepy/],
  [["sleeper", "--to", "edge-3"], exit.conflict, /: The agent edge-3 has no token\.\n$/],
])("`services move` %j exits with %d", async ([words, status, says], { world }) => {
  const { agentId } = await world.registerAgent("edge-3");
  await world.as("operator").call("agents.revoke-token", { params: { agentId } });
  const refused = await world.run("--server", ["services", "move", ...words]);
  expect(refused).toMatchObject(failing(status, says));
  const { data } = await world.as("viewer").page("services.list", { query: { q: "sleeper" } });
  expect(data).toMatchObject([{ agentCode: "edge-2" }]);
});

test("claims are printed with the service and with the agent", async ({ world }) => {
  const other = await world.registerAgent("edge-3", [
    { code: "sleeper", name: "Sleeper", version: "1" },
  ]);
  const run = (words: string[]) => world.run("--db", words, { io: { now: world.clock.now } });
  expect((await run(["services", "get", "sleeper"])).stdout).toContain(
    "claims\n  edge-3 also reports this service; first refused now\n" +
      "  Move the service: platformctl services move sleeper --to edge-3\n",
  );
  const agent = await run(["agents", "get", other.agentId]);
  expect(agent.stdout).toContain(
    "refused services\n  sleeper belongs to edge-2; first refused now\n",
  );
});
