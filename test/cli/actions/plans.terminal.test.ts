// Conditions on the state, and plans, at a terminal.

import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../../../src/domain/payload/json.ts";
import { startAgent } from "../../agent/harness.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { keys, openTerminal } from "../../helpers/process/terminal.ts";
import { openWorld } from "../world.ts";

async function openDisk() {
  const world = await openWorld();
  const disk = { state: { files: 3 } as Json, runs: 0 };
  const drop = {
    name: "drop",
    dangerLevel: "HIGH" as const,
    prepare: () => ({ currentState: disk.state }),
    execute: () => {
      disk.runs++;
      return null;
    },
  };
  await startAgent(world, [{ code: "disk", name: "Disk", version: "1", actions: [drop] }], {
    agent: { code: "edge-9", mode: "embedded" },
  });
  return { ...world, disk };
}

const question = "Run drop (HIGH) on disk of edge-9?";
const over = "The state has changed, so nothing was run. Start over with the new state?";
const { enter, ctrlC } = keys;

test("a HIGH action whose state changes is not run, and can be started over", async () => {
  const { db, disk } = await openDisk();
  const terminal = openTerminal(["actions", "run", "disk", "drop", "--db", db], { rows: 60 });
  await terminal.shows(/current state\n {2}files {2}3\n/);
  await terminal.shows("The agent runs it only if the state is still the same.");
  await terminal.shows(question);
  disk.state = { files: 4 };
  await terminal.answer(question, `y${enter}`);
  await terminal.shows(/FIELD +SHOWN +NOW\n {2}files +3 +4\n/);
  await terminal.shows(over);
  expect(disk.runs).toBe(0);
  await terminal.answer(over, `y${enter}`);
  await terminal.shows(/current state\n {2}files {2}4\n[\s\S]*\? Run drop/);
  disk.state = { files: 5 };
  await terminal.answer(/files {2}4\n[\s\S]*\? Run drop/, `y${enter}`);
  // If the answer is no, nothing runs.
  await terminal.answer(/files +4 +5\n[\s\S]*Start over/, `n${enter}`);
  expect(await terminal.ended).toBe(1);
  expect(disk.runs).toBe(0);
});

test("apply shows the plan and asks", async () => {
  const { db, disk, run } = await openDisk();
  const file = join(temporaryFolder(), "drop.plan");
  await run("--db", ["actions", "plan", "disk", "drop", "--out", file]);
  const declined = openTerminal(["actions", "apply", file, "--db", db]);
  await declined.answer(/current state\n {2}files {2}3\n[\s\S]*\? Run drop \(HIGH\)/, ctrlC);
  expect(await declined.ended).toBe(130);
  expect(disk.runs).toBe(0);
});
