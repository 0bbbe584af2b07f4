// Tests the `routes` commands.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { cli, failing, openWorld, type World, ways } from "../world.ts";

const rule = {
  name: "louder",
  match: { type: "log.full" },
  target: { serviceCode: "log-collector", action: "set-level" },
};

const event = { type: "log.full", source: "log-collector", data: { level: "debug" } };

function file(content: string | object, name = "route.yaml"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const make = async (world: World, change: object = {}) =>
  world.as("operator").call("bus-routes.create", { body: { ...rule, ...change } });

const get = async (world: World, routeId: string) =>
  world.as("viewer").call("bus-routes.get", { params: { routeId } });

describe.each(ways)("%s", (way) => {
  test("`create` accepts YAML, JSON and standard input, and warns", async () => {
    const world = await openWorld();
    const yaml = file(
      "name: a\nmatch: { type: log.* }\ntarget: { serviceCode: nope, action: x } # later\n",
    );
    const ran = await world.run(way, ["routes", "create", "-f", yaml]);
    expect(ran.status).toBe(0);
    expect(ran.stdout).toMatch(/^name +a\nstate +DISABLED\n/);
    expect(ran.stderr).toBe(
      "warning: At the moment every event would fail: There is no service nope.\n",
    );
    const stdin = JSON.stringify({ ...rule, state: "DRY_RUN" });
    const words = ["routes", "create", "-f", "-", "--state", "ENABLED", "-o", "json"];
    const json = await world.run(way, words, { stdin });
    expect({ ...json, stdout: JSON.parse(json.stdout) }).toMatchObject({
      status: 0,
      stdout: { name: "louder", state: "ENABLED", version: 1, warnings: [] },
      stderr: "",
    });
  });

  test.each<[string, string, RegExp]>([
    ["a bad field", "name: x\nmach: {}\n", /^platformctl: FILE:2: there is no field mach; did/],
    [
      "a route that the server rejects",
      "name: x\nmatch:\n  type: 'a*'\ntarget: { serviceCode: 'a b', action: x }\n",
      /^platformctl: FILE:3: match.type: must be a dotted.*\n {2}FILE:4: target.serviceCode: must/,
    ],
    ["an empty file", "", /FILE: must contain a route/],
  ])("`create` and `update` refuse %s and name the line", async (_what, content, says) => {
    const world = await openWorld();
    const { id } = await make(world);
    const path = file(content);
    for (const words of [["create"], ["update", "louder"]]) {
      const ran = await world.run(way, ["routes", ...words, "-f", path]);
      expect(ran).toMatchObject({ status: 2, stdout: "" });
      expect(ran.stderr.replaceAll(path, "FILE")).toMatch(says);
    }
    expect((await get(world, id)).version).toBe(1);
  });

  test("`update` replaces all fields, but the state only if the file has one", async () => {
    const world = await openWorld();
    const { id } = await make(world, { state: "ENABLED", description: "x", payload: {} });
    const path = file({ ...rule, match: { type: "b" } });
    expect(await world.run(way, ["routes", "update", "louder", "-f", path])).toMatchObject({
      status: 0,
    });
    const { createdAt: _c, updatedAt: _u, ...changed } = await get(world, id);
    expect(changed).toEqual({ ...rule, id, match: { type: "b" }, state: "ENABLED", version: 2 });
    const stdin = JSON.stringify({ ...rule, state: "DISABLED" });
    await world.run(way, ["routes", "update", id, "-f", "-"], { stdin });
    expect(await get(world, id)).toMatchObject({ state: "DISABLED", version: 3 });
  });

  test("a file from `routes get` only replaces the version that it was made from", async () => {
    const world = await openWorld();
    await make(world);
    const { stdout } = await world.run(way, ["routes", "get", "louder", "-o", "yaml"]);
    const path = file(`${stdout}description: mine\n`);
    const update = ["routes", "update", "louder", "-f", path, "-o", "json"];
    expect((await world.run(way, update)).status).toBe(0);
    const again = await world.run(way, update);
    expect(again).toMatchObject({ status: 5, stdout: "" });
    expect(JSON.parse(again.stderr).error).toMatchObject({
      code: "VERSION_CONFLICT",
      details: { currentVersion: 2, version: 1 },
    });
  });

  test("`enable`, `dry-run` and `disable` change only the state", async () => {
    const world = await openWorld();
    const made = await make(world, { description: "x", payload: { a: "/data" } });
    const { warnings: _w, updatedAt: _u, ...before } = made;
    for (const [at, [verb, state]] of [
      ["enable", "ENABLED"],
      ["dry-run", "DRY_RUN"],
      ["disable", "DISABLED"],
    ].entries()) {
      const ran = await world.run(way, ["routes", verb as string, "louder"]);
      expect(ran).toMatchObject({ status: 0, stderr: "" });
      expect(await get(world, made.id)).toMatchObject({ ...before, state, version: at + 2 });
    }
    await world.run(way, ["routes", "disable", "louder"]);
    expect((await get(world, made.id)).version).toBe(4);
  });

  test("`enable` and `dry-run` warn about a route that must fail, and `disable` does not", async () => {
    const world = await openWorld();
    await make(world, { target: { serviceCode: "log-collector", action: "rotate-log" } });
    const warning =
      "warning: At the moment every event would fail: " +
      "The action rotate-log requires confirmation by a person.\n";
    for (const verb of ["enable", "dry-run"]) {
      const ran = await world.run(way, ["routes", verb, "louder"]);
      expect(ran).toMatchObject({ status: 0, stderr: warning });
    }
    expect((await world.run(way, ["routes", "disable", "louder"])).stderr).toBe("");
  });

  test("`test` prints each condition, and the payload or why there is none", async () => {
    const world = await openWorld();
    const match = { type: "log.*", source: "log-collector", data: { "/level": "debug", "": 1 } };
    await make(world, { match });
    const path = file(event, "event.json");
    const missed = await world.run(way, ["routes", "test", "louder", "--event", path]);
    expect(missed).toMatchObject({ status: 1, stderr: "" });
    expect(missed.stdout).toBe(`matched  no

conditions
  ✓ type "log.*": the event has "log.full"
  ✓ source "log-collector"
  ✓ data /level "debug"
  ✗ data "" 1: the event has {"level":"debug"}
`);
    const draft = file({ ...rule, payload: { level: "/data/level" } });
    const drafted = ["routes", "test", "-f", draft, "--event"];
    const met = await world.run(way, [...drafted, path]);
    expect(met).toMatchObject({ status: 0, stderr: "" });
    expect(met.stdout).toContain('\n  ✓ type "log.full"\n');
    expect(met.stdout).toContain("\npayload\n  level: debug\n");
    const stdin = "type: log.full\nsource: log-collector\n";
    const failed = await world.run(way, [...drafted, "-", "-o", "json"], { stdin });
    expect(failed.status).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      outcome: "FAILED",
      reason: expect.stringContaining("no value at /data/level"),
    });
  });

  test("`test` reports that a route is DISABLED", async () => {
    const world = await openWorld();
    await make(world);
    const words = ["routes", "test", "louder", "--event", file(event)];
    expect((await world.run(way, words)).stderr).toContain("The route is DISABLED: this is what");
    await world.run(way, ["routes", "enable", "louder"]);
    expect((await world.run(way, words)).stderr).toBe("");
  });

  test.each<[string[], string, number]>([
    [["routes", "create"], "give the file with the route", 2],
    [
      ["routes", "create", "-f", "/nowhere/r.yaml"],
      "--file: /nowhere/r.yaml cannot be read: it does not exist",
      2,
    ],
    [["routes", "create", "-f", "/"], "it is a folder", 2],
    [["routes", "update", "louder"], "give the file with the route", 2],
    [["routes", "test", "louder"], "give an event with --event FILE (or -) or --event-id ID", 2],
    [["routes", "test", "--event", "-"], "give either the name of a saved route", 2],
    [["routes", "test", "louder", "-f", "x", "--event", "-"], "give either the name", 2],
    [["routes", "test", "-f", "-", "--event", "-"], "only one of them can read standard input", 2],
    [
      ["routes", "test", "louder", "--event", "-", "--event-id", "x"],
      "give an event with --event",
      2,
    ],
    [["routes", "test", "-", "--event", "-"], "only one of them can read standard input", 2],
    [["routes", "test", "src", "--event-id", "x"], "To use the file with this name: -f src\n", 3],
    [["commands", "list", "--event", "bev_01M7"], "--event bev_01M7: give the whole id", 2],
    [["routes", "test", "louder", "--event", "-"], "standard input: must contain an event", 2],
    [["routes", "test", "louder", "--event-id", "bev_x"], "There is no event bev_x.", 3],
  ])("%j is refused", async (words, says, status) => {
    const world = await openWorld();
    await make(world);
    expect(await world.run(way, words)).toMatchObject(failing(status, says));
  });
});

test("a change of the state does not undo a concurrent change", async () => {
  const world = await openWorld();
  const { id } = await make(world);
  const { app } = world;
  // The route is renamed once between the read and the change.
  const find = app.core.db.read.get;
  let looks = 0;
  app.core.db.read.get = (async (sql: string, ...params: never[]) => {
    const row = await find.call(app.core.db.read, sql, ...params);
    if (!sql.includes("FROM bus_routes WHERE id") || looks++ > 0) return row;
    const body = { ...rule, name: "renamed", version: 1 };
    await world.as("operator").call("bus-routes.update", { params: { routeId: id }, body });
    return row;
  }) as typeof find;
  const ran = await world.run("--server", ["routes", "enable", id]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(await get(world, id)).toMatchObject({ name: "renamed", state: "ENABLED", version: 3 });
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
    expect((await cli(["routes", "list", "--db", world.file], { env })).status).toBe(status);
  }
});
