// `watch` at a terminal that is resized, across server restarts, and without a terminal.

import { describe, expect } from "vitest";
import { frameOf } from "../../../src/cli/commands/watch/frame.ts";
import type { Agent } from "../../../src/cli/commands/watch/snapshot.ts";
import { WatchState } from "../../../src/cli/commands/watch/state.ts";
import type { StreamMessage } from "../../../src/client/client.ts";
import { wireTo } from "../../agent/harness.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { until } from "../../helpers/process/process.ts";
import { keys, openTerminal, type Terminal } from "../../helpers/process/terminal.ts";
import { following } from "../following.ts";
import { cli, failing, openWorld, test, type Way, type World, ways } from "../world.ts";

const enterScreen = "\u001b[?1049h";
const leaveScreen = "\u001b[?1049l";
const showCursor = "\u001b[?25h";

function watching(world: World, way: Way, options: { columns?: number; rows?: number } = {}) {
  const target = way === "--db" ? world.db : world.url;
  return openTerminal(["watch", way, target], { env: { PLATFORM_API_KEY: world.key }, ...options });
}

function expectRestored(terminal: Terminal): void {
  const raw = terminal.raw();
  expect(raw.lastIndexOf(leaveScreen)).toBeGreaterThan(raw.lastIndexOf(enterScreen));
  expect(raw.lastIndexOf(showCursor)).toBeGreaterThan(raw.lastIndexOf("\u001b[?25l"));
}

function lines(terminal: Terminal): string[] {
  return terminal.text().split("\n");
}

describe("at a terminal", () => {
  test("shows each state in place and without delay, until SIGHUP ends it", async ({ world }) => {
    const terminal = watching(world, "--server");
    await terminal.shows(/agents +2 ONLINE/);
    await terminal.shows(/services +1 HEALTHY +1 UNHEALTHY/);
    await terminal.shows("No commands yet.");
    await world.execute("sleeper", "snore");
    await terminal.shows(/^snore +PENDING +sleeper/m);
    await world.execute("log-collector", "set-level");
    await terminal.shows(/^set-level +SUCCEEDED +log-collector/m);
    await world.execute("log-collector", "explode");
    await terminal.shows(/^explode +FAILED +log-collector .*BOOM/m);
    await terminal.shows(/^command.failed +FAILURE/m);
    expect(terminal.text().match(/^set-level /gm)).toHaveLength(1);
    await world.as("owner").call("agents.disable", {
      params: { agentId: world.sleeping.agentId },
    });
    await terminal.shows(/^edge-2 +DISABLED/m);
    await terminal.shows(/commands +1 PENDING/);
    await terminal.shows(/agents +1 ONLINE +1 DISABLED/);
    await terminal.shows(/^sleeper +OFFLINE +edge-2/m);
    expect(lines(terminal).length).toBeLessThanOrEqual(30);
    expect(terminal.text()).toMatch(/ live$/m);
    terminal.signal("SIGHUP");
    expect(await terminal.ended).toBe(129);
    expectRestored(terminal);
  });
});

test("the audit section names the service of a health event, and the change", () => {
  const state = new WatchState();
  state.apply({
    type: "audit",
    data: {
      action: "service.health.changed",
      actorType: "AGENT",
      actorName: "edge-2",
      at: "2026-01-31T12:00:00Z",
      message: null,
      metadata: { code: "log-collector", from: "UP", to: "DOWN" },
      result: "SUCCESS",
      targetId: "01J0000000000000000000SVC",
      targetType: "SERVICE",
    },
  } as unknown as StreamMessage);
  const frame = { columns: 120, rows: 10, target: "", colour: false, now: 0 };
  const shown = frameOf(state, { ...frame, types: ["audit"] }).join("\n");
  expect(shown).toMatch(
    /^service\.health\.changed +DOWN .* agent edge-2 +log-collector +UP → DOWN/m,
  );
});

test("a deleted agent disappears when the agents are read again", () => {
  const state = new WatchState();
  const [kept, deleted] = ["agt_1", "agt_2"].map((id) => ({ id, updatedAt: "" }) as Agent);
  const numbers = { counts: state.counts, services: [] };
  state.begin({ ...numbers, agents: [kept, deleted] as Agent[], commands: [], audit: [] });
  expect(state.agents).toHaveLength(2);
  state.renew({ ...numbers, agents: [kept as Agent] });
  expect(state.agents).toEqual([kept]);
});

test("writes only the time if nothing else changes, fits terminals of any size, and Ctrl-C ends it", async ({
  world,
}) => {
  const terminal = watching(world, "--db");
  await terminal.shows(/agents +2 ONLINE/);
  const before = terminal.raw().length;
  const written = () => terminal.raw().slice(before);
  const drawn = () => written().split("\u001b[?2026h").length - 1;
  await until("the time has changed", () => drawn() >= 2);
  expect(written()).not.toContain("\u001b[2J");
  expect(written()).not.toContain("agents ");
  for (let i = 0; i < 8; i++) await world.execute("log-collector", "explode");
  await terminal.shows(/^explode +FAILED/m);
  for (const [columns, rows] of sizes) {
    terminal.resize(columns, rows);
    const fits = () => {
      const seen = lines(terminal);
      return seen.length <= rows && seen.every((line) => line.length <= columns) ? seen : null;
    };
    // The terminal wraps the old lines before the program draws new ones.
    const drawn = (seen: string[] | null) =>
      seen?.[0]?.length === columns &&
      seen[0].endsWith("live") &&
      (rows < 15 || seen.at(-1) === "Press q to quit");
    await until(`the screen has ${columns} columns and ${rows} rows`, () => drawn(fits()));
    if (rows < 15) continue;
    const seen = lines(terminal);
    expect(seen.filter((line) => line.startsWith("explode"))).not.toEqual([]);
    expect(seen.some((line) => line.startsWith("AUDIT EVENT"))).toBe(true);
    expect(seen.some((line) => line.startsWith("AGENT "))).toBe(true);
  }
  // After a line of full width, some terminals would erase its last character.
  expect(terminal.raw()).not.toContain("\u001b[K");
  await terminal.answer("Press q to quit", keys.ctrlC);
  expect(await terminal.ended).toBe(130);
  expect(terminal.text()).toBe("platformctl: interrupted");
  expectRestored(terminal);
});

const sizes = [
  [60, 15],
  [40, 15],
  [40, 6],
  [12, 3],
  [200, 60],
] as const;

test("reconnects after an outage, with what has changed meanwhile, until q ends it", async ({
  world,
}) => {
  const wire = await wireTo(world);
  const env = { PLATFORM_API_KEY: world.key };
  const terminal = openTerminal(["watch", "--server", wire.url], { env });
  await terminal.shows(/agents +2 ONLINE/);
  wire.up = false;
  await terminal.shows(/not live: reconnecting \(/);
  await world.registerAgent("edge-3");
  wire.up = true;
  await terminal.shows(/agents +3 ONLINE/);
  await terminal.shows(/ live$/m);
  wire.up = false;
  await terminal.answer(/not live: reconnecting \(/, "q");
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).toBe("");
  expectRestored(terminal);
});

test("a server that is unavailable at the start is an error, and nothing is drawn", async () => {
  const io = { interactive: true, isTerminal: true, canDraw: true, width: 80 };
  const ran = await cli(["watch", "--server", "http://127.0.0.1:1"], { io });
  expect(ran).toMatchObject(failing(6, "cannot reach"));
});

describe("without a terminal", () => {
  const shared = perFile(() => openWorld());

  test.for(ways)("prints a line for each message, %s", async (way, { world }) => {
    const watch = following(world, way, ["watch", "--types", "command,agent"]);
    const messages = () =>
      watch
        .out()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    // The program prints nothing at its start, so this creates commands until it prints one.
    await until("a command has been printed", async () => {
      await world.execute("log-collector", "set-level");
      return messages().length > 0;
    });
    const id = await world.execute("log-collector", "explode");
    const ofIt = () => messages().filter(({ data }) => data.id === id);
    await until("the failed command has been printed", () =>
      ofIt().some(({ data }) => data.status === "FAILED"),
    );
    expect(new Set(messages().map(({ type }) => type))).toEqual(new Set(["command"]));
    expect(await watch.stop()).toBe(130);
  });

  test("--once prints the current state and exits", async ({ world }) => {
    await world.run("--server", ["actions", "run", "log-collector", "explode"]);
    const text = await world.run("--server", ["watch", "--once"]);
    expect(text).toMatchObject({ status: 0, stderr: "" });
    expect(text.stdout).toMatch(/^agents +2 ONLINE$/m);
    expect(text.stdout).toMatch(/^explode +FAILED/m);
    expect(text.stdout).toMatch(
      /^SERVICE .*\nsleeper +UNHEALTHY +edge-2 .*\nlog-collector +HEALTHY/m,
    );
    expect(text.stdout).not.toContain("\u001b");
    const coloured = await world.run("--server", ["watch", "--once"], { io: { colour: true } });
    expect(coloured.stdout).toContain("\u001b[");
    const json = await world.run("--db", ["watch", "--once", "-o", "json"]);
    const snapshot = JSON.parse(json.stdout);
    const wanted = { type: "ACTION_EXECUTE" } as const;
    expect(snapshot.commands).toEqual(
      expect.arrayContaining(await world.as("viewer").call("commands.list", { query: wanted })),
    );
    expect(snapshot.counts.agents).toEqual({ ONLINE: 2, OFFLINE: 0, DISABLED: 0 });
    expect(snapshot.counts.commands).toEqual({ PENDING: 0, RUNNING: 0 });
    const line = await world.run("--server", [
      "watch",
      "--once",
      "-o",
      "jsonl",
      "--types",
      "agent",
    ]);
    expect(line.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(line.stdout)).toMatchObject({ commands: [], audit: [], services: [] });
  });

  test.each([
    [["--types", "weather"], /there is no type weather; the types are audit, command/],
    [["-o", "table"], /add --once, or use -o jsonl/],
    [["-o", "yaml"], /Allowed choices are table, json, jsonl/],
  ])("%s is a usage error", async (flags, says) => {
    expect(await shared().run("--server", ["watch", ...flags])).toMatchObject(failing(2, says));
  });
});
