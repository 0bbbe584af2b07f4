// Tests that errors name what the operator must correct.

import { expect, test } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { cli, failing, openWorld } from "../world.ts";

/** A world for commands that fail. */
const shared = perFile(openWorld);

test.each([
  ["agents list --label site", "--label: must be key:value"],
  ["agents list --status ONLINE,", "--status"],
  ["agents list --mode a --mode b", "--mode <text>' argument 'b' is invalid. The option is given"],
  ["users create --username a!b --role viewer --password-stdin", "--username: "],
])("the error of %s names the flag: %s", async (words, says) => {
  const options = { stdin: "correct horse battery" };
  expect(await shared().run("--server", words.split(" "), options)).toMatchObject(failing(2, says));
});

test("a change ignores an unknown column; repeated filters combine, and ignore upper and lower case", async () => {
  const world = await openWorld();
  const done = await world.run("--db", ["agents", "disable", "edge-2", "--columns", "x"]);
  expect(done.status).toBe(0);
  expect(done.stdout).toContain("DISABLED");
  const names = async (...words: string[]) =>
    (await world.run("--server", ["agents", "list", "-o", "name", ...words])).stdout.split("\n");
  // Every command accepts --yes.
  const both = await names("--status", "online", "--status", "disabled", "--yes");
  expect(both).toEqual(["edge-1", "edge-2", ""]);
  expect(await names("--status", "disabled,offline")).toEqual(["edge-2", ""]);
  const none = await world.run("--server", ["agents", "list", "--label", "a:b", "--label", "c:d"]);
  expect(none).toMatchObject({ status: 0, stderr: "Nothing matches.\n" });
});

test.each([
  ["services list", "stie=demo", "Did you mean site=demo?\n"],
  ["agents list", "site in (dmo,x),!y", "Did you mean site in (demo,x),!y?\n"],
  ["commands list", "site=Demo", "Did you mean site=demo?\n"],
  ["services list", "site=demo,site=far", ""],
  ["services list", "site!=demo", ""],
])(
  "%s with the selector %s, which matches nothing, suggests similar labels: %s",
  async (words, selector, says) => {
    const world = await openWorld();
    for (const agentId of [world.working.agentId, world.sleeping.agentId]) {
      const body = { labels: { site: "demo" } };
      await world.as("owner").call("agents.label", { params: { agentId }, body });
    }
    const list = (...more: string[]) =>
      world.run("--server", [...words.split(" "), "--selector", selector, ...more]);
    expect(await list()).toEqual({ status: 0, stdout: "", stderr: `Nothing matches.\n${says}` });
    expect(await list("-o", "json")).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
  },
);

test.each([
  ["services get", "missing required argument 'service'; choose from: sleeper, log-collector"],
  [
    "agents disable",
    "name at least one agent, or select some with --selector; choose from: edge-2, edge-1",
  ],
  ["actions run log-collector", "'action'; choose from: set-level, explode, rotate-log"],
  ["services get -o json", "choose from: sleeper, log-collector"],
  ["commands get", "platformctl commands list shows all"],
])("the error of %s lists the known names: %s", async (words, says) => {
  expect(await shared().run("--server", words.split(" "))).toMatchObject(failing(2, says));
});

test("without a target, a missing argument names the command that lists the values", async () => {
  const says = "missing required argument 'service'; platformctl services list shows all";
  const refused = { status: 2, stdout: "", stderr: `platformctl: ${says}\n` };
  expect(await cli(["services", "get"])).toEqual(refused);
});
