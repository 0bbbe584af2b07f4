// Tests the `routes` commands.

import { expect, test } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { cli, failing, fileWith, openWorld } from "../world.ts";

const rule = {
  name: "louder",
  match: { type: "log.full" },
  target: { serviceCode: "log-collector", action: "set-level" },
};

const event = { type: "log.full", source: "log-collector", data: { level: "debug" } };

/** A world with a route, whose fields `change` replaces. */
async function openRoute(change: object = {}) {
  const world = await openWorld();
  const body = { ...rule, ...change };
  const made = await world.as("operator").call("bus-routes.create", { body });
  const params = { routeId: made.id };
  return {
    world,
    made,
    get: () => world.as("viewer").call("bus-routes.get", { params }),
    routes: (...words: string[]) => world.run("--server", ["routes", ...words]),
  };
}

test("`create` accepts YAML, JSON and standard input, and warns", async () => {
  const world = await openWorld();
  const yaml = fileWith(
    "name: a\nmatch: { type: log.* }\ntarget: { serviceCode: nope, action: x } # later\n",
  );
  const ran = await world.run("--server", ["routes", "create", "-f", yaml]);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toMatch(/^name +a\nstate +DISABLED\n/);
  expect(ran.stderr).toBe(
    "warning: At the moment every matching event would fail: There is no service nope.\n",
  );
  const stdin = JSON.stringify({ ...rule, state: "DRY_RUN" });
  const words = ["routes", "create", "-f", "-", "--state", "ENABLED", "-o", "json"];
  const json = await world.run("--server", words, { stdin });
  expect({ ...json, stdout: JSON.parse(json.stdout) }).toMatchObject({
    status: 0,
    stdout: { name: "louder", state: "ENABLED", version: 1, warnings: [] },
    stderr: "",
  });
});

/** A route for commands that are refused, and therefore change nothing. */
const shared = perFile(() => openRoute());

test("`create` and `update` name the lines of what the parser or the server rejects", async () => {
  const { get, routes } = shared();
  const path = fileWith(
    "name: x\nmatch:\n  type: 'a*'\ntarget: { serviceCode: 'a b', action: x }\n",
  );
  for (const words of [["create"], ["update", "louder"]]) {
    const ran = await routes(...words, "-f", path);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr.replaceAll(path, "FILE")).toMatch(
      /^platformctl: FILE:3: match.type: must be a dotted.*\n {2}FILE:4: target.serviceCode: must/,
    );
  }
  const unknown = await routes("create", "-f", fileWith("name: x\nmach: {}\n"));
  expect(unknown).toMatchObject(failing(2, ":2: there is no field mach; did you mean match?"));
  expect((await get()).version).toBe(1);
});

test("`update` replaces everything, but the state only if the file has one", async () => {
  const whole = { state: "ENABLED", description: "x", payload: {} };
  const { world, made, get, routes } = await openRoute(whole);
  const path = fileWith({ ...rule, match: { type: "b" } });
  expect(await routes("update", "louder", "-f", path)).toMatchObject({ status: 0 });
  const { createdAt: _c, updatedAt: _u, ...changed } = await get();
  const { id } = made;
  const match = { type: "b" };
  const unchanged = { withheld: [], declaredIn: null };
  expect(changed).toEqual({ ...rule, id, match, state: "ENABLED", version: 2, ...unchanged });
  const stdin = JSON.stringify({ ...rule, state: "DISABLED" });
  await world.run("--server", ["routes", "update", id, "-f", "-"], { stdin });
  expect(await get()).toMatchObject({ state: "DISABLED", version: 3 });
});

test("a file from `routes get` only replaces the version that it was made from", async () => {
  const { routes } = await openRoute();
  const { stdout } = await routes("get", "louder", "-o", "yaml");
  const update = ["update", "louder", "-f", fileWith(`${stdout}description: mine\n`), "-o", "json"];
  expect((await routes(...update)).status).toBe(0);
  const again = await routes(...update);
  expect(again).toMatchObject({ status: 5, stdout: "" });
  expect(JSON.parse(again.stderr).error).toMatchObject({
    code: "VERSION_CONFLICT",
    details: { currentVersion: 2, version: 1 },
  });
});

test("`enable`, `dry-run` and `disable` change only the state; the first two warn about a route that must fail", async () => {
  const target = { serviceCode: "log-collector", action: "rotate-log" };
  const { made, get, routes } = await openRoute({ target, description: "x", payload: {} });
  const { warnings: _w, updatedAt: _u, ...before } = made;
  const stderr =
    "warning: At the moment every matching event would fail: " +
    "The action rotate-log requires confirmation by a person.\n";
  for (const [verb, state, says] of [
    ["enable", "ENABLED", stderr],
    ["dry-run", "DRY_RUN", stderr],
    ["disable", "DISABLED", ""],
  ] as const) {
    expect(await routes(verb, "louder")).toMatchObject({ status: 0, stderr: says });
    const { version } = await get();
    expect(await get()).toMatchObject({ ...before, state, version });
  }
});

test("`test` prints each condition, and the payload or the reason why there is none", async () => {
  const match = { type: "log.*", source: "log-collector", data: { "/level": "debug", "": 1 } };
  const { world, routes } = await openRoute({ match });
  const path = fileWith(event, "event.json");
  const missed = await routes("test", "louder", "--event", path);
  expect(missed).toMatchObject({ status: 1, stderr: "" });
  expect(missed.stdout).toBe(`matched  no

conditions
  ✓ type "log.*": the event has "log.full"
  ✓ source "log-collector"
  ✓ data /level "debug"
  ✗ data "" 1: the event has {"level":"debug"}
`);
  const draft = fileWith({ ...rule, payload: { level: "/data/level" } });
  const drafted = ["test", "-f", draft, "--event"];
  const met = await routes(...drafted, path);
  expect(met).toMatchObject({ status: 0, stderr: "" });
  expect(met.stdout).toContain('\n  ✓ type "log.full"\n');
  expect(met.stdout).toContain("\npayload\n  level: debug\n");
  const disabled = await shared().routes("test", "louder", "--event", path);
  expect(disabled.stderr).toContain("The route is DISABLED: this is what");
  const stdin = "type: log.full\nsource: log-collector\n";
  const words = ["routes", ...drafted, "-", "-o", "json"];
  const failed = await world.run("--server", words, { stdin });
  expect(failed.status).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    outcome: "FAILED",
    reason: expect.stringContaining("no value at /data/level"),
  });
});

test.each<[words: string, says: string, status: number]>([
  ["create", "or -f - for standard input; for the format, see docs/guides/event-bus.md", 2],
  ["create -f /nowhere/r.yaml", "--file: /nowhere/r.yaml cannot be read: it does not exist", 2],
  ["test louder", "give an event with --event FILE (or -) or --event-id ID", 2],
  ["test --event -", "give either the name of a saved route", 2],
  ["test src --event-id x", "To use the file with this name: -f src\n", 3],
  ["test louder --event -", "standard input: must contain an event", 2],
  ["test louder --event-id bev_x", "there is no event bev_x.", 3],
])("`routes %s` is refused", async (words, says, status) => {
  const ran = await shared().routes(...words.split(" "));
  expect(ran).toMatchObject({ status, stdout: "" });
  expect(ran.stderr).toContain(says);
});

test("a change of the state keeps a concurrent change", async () => {
  const { world, made, get, routes } = await openRoute();
  const { read } = world.app.core.db;
  // The route is renamed once between the read and the change.
  const find = read.get;
  let looks = 0;
  read.get = (async (sql: string, ...params: never[]) => {
    const row = await find.call(read, sql, ...params);
    if (!sql.includes("FROM bus_routes WHERE id") || looks++ > 0) return row;
    const body = { ...rule, name: "renamed", version: 1 };
    const call = { params: { routeId: made.id }, body };
    await world.as("operator").call("bus-routes.update", call);
    return row;
  }) as typeof find;
  expect(await routes("enable", made.id)).toMatchObject({ status: 0, stderr: "" });
  expect(await get()).toMatchObject({ name: "renamed", state: "ENABLED", version: 3 });
});

test("a server with a disabled bus refuses; --db uses its own setting", async () => {
  const world = await openWorld();
  world.app.core.settings.busEnabled = false;
  const over = await world.run("--server", ["routes", "list"]);
  expect(over).toMatchObject(failing(3, "start the server with PLATFORM_CAPSULE_BUS_ENABLED=true"));
  expect(await world.run("--db", ["routes", "list"])).toMatchObject({ status: 0 });
  for (const [value, status] of [
    ["false", 3],
    ["true", 0],
  ] as const) {
    const env = { CAPSULE_BUS_ENABLED: value };
    expect((await cli(["routes", "list", "--db", world.db], { env })).status).toBe(status);
  }
});
