// Which audit events are wanted: every filter, over both ways, on rows of the past and on those that
// come live, which must be the same ones.

import { describe, expect, test } from "vitest";
import { letsThrough } from "../../src/cli/audit-filters.ts";
import { addRows } from "../core/long-trail.ts";
import { openWorld, ways } from "./world.ts";

const second = 1000;

async function trail() {
  const world = await openWorld();
  world.clock.advance(10 * second);
  await addRows(world, 1, { action: "agent.online", targetType: "agent", result: "FAILURE" });
  return world;
}

const filters: [flags: string[], query: Record<string, string>][] = [
  [["--action", "agent.registered"], { action: "agent.registered" }],
  [["--action", "agent.*"], { action: "agent.*" }],
  [["--action", "*"], { action: "*" }],
  [["--action", "nothing.*"], { action: "nothing.*" }],
  [["--actor-type", "AGENT"], { actorType: "AGENT" }],
  [["--target-type", "agent"], { targetType: "agent" }],
  [["--target", "cmd_1"], { targetId: "cmd_1" }],
  [["--result", "FAILURE"], { result: "FAILURE" }],
  [["--result", "FAILURE", "--action", "agent.*"], { result: "FAILURE", action: "agent.*" }],
];

test.each(filters)("%s is %s", async (flags, query) => {
  const world = await trail();
  const wanted = await world.as("viewer").call("audit-events.list", { query });
  for (const way of ways) {
    const ran = await world.run(way, ["audit", "list", "-o", "json", ...flags]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toEqual(wanted);
  }
  const all = await world.as("viewer").call("audit-events.list", { query: { pageSize: 200 } });
  expect(all.filter((event) => letsThrough(query, event))).toEqual(wanted);
  expect(all.length).toBeGreaterThan(wanted.length - 1);
});

test("--actor is who did it", async () => {
  const world = await trail();
  const [agent] = await world.as("viewer").call("agents.list");
  const { stdout } = await world.run("--db", ["audit", "list", "--actor", agent!.id, "-o", "json"]);
  const actors = new Set(JSON.parse(stdout).map((event: { actorId: string }) => event.actorId));
  expect(actors).toEqual(new Set([agent!.id]));
});

describe("--from and --to", () => {
  test("are a time, or how long ago", async () => {
    const world = await trail();
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
      const events = await world
        .as("viewer")
        .call("audit-events.list", { query: { pageSize: 200 } });
      const live = events.filter((event) => letsThrough(query, event)).map(({ seq }) => seq);
      expect(live).toEqual(query.from ? last : all.slice(1));
    }
  });

  test.each([
    ["--from", "yesterday"],
    ["--to", "2026-13-01"],
    ["--from", "-1h"],
  ])("%s %s is no time", async (flag, text) => {
    const world = await openWorld();
    const ran = await world.run("--db", ["audit", "list", flag, text]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(`${flag} must be a time such as`);
  });
});

test.each([
  [["--result", "GOOD"], /--result.*SUCCESS, FAILURE, DENIED/],
  [["--actor-type", "ROBOT"], /--actor-type.*USER, API_KEY, AGENT, SYSTEM, LOCAL/],
])("%s is refused", async (flags, says) => {
  const world = await openWorld();
  const ran = await world.run("--db", ["audit", "list", ...flags]);
  expect(ran.status).toBe(2);
  expect(ran.stderr).toMatch(says);
});
