// Tests the filters of audit events. They must give the same result for live rows.

import { describe, expect, test } from "vitest";
import { matchesFilters } from "../../../src/cli/commands/audit/filters.ts";
import { addRows } from "../../core/audit/long-trail.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld } from "../world.ts";

const second = 1000;
/** The id of a deleted agent. */
const goneAgent = `agt_${"0".repeat(26)}`;

/** A trail with an event that is 10 seconds newer than the others. */
const trail = perFile(async () => {
  const world = await openWorld();
  world.clock.advance(10 * second);
  await addRows(world, 1, {
    ...{ action: "agent.online", targetType: "agent", targetId: goneAgent, result: "FAILURE" },
  });
  return world;
});

const filters: [flags: string[], query: Record<string, string>][] = [
  [["--action", "agent.registered"], { action: "agent.registered" }],
  [["--action", "agent.*"], { action: "agent.*" }],
  [["--action", "*"], { action: "*" }],
  [["--action", "nothing.*"], { action: "nothing.*" }],
  [["--actor-type", "AGENT"], { actorType: "AGENT" }],
  [["--target-type", "agent"], { targetType: "agent" }],
  [["--target-type", "token"], { targetType: "registration_token" }],
  [["--target-type", "key"], { targetType: "api_key" }],
  [["--target", goneAgent], { targetId: goneAgent }],
  [["--actor", "nobody's", "--actor-type", "LOCAL"], { actorId: "nobody's", actorType: "LOCAL" }],
  [["--target", "x", "--target-type", "session"], { targetId: "x", targetType: "session" }],
  [["--result", "FAILURE", "--action", "agent.*"], { result: "FAILURE", action: "agent.*" }],
];

test.each(filters)("the flags %j become the query %j", async (flags, query) => {
  const world = trail();
  const wanted = await world.as("owner").call("audit-events.list", { query });
  const ran = await world.run("--server", ["audit", "list", "-o", "json", ...flags]);
  const hint = flags.includes("nothing.*") ? /knows no audit action nothing\.\*\./ : /^$/;
  expect(ran).toMatchObject({ status: 0, stderr: expect.stringMatching(hint) });
  expect(JSON.parse(ran.stdout)).toEqual(wanted);
  const all = await world.as("owner").call("audit-events.list", { query: { pageSize: 200 } });
  expect(all.filter((event) => matchesFilters(query, event))).toEqual(wanted);
});

test("an unknown target type is refused, and the known ones are listed", async () => {
  const ran = await trail().run("--server", ["audit", "list", "--target-type", "nonsense"]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  for (const type of ["bus_route", "api_key", "registration_token", "service", "key", "token"]) {
    expect(ran.stderr).toMatch(new RegExp(`\\b${type}\\b`));
  }
});

test("the target type `route`, which means API routes, gets a hint about bus routes", async () => {
  const world = await openWorld();
  const denied = { action: "access.denied", targetType: "route", targetId: "GET /x" } as const;
  await addRows(world, 1, denied);
  const words = ["audit", "list", "--target-type", "route", "-o", "json"];
  const { stdout, stderr } = await world.run("--server", words);
  expect(JSON.parse(stdout)).toMatchObject([denied]);
  expect(stderr).toContain("an event bus route has the type bus_route.");
});

test("an action that this program does not know gets a hint, because nothing would match", async () => {
  const ran = await trail().run("--server", ["audit", "list", "--action", "system.startet"]);
  expect(ran).toMatchObject({ status: 0, stdout: "" });
  expect(ran.stderr).toContain("Did you mean system.started?");
});

describe("--actor and --target by name", () => {
  const named = perFile(async () => {
    const world = await openWorld();
    const { call } = world.as("owner");
    const password = "correct horse battery";
    const ada = await call("users.create", { body: { username: "ada", password, role: "viewer" } });
    const token = await call("registration-tokens.create", { body: { name: "edge-7" } });
    await call("registration-tokens.create", { body: { name: "edge-1" } });
    const agents = await call("agents.list");
    const services = await call("services.list");
    const idOf = (rows: { code: string; id: string }[], wanted: string) =>
      rows.find(({ code }) => code === wanted)?.id ?? "";
    const edge1 = idOf(agents, "edge-1");
    const cut = edge1.slice(0, -1);
    // Ids from the same millisecond may differ only in the last character.
    const isShared = agents.some(({ id }) => id !== edge1 && id.startsWith(cut));
    const snored = await world.execute("sleeper", "snore");
    return {
      ...world,
      ids: {
        ada: ada.id,
        token: token.id,
        edge1,
        beginningOfEdge1: isShared ? edge1 : cut,
        sleeper: idOf(services, "sleeper"),
        snored,
      },
    };
  });
  type Named = ReturnType<typeof named>;
  const byActor = () => ["--actor", "edge-1"];

  test.each<[words: (world: Named) => string[], field: string, id: keyof Named["ids"]]>([
    [byActor, "actorId", "edge1"],
    [({ ids }) => ["--actor", ids.beginningOfEdge1], "actorId", "edge1"],
    [() => ["--target", "ADA"], "targetId", "ada"],
    [() => ["--target", "edge-7"], "targetId", "token"],
    // A token has the same name as this agent, which takes precedence.
    [() => ["--target", "edge-1"], "targetId", "edge1"],
    [() => ["--target", "Sleeper"], "targetId", "sleeper"],
    [({ ids }) => ["--target", ids.snored.slice(0, -1)], "targetId", "snored"],
  ])("%s finds events by name", async (words, field, id) => {
    const world = named();
    // All three commands look names up in the same way.
    for (const command of words === byActor ? ["list", "tail", "export"] : ["list"]) {
      const format = command === "export" ? "--format" : "-o";
      const ran = await world.run("--server", ["audit", command, ...words(world), format, "json"]);
      expect(ran).toMatchObject({ status: 0, stderr: "" });
      const events: Record<string, string>[] = JSON.parse(ran.stdout);
      expect(new Set(events.map((event) => event[field]))).toEqual(new Set([world.ids[id]]));
    }
  });

  test.each([
    ["--actor eda", 3, "there is no agent, user or API key eda. Did you mean ada?"],
    ["--actor ada --actor-type AGENT", 3, "there is no agent ada."],
    [
      "--target slepper --target-type service",
      3,
      "there is no service slepper. Did you mean sleeper?",
    ],
    ["--target agt_", 5, "agt_ is ambiguous; give the id, or add --target-type:\n  agt_"],
    ["--target cmd_7ZZZ", 3, "there is no command cmd_7ZZZ."],
  ])("%s exits with %i", async (words, status, says) => {
    const ran = await named().run("--server", ["audit", "list", ...words.split(" ")]);
    expect(ran).toMatchObject(failing(status, `platformctl: ${says}`));
  });

  test("without access to users, only agents are found, and the error says so", async () => {
    const world = named();
    const body = { name: "looks", role: "viewer" as const };
    const { key } = await world.as("owner").call("api-keys.create", { body });
    const env = { API_KEY: key };
    const seen = await world.run("--server", ["audit", "list", "--actor", "edge-1"], { env });
    expect(seen).toMatchObject({ status: 0, stderr: "" });
    const unseen = await world.run("--server", ["audit", "list", "--actor", "ada"], { env });
    expect(unseen).toMatchObject(failing(3, "that this credential can see; give the id instead."));
    const query = { action: "access.denied" };
    expect(await world.as("owner").call("audit-events.list", { query })).toEqual([]);
  });
});

test("--from and --to accept a time or a duration", async () => {
  const world = trail();
  const now = world.clock.now();
  const io = { now: () => now };
  const iso = new Date(now).toISOString();
  const seqs = async (...flags: string[]) => {
    const words = ["audit", "list", "--limit", "200", "-o", "json", ...flags];
    const { stdout } = await world.run("--server", words, { io });
    return JSON.parse(stdout).map((event: { seq: number }) => event.seq);
  };
  const all = await seqs();
  const last = [all[0]];
  expect(await seqs("--from", "5s")).toEqual(last);
  expect(await seqs("--from", iso)).toEqual(last);
  expect(await seqs("--from", iso.slice(0, -1))).toEqual(last);
  expect(await seqs("--to", "5s")).toEqual(all.slice(1));
  expect(await seqs("--to", iso)).toEqual(all.slice(1));
  expect(await seqs("--from", "1h", "--to", "30m")).toEqual([]);
  for (const query of [{ from: iso }, { to: iso }]) {
    const events = await world.as("owner").call("audit-events.list", { query: { pageSize: 200 } });
    const live = events.filter((event) => matchesFilters(query, event)).map(({ seq }) => seq);
    expect(live).toEqual(query.from ? last : all.slice(1));
  }
});

test.each([
  [["--result", "GOOD"], /--result.*SUCCESS, FAILURE, DENIED/],
  [["--to", "2026-13-01"], /--to must be a time such as/],
  [["--action", "system.started,system.stopped"], /--action takes one action, or the beginning/],
])("%j is refused", async (flags, says) => {
  expect(await trail().run("--server", ["audit", "list", ...flags])).toMatchObject(
    failing(2, says),
  );
});
