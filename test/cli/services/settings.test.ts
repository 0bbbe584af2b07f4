// `settings set`: a shorter retention deletes data, so it must be confirmed first. Operator labels
// can take labels away.

import { expect, test } from "vitest";
import { failing, openWorld } from "../world.ts";

const audit = (days: string) => [`auditRetentionDays=${days}`];

test.each<[before: string[], change: string[], says: RegExp]>([
  [[], audit("30"), /to keep audit events for 30 days instead of 90\./],
  [audit("0"), audit("3000"), /for 3000 days instead of forever\./],
  [[], ["silentRetentionDays=30"], /silent agents and services for 30 days instead of forever\./],
  [
    [],
    [...audit("1"), "busEventRetentionDays=2"],
    /audit events for 1 day instead of 90, bus events for 2 days instead of 30\./,
  ],
])("after %j, %j is refused without --yes and accepted with it", async (before, change, says) => {
  const world = await openWorld();
  if (before.length > 0) await world.run("--db", ["settings", "set", ...before]);
  const settings = () => world.as("owner").call("settings.get");
  const asTheyWere = await settings();
  const refused = await world.run("--db", ["settings", "set", ...change]);
  expect(refused).toMatchObject(failing(5, says));
  expect(refused.stderr).toMatch(
    /^platformctl: The next maintenance deletes older data.*Add --yes to confirm/,
  );
  expect(await settings()).toEqual(asTheyWere);
  const done = await world.run("--server", ["settings", "set", ...change, "--yes"]);
  expect(done).toMatchObject({ status: 0, stderr: expect.stringMatching(says) });
  expect(await settings()).not.toEqual(asTheyWere);
});

test.each([
  [[], audit("90")],
  [[], audit("0")],
  [audit("10"), audit("default")],
  [[], ["workspaceName=Edge", "maintenanceIntervalSeconds=5"]],
])("after %j, %j requires no confirmation", async (before, change) => {
  const world = await openWorld();
  if (before.length > 0) await world.run("--db", ["settings", "set", ...before, "--yes"]);
  const done = await world.run("--db", ["settings", "set", ...change]);
  expect(done).toMatchObject({ status: 0, stderr: "" });
});

test("operatorLabels says how many services lose a label that only agents report", async () => {
  const world = await openWorld();
  const service = (code: string) => ({ code, name: code, version: "1", labels: { tier: "web" } });
  await world.registerAgent("edge-3", [service("shop"), service("cart"), service("blog")]);
  await world.run("--db", ["services", "label", "shop", "tier=web"]);
  const set = ["settings", "set", "operatorLabels=env,tier"];
  expect((await world.run("--server", set)).stderr).toBe(
    "The label tier is now ignored on 2 services, because only agents report it there. " +
      "To assign it: platformctl services label SERVICE tier=VALUE\n",
  );
  expect((await world.run("--server", set)).stderr).toBe("");
});
