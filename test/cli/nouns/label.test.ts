// `agents label`, `services label` and the labels of tokens: several at once, and mistakes.

import { expect } from "vitest";
import { exit } from "../../../src/cli/exit.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld, test } from "../world.ts";

test("several labels of several agents are changed, by name and by a selector", async ({
  world,
}) => {
  const labels = ["env=prod", "team=", "note=a=b"];
  const named = await world.run("--server", ["agents", "label", "edge-1", "edge-2", ...labels]);
  expect(named.status).toBe(0);
  const words = ["agents", "label", "-l", "env=prod", "env-", "note-"];
  const asked = "Run `agents label` on 2 agents: edge-2, edge-1?";
  expect(await world.run("--server", words)).toMatchObject(failing(exit.conflict, asked));
  const ran = await world.run("--server", [...words, "--yes", "-o", "json"]);
  expect(JSON.parse(ran.stdout)).toMatchObject([
    { code: "edge-2", labels: { team: "" } },
    { code: "edge-1", labels: { team: "" } },
  ]);
});

test("a service shows where its labels are from", async ({ world }) => {
  const { agentId, client } = await world.registerAgent("edge-3", [
    { code: "shop", name: "Shop", version: "1", labels: { env: "dev", tier: "web", zone: "a" } },
  ]);
  await client.call("agent.heartbeat", { body: { agent: { labels: { site: "cellar" } } } });
  const owner = world.as("owner");
  await owner.call("agents.label", { params: { agentId }, body: { labels: { env: "prod" } } });
  await owner.call("settings.update", { body: { operatorLabels: ["tier"] } });
  const ran = await world.run("--server", ["services", "label", "shop", "team=web"]);
  expect(ran.stdout).toContain(`
labels
  team=web  (assigned)
  env=prod  (assigned to the agent)
  env=dev  (reported, overridden)
  tier=web  (reported, ignored: agents cannot report this label)
  zone=a  (reported)
  site=cellar  (reported of the agent)
`);
});

test("a word that names nothing may be a label without a value", async ({ world }) => {
  const ran = await world.run("--server", ["services", "label", "sleeper", "canary"]);
  expect(ran).toMatchObject(
    failing(3, "no service canary. To assign a label, write canary=VALUE."),
  );
  const missing = await world.run("--server", ["services", "label", "canary", "sleeper"]);
  expect(missing).toMatchObject(failing(3, /^platformctl: there is no service canary\.$/m));
});

test("without changes, the labels are shown", async ({ world }) => {
  await world.run("--server", ["agents", "label", "edge-1", "env=prod"]);
  const one = await world.run("--server", ["agents", "label", "edge-1"]);
  expect(one).toMatchObject({ status: 0, stderr: "" });
  expect(one.stdout).toContain("\nlabels\n  env=prod  (assigned)\n");
  const several = await world.run("--server", ["agents", "label", "edge-1", "edge-2"]);
  expect(several.stdout).toBe("CODE    LABELS\nedge-1  env=prod\nedge-2  -\n");
  const selected = await world.run("--server", ["agents", "label", "-l", "env=prod"]);
  expect(selected.stdout).toBe("CODE    LABELS\nedge-1  env=prod\n");
});

/** A world for commands that are refused, and therefore change nothing. */
const shared = perFile(() => openWorld());

test.for<[words: string[], status: number, says: string]>([
  [["edge-1", "=x"], exit.usage, "give KEY=VALUE or KEY-, not =x."],
  [["edge-1", "-"], exit.usage, "give KEY=VALUE or KEY-, not -."],
  [["edge-1", "a=1", "a-"], exit.usage, "the label a is given twice."],
  [["a=1"], exit.usage, "name at least one agent, or select some with --selector"],
])("`agents label` %j exits with %d", async ([words, status, says]) => {
  const refused = await shared().run("--server", ["agents", "label", ...words]);
  expect(refused).toMatchObject(failing(status, says));
});

test("a token's labels must be pairs", async () => {
  const refused = await shared().run("--server", ["tokens", "create", "--label", "env"]);
  expect(refused).toMatchObject(failing(exit.usage, "--label must be KEY=VALUE, not env."));
});
