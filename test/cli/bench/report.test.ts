// Tests the report of `platform bench`: its sentence, its page, the live line, and the flags.

import { describe, expect, test } from "vitest";
import { htmlPage } from "../../../src/cli/commands/bench/html-page.ts";
import { liveLine, requestRate } from "../../../src/cli/commands/bench/live-line.ts";
import { type Measurement, reportOf } from "../../../src/cli/commands/bench/report.ts";
import type { ServerUse } from "../../../src/cli/commands/bench/server-watch.ts";
import { Tally } from "../../../src/cli/commands/bench/stats/tally.ts";
import { cli, failing } from "../world.ts";

const use: ServerUse = {
  cpuShare: 0.5,
  residentBytes: 120_000_000,
  heldPolls: 998,
  eventLoopDelayP99Ms: 4,
  limitsReached: {},
  restarts: 0,
};

const ground = {
  destination: { url: "http://127.0.0.1:8080" },
  diagnostics: {
    service: { version: "1.2.3" },
    configuration: { agentHeartbeatIntervalSeconds: 30 },
    limits: { inUse: { connections: { used: 1, allowed: 20_001 } } },
  },
  sameHost: true,
  otherAgents: 0,
};

function measurement(change: object = {}): Measurement {
  return {
    run: "0123abcd",
    settings: { agents: 1000, actionsPerSecond: 10, eventsPerSecond: 0 },
    ground,
    seconds: 60,
    interrupted: false,
    held: 1000,
    heldByServer: 998,
    registerSeconds: 2,
    holdAllSeconds: 2.5,
    tally: new Tally(),
    idle: { ...use, cpuShare: 0, residentBytes: 100_000_000 },
    use,
    generator: { cpuShare: 0.2, busiest: 0.25, residentBytes: 1, processes: 2 },
    outages: [],
    gaveOut: { what: "nothing", detail: "", atSeconds: null },
    freeBytes: 1_000_000_000,
    ...change,
  } as unknown as Measurement;
}

describe("the report's sentence", () => {
  test.each<[change: object, sentence: string]>([
    [
      {},
      "This host carries about 1,400 agents at 30s heartbeats, with 400 to spare. The server's event loop reaches its limit first.",
    ],
    [
      { use: { ...use, cpuShare: 1 } },
      "This host carries about 700 agents at 30s heartbeats, 300 fewer than in this run. The server's event loop reaches its limit first.",
    ],
    [
      { use: { ...use, cpuShare: 0.01 }, ground: { ...ground, sameHost: false } },
      "The server's host carries about 2,000 agents at 30s heartbeats, with 1,000 to spare. This is twice what was measured, and the limit may be higher: run it with more agents.",
    ],
    [
      { freeBytes: 30_000_000 },
      "This host carries about 1,200 agents at 30s heartbeats, with 200 to spare. Its memory runs out first.",
    ],
    [{ seconds: 2 }, "No estimate: it needs a measurement of at least 10 s."],
    [{ use: null }, "No estimate: the server's own figures were not available."],
  ])("with %o", (change, sentence) => {
    expect(reportOf(measurement(change)).summary).toBe(sentence);
  });
});

test("rates and percentiles are those of the measured time", () => {
  const tally = new Tally();
  for (let count = 0; count < 90; count++) tally.count("heartbeats");
  tally.latencies.heartbeat.record(8);
  tally.failed("ECONNRESET");
  const report = reportOf(measurement({ tally }));
  expect(report.heartbeats).toEqual({
    perSecond: 1.5,
    p50Ms: expect.closeTo(8, 0),
    p99Ms: expect.closeTo(8, 0),
  });
  expect(report.errors).toEqual({ total: 1, byKind: { ECONNRESET: 1 } });
  expect(report.server.residentBytesPerAgent).toBe(20_000);
});

test("a restarted server does not show how much memory the agents need", () => {
  const report = reportOf(measurement({ use: { ...use, restarts: 1 } }));
  expect(report.server.residentBytesPerAgent).toBeNull();
  expect(report.estimate?.byLimit.memory).toBeNull();
});

test("the page is complete in itself, and shows text as text", () => {
  const report = reportOf(
    measurement({
      gaveOut: { what: "server", detail: '<b>"&</b>', atSeconds: 3 },
      outages: [{ atSeconds: 3, allBackAfterSeconds: 1.5, fewest: 0 }],
    }),
  );
  const page = htmlPage(report, "2026-01-02T03:04:05.678Z");
  expect(page).toContain("&lt;b&gt;&quot;&amp;&lt;/b&gt;");
  expect(page).toContain("<th>after 3 s</th><td>all agents were back after 1.5 s;");
  expect(page).toContain("<th>idle cpu</th><td>0 %</td>");
  expect(page).toContain(report.summary.replaceAll('"', "&quot;"));
  expect(page).not.toMatch(/<(?:script|link|img)|\bsrc=|url\(/);
});

test("the live line shows what there is to show, and the rate of the last second", () => {
  const tally = new Tally();
  const rateOf = requestRate();
  expect(rateOf(tally, 0)).toBeNull();
  for (let count = 0; count < 30; count++) tally.count("polls");
  const requestsPerSecond = rateOf(tally, 1500);
  const facts = { wanted: 10, registered: 4, held: 3, tally, requestsPerSecond, server: use };
  tally.latencies.dispatch.record(2);
  tally.failed("EMFILE");
  expect(liveLine(facts)).toMatch(
    /^4 of 10 registered, 3 connected · 20 req\/s · dispatch p50 [\d.]+ p99 [\d.]+ ms · 1 error · server 50 % CPU 114.4 MiB$/,
  );
});

test.each([
  [["--agents", "0"], "--agents: use a number from 1"],
  [["--duration", "0"], "--duration: use at least 1s"],
  [["--agents", "5", "--processes", "6"], "--processes: use a number from 1 to the number of"],
  [["--actions", "often"], "--actions: use a number of times per second"],
  [["--html", "/nonexistent/report.html"], "--html: the folder of /nonexistent/report.html"],
  [["--context", "x"], "no context x"],
  // The message does not suggest `--db`.
  [[], "is `platform serve` running there?\n"],
])("%j is refused before anything is sent", async (flags, says) => {
  const target = flags.includes("--context") ? [] : ["--server", "http://127.0.0.1:1"];
  expect(await cli(["bench", ...target, ...flags])).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining(says),
  });
});

test("a database file is not a server to measure", async () => {
  const env = { DB: "/nonexistent/platform.db" };
  expect(await cli(["bench"], { env })).toMatchObject(failing(2, "give its --server URL"));
});
