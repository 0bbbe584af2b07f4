// Runs every kind of benchmark in a small size. No test of the benchmark checks speed.

import { execFile } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BigSize, openBigDatabase } from "../../scripts/bench/big-database.ts";
import { measureLists, measureStall } from "../../scripts/bench/big-kinds.ts";
import { measureEngines } from "../../scripts/bench/engines.ts";
import { measureDispatch, measureMemory } from "../../scripts/bench/fleet-kinds.ts";
import { measureMove } from "../../scripts/bench/move-kind.ts";
import { formatMeasurement } from "../../scripts/bench/readings.ts";
import { projectFolder } from "../../scripts/build/project.ts";
import { loadConfig } from "../../src/config/config.ts";
import { placeOf } from "../../src/domain/storage/place.ts";
import { walkTrailOf } from "../../src/store/audit/verification.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { hasPostgres } from "../helpers/postgres.ts";

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

describe("the large database", () => {
  it("is built once with a valid chain, is measured, and is used again", async () => {
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
      ["event loop delay", true],
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

  it("leaves nothing behind when its build is interrupted", async () => {
    const bigDir = temporaryFolder();
    const interruption = new AbortController();
    const building = openBigDatabase(bigDir, size, interruption.signal, () => interruption.abort());
    await expect(building).rejects.toThrow(/abort/);
    expect(readdirSync(bigDir)).toEqual([]);
  });
});

it("measures a fleet: dispatch and memory", async () => {
  const common = { held: 60, seconds: 0.5, signal, progress: silent };
  const [dispatch, memory] = await Promise.all([
    measureDispatch({ ...common, folder: join(temporaryFolder(), "dispatch") }),
    measureMemory({ ...common, folder: join(temporaryFolder(), "memory") }),
  ]);
  expect(dispatch.readings[0]).toMatchObject({ work: "create → agent has it", samples: 50 });
  expect(dispatch.notes[0]).toMatch(/^60 agents held, /);
  expect(memory.readings.map(({ samples }) => samples)).toEqual([5, 5, 5]);
});

it("refuses to build the large database in a folder that was not named", async () => {
  const index = join(projectFolder, "scripts/bench/index.ts");
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, [index, "stall"], (error, _, text) => {
      expect(error?.code).toBe(1);
      resolve(text);
    });
  });
  expect(stderr).toBe('"stall" needs --big-dir.\n');
});

it.skipIf(!hasPostgres)("measures a move to PostgreSQL and back", async () => {
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
  it.skipIf(!hasPostgres)("measures SQLite, one node and three nodes", async () => {
    const plan = { rounds: 1, seconds: 0.2, warmupSeconds: 0.1, connections: 3 };
    const folder = temporaryFolder();
    const options = { ...plan, held: 56, duration: 0.5, dir: tmpdir(), folder, signal };
    const measurements = await measureEngines({ ...options, progress: silent });
    const kinds = ["heartbeat", "poll", "result", "create", "dispatch"];
    expect(measurements.map(({ name }) => name)).toEqual(kinds.map((kind) => `postgresql ${kind}`));
    const sides = ["SQLite", "PostgreSQL, 1 node", "PostgreSQL, 3 nodes"];
    for (const { name, readings } of measurements) {
      const responses = readings.filter(({ unit }) => unit === "ms");
      const suffix = name === "postgresql dispatch" ? "" : ": response time";
      expect(responses.map(({ work }) => work)).toEqual(sides.map((side) => side + suffix));
      for (const { work, unit, p50 } of readings) {
        // The system counts CPU time in steps, which may be longer than this round.
        if (unit !== "µs") expect(p50, `${name}: ${work}`).toBeGreaterThan(0);
      }
    }
    expect(measurements[0] && formatMeasurement(measurements[0])).toMatch(
      /PostgreSQL, 1 node: rate compared with SQLite .* p50 ≥ 0\.3 (met|missed)/,
    );
  });
});
