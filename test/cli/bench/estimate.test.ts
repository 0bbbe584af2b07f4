// Tests the estimate of `platform bench`, its checks before the load, and what gave out first.

import { describe, expect, test } from "vitest";
import {
  defaultProcesses,
  type KnownLimits,
  obstaclesTo,
  operatorRequests,
} from "../../../src/cli/commands/bench/capacity-limits.ts";
import { estimateCapacity, type Measured } from "../../../src/cli/commands/bench/estimate.ts";
import { LimitFinder, type Moment } from "../../../src/cli/commands/bench/limit-finder.ts";
import { serverUse } from "../../../src/cli/commands/bench/server-watch.ts";

const measured: Measured = {
  agents: 1000,
  seconds: 60,
  idleCpuShare: 0,
  cpuShare: 0.5,
  bytesPerAgent: 20_000,
  availableBytes: 1_000_000_000,
  connections: 20_000,
};

describe("the estimate", () => {
  test.each<[what: string, change: Partial<Measured>, agents: number, limitedBy: string]>([
    ["70 % of a core end first", {}, 1400, "cpu"],
    ["the idle load of the server is not the agents'", { idleCpuShare: 0.1 }, 1500, "cpu"],
    ["a saturated server carries less than it had", { cpuShare: 1 }, 700, "cpu"],
    ["80 % of the memory end first", { availableBytes: 30_000_000 }, 1200, "memory"],
    ["90 % of the connections end first", { connections: 1300 }, 1100, "connections"],
    ["at most twice what was measured", { cpuShare: 0.01 }, 2000, "measured"],
    ["unknown memory", { cpuShare: 0.01, availableBytes: null }, 2000, "measured"],
    ["memory that did not grow", { cpuShare: 0.01, bytesPerAgent: null }, 2000, "measured"],
    ["an idle load above the limit", { idleCpuShare: 0.8, cpuShare: 0.9 }, 0, "cpu"],
  ])("%s", (_, change, agents, limitedBy) => {
    const given = { ...measured, ...change };
    expect(estimateCapacity(given)).toMatchObject({
      agents,
      limitedBy,
      spare: agents - given.agents,
    });
  });

  test("there is none for a short measurement", () => {
    expect(estimateCapacity({ ...measured, seconds: 9.9 })).toBeNull();
  });
});

describe("obstacles before the load", () => {
  const load = { agents: 1000, actionsPerSecond: 10, eventsPerSecond: 0, processes: 2 };
  const overhead = { connectionsPerProcess: 40, descriptorsPerProcess: 60 };
  const limits: KnownLimits = {
    connections: { used: 1, allowed: 1081 },
    connectionsPerAddress: 1080,
    requestsPerSecond: 28,
    descriptors: 600,
    ports: 1080,
  };

  test("there are none if everything just fits", () => {
    expect(obstaclesTo(load, limits, overhead)).toEqual([]);
    expect(obstaclesTo(load, { ...limits, requestsPerSecond: 0 }, overhead)).toEqual([]);
  });

  test.each<[change: Partial<KnownLimits>, says: RegExp]>([
    [
      { connections: { used: 2, allowed: 1081 } },
      /raise PLATFORM_MAX_CONNECTIONS .* at most 999 agents$/,
    ],
    [
      { connectionsPerAddress: 500 },
      /raise PLATFORM_MAX_CONNECTIONS_PER_ADDRESS, or use at most 420 agents$/,
    ],
    [{ requestsPerSecond: 20 }, /PLATFORM_MAX_REQUESTS_PER_SECOND=0 .* use --actions 6$/],
    [{ ports: 1079 }, /ip_local_port_range/],
    [{ descriptors: 599 }, /599 open files .* each of 2 load processes needs 600: .*--processes/],
  ])("one for %o", (change, says) => {
    const found = obstaclesTo(load, { ...limits, ...change }, overhead);
    expect(found).toEqual([expect.stringMatching(says)]);
  });

  test("the bench keeps below the server's limit on requests", () => {
    expect([200, 0, null].map(operatorRequests)).toEqual([180, null, null]);
  });

  test.each([
    [20, 8, null, 1],
    [3000, 8, null, 3],
    [3000, 1, null, 1],
    [3000, 2, 600, 6],
  ])("%d agents on %d cores with %s open files use %d processes", (agents, cores, files, count) => {
    expect(defaultProcesses(agents, cores, files, overhead)).toBe(count);
  });
});

describe("what gave out first", () => {
  const quiet: Moment = {
    atSeconds: 1,
    serverCpuShare: 0.3,
    generatorBusy: 0.3,
    errors: {},
    works: 100,
  };
  const resultOf = (...moments: Partial<Moment>[]) => {
    const first = new LimitFinder();
    for (const moment of moments) first.observe({ ...quiet, ...moment });
    return first.result;
  };
  const busyServer = { serverCpuShare: 0.95 };
  const busyGenerator = { generatorBusy: 0.95 };

  test.each<[what: string, moments: Partial<Moment>[], result: object]>([
    ["nothing", [{}, busyServer, {}, busyServer], { what: "nothing", atSeconds: null }],
    [
      "the server's CPU",
      [busyServer, busyServer, { ...busyServer, atSeconds: 7 }],
      { what: "server", atSeconds: 7, detail: expect.stringContaining("event loop") },
    ],
    [
      "the generator's CPU",
      [busyGenerator, busyGenerator, busyGenerator],
      { what: "generator", detail: expect.stringContaining("--processes") },
    ],
    [
      "open files",
      [{ errors: { EMFILE: 1 } }, { errors: { EMFILE: 1, UNAVAILABLE: 1 } }],
      { what: "generator", detail: expect.stringContaining("ulimit -n") },
    ],
    [
      "a setting",
      [{ errors: { RATE_LIMITED: 1 } }],
      { what: "server", detail: expect.stringContaining("PLATFORM_MAX_REQUESTS_PER_SECOND") },
    ],
    ["a restart", [{ errors: { ECONNREFUSED: 1 } }], { what: "connection" }],
    ["a few skipped actions", [{ errors: { ACTION_SKIPPED: 2 } }], { what: "nothing" }],
    ["many skipped actions", [{ errors: { ACTION_SKIPPED: 3 } }], { what: "rate" }],
    [
      "any other refusal",
      [{ errors: { COMMAND_FAILED: 1 } }],
      { what: "server", detail: expect.stringContaining("COMMAND_FAILED") },
    ],
  ])("%s", (_, moments, result) => {
    expect(resultOf(...moments)).toMatchObject(result);
  });
});

test("the server's use does not compare a restarted server with the one before", () => {
  const sample = (atMs: number, startedAt: string, cpuSeconds: number, reached: number) => ({
    atMs,
    diagnostics: {
      clock: { startedAt },
      process: { cpuSeconds, memory: { residentBytes: 5 } },
      queues: { heldPolls: 3 },
      eventLoopDelay: null,
      limits: { reached: { connections: reached } },
    } as never,
  });
  const samples = [
    sample(0, "a", 10, 4),
    sample(1000, "a", 10.5, 5),
    sample(9000, "b", 0.2, 2),
    sample(10_000, "b", 0.9, 2),
  ];
  expect(serverUse(samples)).toEqual({
    cpuShare: 0.6,
    residentBytes: 5,
    heldPolls: 3,
    eventLoopDelayP99Ms: null,
    limitsReached: { connections: 3 },
    restarts: 1,
  });
  expect(serverUse(samples.slice(0, 1))?.cpuShare).toBeNull();
  expect(serverUse([])).toBeNull();
});
