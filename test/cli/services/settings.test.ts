// `settings set`: a shorter retention deletes data, and operator labels can take labels away, so both
// must be confirmed first.

import { expect } from "vitest";
import { failing, test, type Way } from "../world.ts";

test("only a shorter retention needs --yes, and is refused without it", async ({ world }) => {
  const set = (way: Way, ...words: string[]) => world.run(way, ["settings", "set", ...words]);
  const settings = () => world.as("owner").call("settings.get");
  for (const [change, says] of [
    [["auditRetentionDays=90"], null],
    [["auditRetentionDays=30"], /: it keeps audit events for 30 days instead of 90\./],
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
      /^platformctl: The next maintenance sweep deletes older data.*Add --yes to confirm/,
    );
    expect(await settings()).toEqual(asTheyWere);
    const done = await set("--server", ...change, "--yes");
    expect(done).toMatchObject({ status: 0, stderr: expect.stringMatching(says) });
    expect(await settings()).not.toEqual(asTheyWere);
  }
});

test("new operatorLabels that only agents report need --yes, and say how many services lose them", async ({
  world,
}) => {
  const service = (code: string) => ({ code, name: code, version: "1", labels: { tier: "web" } });
  await world.registerAgent("edge-3", [service("shop"), service("cart"), service("blog")]);
  await world.run("--db", ["services", "label", "shop", "tier=web"]);
  const set = (...words: string[]) => world.run("--server", ["settings", "set", ...words]);
  const warning =
    "The label tier, which agents report for 2 services, will count only where it is assigned: " +
    "platformctl services label SERVICE tier=VALUE";
  const refused = await set("operatorLabels=env,tier", "auditRetentionDays=30");
  expect(refused).toMatchObject(failing(5, `for 30 days instead of 90. ${warning}. Change`));
  expect((await world.as("owner").call("settings.get")).changed).toEqual([]);
  const yes = await set("operatorLabels=env,tier", "--yes");
  expect(yes).toMatchObject({ status: 0, stderr: `${warning}\n` });
  expect(await set("operatorLabels=tier,env,team")).toMatchObject({ status: 0, stderr: "" });
});

test("the value that `get` prints can be set again", async ({ world }) => {
  const run = (...words: string[]) => world.run("--db", ["settings", ...words]);
  for (const labels of [[], ["env", "tier"]]) {
    const value = labels.join(",");
    await world.as("owner").call("settings.update", { body: { operatorLabels: labels } });
    expect((await run("get", "operatorLabels")).stdout).toBe(`${value}\n`);
    expect(await run("set", `operatorLabels=${value}`)).toMatchObject({ status: 0, stderr: "" });
    const { settings } = await world.as("owner").call("settings.get");
    expect(settings.operatorLabels).toEqual(labels);
  }
});

test("a changed setting that is declared in a file is reported", async ({ world }) => {
  const document = { kind: "Settings", settings: { workspaceName: "Edge" } } as const;
  const documents = [{ file: "all.yaml", digest: "0".repeat(64), document }];
  const owner = world.as("owner");
  const { plan } = await owner.call("declarations.preview", { body: { documents } });
  await owner.call("declarations.apply", { body: { documents, plan } });
  const set = ["settings", "set", "workspaceName=Core", "maintenanceIntervalSeconds=5"];
  expect((await world.run("--db", set)).stderr).toBe(
    "workspaceName is declared in all.yaml (set default): `platformctl apply` restores the declared value.\n",
  );
});
