// `settings set`: a shorter retention deletes data, so it must be confirmed first. Operator labels
// can take labels away.

import { expect } from "vitest";
import { failing, test, type Way } from "../world.ts";

test("only a shorter retention needs --yes, and is refused without it", async ({ world }) => {
  const set = (way: Way, ...words: string[]) => world.run(way, ["settings", "set", ...words]);
  const settings = () => world.as("owner").call("settings.get");
  for (const [change, says] of [
    [["auditRetentionDays=90"], null],
    [["auditRetentionDays=30"], /to keep audit events for 30 days instead of 90\./],
    [["auditRetentionDays=default"], null],
    [
      ["auditRetentionDays=1", "busEventRetentionDays=2"],
      /audit events for 1 day instead of 90, bus events for 2 days instead of 30\./,
    ],
    [["auditRetentionDays=0"], null],
    [["auditRetentionDays=3000"], /for 3000 days instead of forever\./],
    [["silentRetentionDays=30"], /silent agents and services for 30 days instead of forever\./],
    [["workspaceName=Edge", "maintenanceIntervalSeconds=5"], null],
  ] as const) {
    const asTheyWere = await settings();
    const first = await set("--db", ...change);
    if (says === null) {
      expect(first).toMatchObject({ status: 0, stderr: "" });
      continue;
    }
    expect(first).toMatchObject(failing(5, says));
    expect(first.stderr).toMatch(
      /^platformctl: The next maintenance deletes older data.*Add --yes to confirm/,
    );
    expect(await settings()).toEqual(asTheyWere);
    const done = await set("--server", ...change, "--yes");
    expect(done).toMatchObject({ status: 0, stderr: expect.stringMatching(says) });
    expect(await settings()).not.toEqual(asTheyWere);
  }
});

test("operatorLabels says how many services lose a label that only agents report", async ({
  world,
}) => {
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
