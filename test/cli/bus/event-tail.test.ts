// Tests that `events list --tail` prints every event exactly once and in order. audit-tail.test.ts
// tests what both tails share, such as restarts of the server.

import { describe, expect, vi } from "vitest";
import { interceptReads } from "../../core/intercepted-reads.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { until } from "../../helpers/process/process.ts";
import { following } from "../following.ts";
import { collector, failing, openWorld, test, type Way, type World } from "../world.ts";

const tailWords = ["events", "list", "--tail"];

const tailing = (world: World, way: Way, ...flags: string[]) =>
  following(world, way, [...tailWords, ...flags]);

const jsonLines = ["-o", "jsonl"];

async function publish(
  { as }: World,
  ids: string[],
  more: { type?: string; source?: string } = {},
) {
  for (const id of ids) {
    const body = { type: "log.full", source: collector.code, id, ...more };
    await as("operator").call("bus-events.publish", { body });
  }
}

const rule = {
  name: "louder",
  state: "ENABLED",
  match: { type: "log.full" },
  target: { serviceCode: collector.code, action: "set-level" },
} as const;

const live = (world: World) => until("the tail is live", () => world.app.core.feed.isWatched);

test("prints the newest events, then new ones; Ctrl-C stops it", async ({ world }) => {
  await publish(world, ["a", "b", "c"]);
  const tail = tailing(world, "--db", ...jsonLines, "--limit", "2");
  const ids = () => tail.values("sourceEventId");
  await until("the tail has printed the first events", () => ids().length === 2);
  await publish(world, ["d", "e"]);
  await publish(world, ["d"]);
  await publish(world, ["f"]);
  await until("all events have been printed", () => ids().length === 5);
  expect(ids()).toEqual(["b", "c", "d", "e", "f"]);
  expect(await tail.stop()).toBe(130);
  expect(tail.notes()).toMatch(/^\{"error":\{"code":"INTERRUPTED".*\n$/);
  const listed = await world.as("viewer").call("bus-events.list", { query: { pageSize: 5 } });
  const rows = tail.out().trimEnd().split("\n");
  expect(rows.map((row) => JSON.parse(row))).toEqual(listed.toReversed());
});

test("only prints events that match the filters", async ({ world }) => {
  const { id: routeId } = await world.as("operator").call("bus-routes.create", {
    body: { ...rule, state: "DRY_RUN" },
  });
  const [agent] = await world.as("viewer").call("agents.list", { query: { q: "edge-1" } });
  const query = { type: "log.full", agentId: "edge-1" };
  const view = { name: "full here", noun: "bus-events", query, shared: true } as const;
  await world.as("owner").call("saved-views.create", { body: view });
  const tails = [
    ["--source", "sleeper"],
    ["--agent", agent!.id],
    ["--route", "louder"],
    ["--route", routeId, "--source", collector.code],
    ["--from", "1h"],
    ["--view", "full here"],
  ].map((flags) => tailing(world, "--server", ...jsonLines, ...flags));
  const all = tailing(world, "--server", ...jsonLines);
  await publish(world, ["before"], { type: "log.empty" });
  await until("the event has been printed", () => all.values("sourceEventId").length === 1);
  await publish(world, ["full"]);
  await publish(world, ["slept"], { source: "sleeper" });
  await publish(world, ["other"], { type: "log.empty" });
  await until("all events have been printed", () => all.values("sourceEventId").length === 4);
  const wanted = [
    ["slept"],
    ["before", "full", "other"],
    ["full", "slept"],
    ["full"],
    ["before", "full", "slept", "other"],
    ["full"],
  ];
  await until("each tail has printed its events", () =>
    tails.every((tail, at) => tail.values("sourceEventId").length >= wanted[at]!.length),
  );
  expect(tails.map((tail) => tail.values("sourceEventId"))).toEqual(wanted);
});

describe("each event is printed once and in order", () => {
  test("even if an event cannot be read at first, and without reading earlier events again", async () => {
    const world = await openWorld();
    const tail = tailing(world, "--server", ...jsonLines);
    await live(world);
    await publish(world, ["first"]);
    // A failure before the tail is live would end the command.
    await until("the event has been printed", () => tail.values("id").length === 1);
    const { read } = world.app.core.db;
    const get = read.get.bind(read);
    const looked: unknown[] = [];
    let failures = 0;
    vi.spyOn(read, "get").mockImplementation(async (sql: string, ...params) => {
      if (!sql.includes("FROM bus_events e WHERE e.id")) return get(sql, ...params) as never;
      looked.push(params[0]);
      if (new Set(looked).size === 3 && failures++ === 0) throw new Error("a temporary failure");
      return get(sql, ...params) as never;
    });
    for (const { outlet } of world.app.core.feed.watchers) outlet.end("stopping");
    await publish(world, ["a", "b", "c", "d"]);
    await until("all events have been printed", () => tail.values("id").length === 5);
    const [, a, b, c, d] = tail.values<string>("id");
    expect(looked).toEqual([a, b, c, c, d]);
    expect(tail.notes()).toMatch(/Live again; nothing was missed.\n$/);
    expect(tail.values("sourceEventId")).toEqual(["first", "a", "b", "c", "d"]);
  });

  test("even if it is published between the first two reads; a pruned event is not printed", async () => {
    const world = await openWorld();
    await publish(world, ["a"]);
    let between = async () => {
      await publish(world, ["between"]);
      await publish(world, ["gone"]);
    };
    interceptReads(world, ({ all }) => ({
      async all(sql, ...params) {
        if (!sql.includes("FROM bus_events e") || !sql.includes("LIMIT")) {
          return all(sql, ...params) as never;
        }
        const doIt = between;
        between = async () => undefined;
        await doIt();
        const rows = await all<{ sourceEventId: string }>(sql, ...params);
        await world.database.write((tx) =>
          tx.run("DELETE FROM bus_events WHERE event_id = 'gone'"),
        );
        return rows.filter(({ sourceEventId }) => sourceEventId !== "gone") as never;
      },
    }));
    const tail = tailing(world, "--server", ...jsonLines);
    await live(world);
    await publish(world, ["after"]);
    await until("the event has been printed", () => tail.out().includes("after"));
    expect(tail.values("sourceEventId")).toEqual(["a", "between", "after"]);
  });
});

const shared = perFile(() => openWorld());

test.each([
  [["--page", "2"], /leave out --page/],
  [["--before", "1.bev_1"], /leave out --before/],
  [["--to", "1h"], /leave out --to/],
  [["--all"], /leave out --all/],
  [["--columns", "nope"], /there is no column nope/],
])("%s is a usage error", async (flags, says) => {
  expect(await shared().run("--server", [...tailWords, ...flags])).toMatchObject(failing(2, says));
});
