// No test of the benchmark checks speed.

import { execFile } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AskerReport } from "../../scripts/bench/asker-process.ts";
import { type BigSize, openBigDatabase } from "../../scripts/bench/big-database.ts";
import { measureLists, measureStall, viewersReadings } from "../../scripts/bench/big-kinds.ts";
import { formatEngines, measureEngines } from "../../scripts/bench/engines.ts";
import { measureDispatch, measureMemory } from "../../scripts/bench/fleet-kinds.ts";
import { fleetAgent, fleetToken } from "../../scripts/bench/large-fleet.ts";
import { measureMove } from "../../scripts/bench/move-kind.ts";
import { paced } from "../../scripts/bench/paced.ts";
import { formatMeasurement, readingOf } from "../../scripts/bench/readings.ts";
import { projectFolder } from "../../scripts/build/project.ts";
import { loadConfig } from "../../src/config/config.ts";
import { isWellFormedToken } from "../../src/domain/credentials.ts";
import { placeOf } from "../../src/domain/storage/place.ts";
import { walkTrailOf } from "../../src/store/audit/verification.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { isLong } from "../helpers/size.ts";

const { signal } = new AbortController();
const silent = () => {};
const size: BigSize = {
  agents: 70,
  services: 140,
  servicesPerAgent: 2,
  commands: 200,
  days: 30,
  auditRows: 1_500,
};

function verifyTrail(folder: string) {
  const place = placeOf(loadConfig({ DATA_DIR: folder }, "0.0.0"));
  return walkTrailOf({ place, incremental: false }, signal);
}

describe("readings", () => {
  const values = Array.from({ length: 200 }, (_, i) => 200 - i);

  it("have percentiles that are samples, and say whether the target is met", () => {
    const reading = readingOf("work", "ms", values, { figure: "p99", limit: 198 });
    expect(reading).toMatchObject({ p50: 100, p99: 198, max: 200, samples: 200, met: true });
    expect(readingOf("work", "ms", values, { figure: "p99", limit: 197 }).met).toBe(false);
    expect(readingOf("work", "ms", values, { figure: "max", limit: 199 }).met).toBe(false);
    const rate = { figure: "p50", limit: 100, atLeast: true } as const;
    expect(readingOf("work", "per second", values, rate).met).toBe(true);
    expect(readingOf("work", "per second", values, { ...rate, limit: 101 }).met).toBe(false);
  });

  it("do not meet a target without samples", () => {
    expect(readingOf("work", "ms", [], { figure: "p99", limit: 10 }).met).toBe(false);
  });

  it("are printed with the target and the processors", () => {
    const readings = [
      readingOf("heartbeat", "ms", [1, 2], { figure: "p99", limit: 1 }),
      readingOf("trips", "per second", [3000], { figure: "p50", limit: 2000, atLeast: true }),
    ];
    const processors = { "the server": 0.5, viewers: null };
    const text = formatMeasurement({ name: "stall", notes: ["A note."], readings, processors });
    expect(text).toContain("p99 ≤ 1 missed");
    expect(text).toContain("p50 ≥ 2000 met");
    expect(text).toContain("A note.\nProcessors used: the server 0.50, viewers unknown.");
  });
});

describe("viewers", () => {
  const answer = { path: "/x", status: 200, ms: 5, bytes: 1, refusal: null };
  const met = (report: AskerReport) =>
    Object.fromEntries(viewersReadings(report).map((reading) => [reading.work, reading.met]));

  it("may be refused with a clear error, in time", () => {
    const refusal = { code: "UNAVAILABLE", message: "The search took too long." };
    const refused = { ...answer, status: 503, ms: 10_050, refusal };
    expect(met({ answers: [answer, refused], waiting: [{ path: "/y", ms: 9_000 }] })).toEqual({
      "viewers: any response": true,
      "viewers: answered": null,
      "viewers: unexpected errors": true,
    });
  });

  it("must not get another error, nor wait without limit", () => {
    const broken = { ...answer, status: 500, refusal: { code: "INTERNAL", message: "x" } };
    expect(met({ answers: [answer, broken], waiting: [{ path: "/y", ms: 20_000 }] })).toEqual({
      "viewers: any response": false,
      "viewers: answered": null,
      "viewers: unexpected errors": false,
    });
  });
});

describe("paced", () => {
  it("counts from the time at which a request was due if its worker was still busy", async () => {
    const lateness: number[] = [];
    const job = async (_: string, from: number) => {
      lateness.push(performance.now() - from);
      if (lateness.length === 1) await sleep(35);
    };
    await paced(["only"], { perSecond: 100, seconds: 0.05 }, job, signal);
    expect(lateness).toHaveLength(5);
    expect(lateness[1]).toBeGreaterThanOrEqual(20);
  });

  it("fails with the first job that fails, and stops when it is interrupted", async () => {
    const failing = async () => {
      throw new Error("refused");
    };
    const pace = { perSecond: 100, seconds: 60 };
    await expect(paced([1, 2], pace, failing, signal)).rejects.toThrow("refused");
    const interrupted = AbortSignal.abort();
    await expect(paced([1], pace, async () => {}, interrupted)).rejects.toThrow(/abort/);
  });
});

it("agents of a fleet have well-formed tokens that depend only on their number", () => {
  const agent = fleetAgent(3, size);
  expect(agent).toMatchObject({ serviceCode: "service-0006", token: fleetToken(3) });
  expect(isWellFormedToken("agent", agent.token)).toBe(true);
  expect(fleetToken(4)).not.toBe(agent.token);
});

describe("the large database", () => {
  it.runIf(isLong)("is built once with a valid chain, is measured, and is used again", async () => {
    const bigDir = temporaryFolder();
    const folder = await openBigDatabase(bigDir, size, signal, silent);
    expect(readdirSync(bigDir)).toEqual(["data"]);
    const walk = await verifyTrail(folder);
    expect(walk.broken).toBeNull();
    expect(walk.checked).toBeGreaterThan(size.auditRows);

    const stall = await measureStall({
      bigDir,
      size,
      held: 60,
      seconds: 0.5,
      signal,
      progress: silent,
    });
    const works = stall.readings.map(({ work, samples }) => [work, samples > 0]);
    expect(works).toEqual([
      ["heartbeat", true],
      ["create → agent has it", true],
      ["event loop late", true],
      ["viewers: any response", true],
      ["viewers: answered", true],
      ["viewers: unexpected errors", true],
    ]);
    expect(stall.readings.at(-1)?.max).toBe(0);
    expect(stall.notes.join("\n")).toMatch(/verify: completed \d+ times/);

    const lists = await measureLists({
      ...{ bigDir, size, held: 60, seconds: 0.5, signal, progress: silent },
      listRounds: 2,
    });
    expect(new Set(lists.readings.map(({ samples }) => samples))).toEqual(new Set([2]));

    await expect(openBigDatabase(bigDir, { ...size, commands: 1 }, signal, silent)).rejects.toThrow(
      "has a database of another size",
    );
    expect(await openBigDatabase(bigDir, size, signal, silent)).toBe(folder);
    expect((await verifyTrail(folder)).checked).toBeGreaterThan(walk.checked);
  });

  it.runIf(isLong)("leaves nothing behind when its build is interrupted", async () => {
    const bigDir = temporaryFolder();
    const interruption = new AbortController();
    const building = openBigDatabase(bigDir, size, interruption.signal, () => interruption.abort());
    await expect(building).rejects.toThrow(/abort/);
    expect(readdirSync(bigDir)).toEqual([]);
  });
});

it.runIf(isLong)("measures a fleet: dispatch and memory", async () => {
  const common = { held: 60, seconds: 0.5, signal, progress: silent };
  const [dispatch, memory] = await Promise.all([
    measureDispatch({ ...common, folder: join(temporaryFolder(), "dispatch") }),
    measureMemory({ ...common, folder: join(temporaryFolder(), "memory") }),
  ]);
  expect(dispatch.readings[0]).toMatchObject({ work: "create → agent has it", samples: 50 });
  expect(dispatch.notes[0]).toMatch(/^60 agents held, /);
  expect(memory.readings.map(({ samples }) => samples)).toEqual([5, 5, 5]);
});

it.runIf(isLong)("refuses to build the large database in a folder that was not named", async () => {
  const index = join(projectFolder, "scripts/bench/index.ts");
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, [index, "stall"], (error, _, text) => {
      expect(error?.code).toBe(1);
      resolve(text);
    });
  });
  expect(stderr).toBe('"stall" needs --big-dir.\n');
});

it.runIf(isLong && hasPostgres)("measures a move to PostgreSQL and back", async () => {
  const bigDir = temporaryFolder();
  // PostgreSQL's user must be able to reach its folder.
  chmodSync(bigDir, 0o755);
  const { readings, notes } = await measureMove({ bigDir, size, signal, progress: silent });
  expect(readings.map(({ work, p50 }) => [work, p50 > 0])).toEqual([
    ["SQLite to PostgreSQL", true],
    ["PostgreSQL to SQLite", true],
    ["memory of the first move", true],
    ["memory of the second move", true],
  ]);
  expect(notes.join(" ")).toMatch(
    /audit exports are the same \(\d+ bytes\), and so are \d+ commands/,
  );
  expect(readdirSync(bigDir)).toEqual(["move"]);
});

describe("the comparison of the engines", () => {
  it.runIf(isLong && hasPostgres)("measures SQLite, one node and three nodes", async () => {
    const plan = { rounds: 1, seconds: 0.2, warmupSeconds: 0.1, connections: 3 };
    const folder = temporaryFolder();
    const options = { ...plan, held: 56, duration: 0.5, dir: tmpdir(), folder, signal };
    const figures = await measureEngines({ ...options, progress: silent });
    expect(figures.map(({ work, on }) => `${work}: ${on}`)).toEqual(
      ["heartbeat", "empty poll (wait=0)", "command result, durable", "create a command, durable"]
        .concat("dispatch")
        .flatMap((work) =>
          ["SQLite", "PostgreSQL, 1 node", "PostgreSQL, 3 nodes"].map((on) => `${work}: ${on}`),
        ),
    );
    for (const { perSecond, p99Ms, work } of figures) {
      expect(work === "dispatch" || (perSecond ?? 0) > 0).toBe(true);
      expect(p99Ms).toBeGreaterThan(0);
    }
    expect(formatEngines(figures)).toMatch(
      /heartbeat .* PostgreSQL, 1 node .* ≥ 0\.30 (met|missed)/,
    );
  });

  it("is printed with the ratio to SQLite and the target", () => {
    const figure = { work: "heartbeat", p50Ms: 1, p99Ms: 2.5, cpuMicrosPerRequest: null };
    const table = formatEngines([
      { ...figure, on: "SQLite", perSecond: 9000, ratio: null, target: null },
      { ...figure, on: "PostgreSQL, 1 node", perSecond: 4500, ratio: 0.5, target: 0.3 },
      { ...figure, on: "PostgreSQL, 3 nodes", perSecond: 1800, ratio: 0.2, target: 0.3 },
      {
        ...figure,
        on: "PostgreSQL, 1 node",
        work: "dispatch",
        perSecond: null,
        ratio: 3,
        target: null,
      },
    ]);
    const rows = table.split("\n").map((line) => line.split(/[│ ]+/).join(" "));
    expect(rows.slice(3, 7)).toEqual([
      " heartbeat SQLite 9000 1.00 2.50 ",
      " heartbeat PostgreSQL, 1 node 4500 0.50 ≥ 0.30 met 1.00 2.50 ",
      " heartbeat PostgreSQL, 3 nodes 1800 0.20 ≥ 0.30 missed 1.00 2.50 ",
      " dispatch PostgreSQL, 1 node 3.00 1.00 2.50 ",
    ]);
  });
});
