// `rollouts start --if-unchanged`, and the retry of such a rollout.

import { expect } from "vitest";
import type { Json } from "../../../src/domain/payload/json.ts";
import { startAgent } from "../../agent/harness.ts";
import { failing, openWorld, test as plain } from "../world.ts";

const test = plain.extend("disks", async () => {
  const world = await openWorld();
  world.app.core.rollouts.start();
  const states: Record<string, Json> = { "disk-1": { files: 3 }, "disk-2": { files: 3 } };
  const broken = new Set<string>();
  const runs: string[] = [];
  const services = ["disk-1", "disk-2"].map((code) => ({
    ...{ code, name: code, version: "1" },
    actions: [
      {
        name: "clean",
        prepare: () => {
          if (broken.has(code)) throw new Error("the disk is busy");
          return { currentState: states[code] as Json };
        },
        execute: () => {
          runs.push(code);
          return null;
        },
      },
    ],
  }));
  await startAgent(world, services, { agent: { code: "edge-9", mode: "embedded" } });
  const run = (...words: string[]) => world.run("--server", ["rollouts", ...words]);
  const start = (...words: string[]) => run("start", "clean", "-l", "", "--if-unchanged", ...words);
  return { run, start, states, broken, runs };
});

test("it shows the states that most services are in, and who is left out", async ({ disks }) => {
  disks.states["disk-2"] = { files: 4 };
  const { status, stderr } = await disks.start();
  expect(status).toBe(5);
  expect(stderr).toContain("2 services; it stops at the first failure.\n");
  expect(stderr).toMatch(/\ncurrent state of disk-\d\n {2}files: \d\n/);
  expect(stderr).toContain("log-collector, sleeper: The service declares no action clean.\n");
  disks.states["disk-2"] = { files: 3 };
  disks.broken.add("disk-1");
  const again = await disks.start("--dry-run");
  expect(again.stdout).toMatch(/left out\n.*disk-1: .*the disk is busy/s);
  expect(again.stdout).toMatch(/current state of disk-2\n {2}files: 3\n/);
  disks.broken.clear();
  expect((await disks.start("--dry-run")).stdout).toMatch(
    /current state of 2 services\n {2}files: 3\n/,
  );
  expect(disks.runs).toEqual([]);
});

test("services whose state has not changed run; the others do not, and a retry prepares them again", async ({
  disks,
}) => {
  const words = ["--waves", "1", "--between", "pause", "--yes", "-o", "name"];
  const rolloutId = (await disks.start(...words, "--wait")).stdout.trim();
  expect(disks.runs).toHaveLength(1);
  const [first] = disks.runs;
  const second = first === "disk-1" ? "disk-2" : "disk-1";
  disks.states[second] = { files: 99 };
  await disks.run("resume", rolloutId);
  const watched = await disks.run("watch", rolloutId);
  expect(watched.status).toBe(7);
  expect(watched.stderr).toContain(`failed: ${second}: STATE_CHANGED`);
  expect(disks.runs).toEqual([first]);

  const asked = await disks.run("retry", rolloutId);
  expect(asked).toMatchObject(failing(5, "Run clean again on 1 service?"));
  expect(asked.stderr).toMatch(/current state of disk-\d\n {2}files: 99\n/);
  const retried = await disks.run("retry", rolloutId, "--yes", "--wait");
  expect(retried.status).toBe(0);
  expect(retried.stdout).toMatch(/if unchanged +yes\n/);
  expect(disks.runs).toEqual([first, second]);
});
