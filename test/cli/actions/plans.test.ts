// `actions plan` and `actions apply`, and executions on the condition that the state is unchanged.

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/domain/payload/json.ts";
import { startAgent } from "../../agent/harness.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { failing, fileWith, openWorld } from "../world.ts";

const inputSchema = {
  type: "object",
  properties: { file: { type: "string" }, key: { type: "string", writeOnly: true } },
};

/** A world with the service `disk`, whose agent compares states. */
async function openPlanning() {
  const world = await openWorld();
  const disk = { state: { files: 3, size: "small" } as Json, runs: [] as unknown[] };
  const actions = ["clean", "drop"].map((name) => ({
    name,
    dangerLevel: name === "drop" ? ("HIGH" as const) : ("LOW" as const),
    description: "Removes files",
    inputSchema,
    prepare: () => ({ initialPayload: { file: "a.log" }, currentState: disk.state }),
    execute: (payload: unknown) => {
      disk.runs.push(payload);
      return null;
    },
  }));
  await startAgent(world, [{ code: "disk", name: "Disk", version: "1", actions }], {
    agent: { code: "edge-9", mode: "embedded" },
  });
  const file = join(temporaryFolder(), "clean.plan");
  const read = () => JSON.parse(readFileSync(file, "utf8"));
  return { ...world, disk, file, read };
}

const plan = (action = "clean") => ["actions", "plan", "disk", action, "--defaults"];

describe("a plan", () => {
  test("shows what would run, is private, and runs once, made and applied either way", async () => {
    const { run, disk, file, read } = await openPlanning();
    const words = [...plan(), "--set", "key=s3cret", "--reason", "full", "--out", file];
    const made = await run("--db", words);
    expect(readFileSync(file, "utf8")).not.toContain("s3cret");
    expect(made).toMatchObject({ status: 0 });
    expect(made.stdout).toMatch(
      /action +clean\n.*danger +LOW\n.*service +disk\n.*agent +edge-9\n/s,
    );
    expect(made.stdout).toContain("\nRemoves files\n");
    expect(made.stdout).toMatch(/\ncurrent state\n {2}files +3\n {2}size +small\n/);
    expect(made.stdout).toContain("\npayload\n  file: a.log\n");
    expect(made.stderr).toContain(`To run exactly this: platformctl actions apply ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(read()).toMatchObject({ payload: { file: "a.log" }, reason: "full" });
    expect(disk.runs).toEqual([]);

    const applied = await run("--server", ["actions", "apply", file, "-o", "json"]);
    expect(applied).toMatchObject({ status: 0 });
    const { id, reason, expectedState } = JSON.parse(applied.stdout);
    expect([reason, expectedState]).toEqual(["full", read().stateFingerprint]);
    const again = await run("--db", ["actions", "apply", file]);
    expect(again).toMatchObject(failing(5, `was already applied, by the command ${id}.`));
    expect(disk.runs).toEqual([{ file: "a.log", key: "s3cret" }]);
  });

  test("does not run if the state has changed, and the changes are shown", async () => {
    const { run, disk, file } = await openPlanning();
    await run("--server", [...plan(), "--out", file]);
    disk.state = { files: 4, size: "small" };
    const applied = await run("--server", ["actions", "apply", file]);
    expect(applied).toMatchObject({ status: 1 });
    expect(applied.stdout).toMatch(/error +STATE_CHANGED\n/);
    expect(applied.stdout).toMatch(
      /\nchanges to the state since it was shown\n {2}FIELD +SHOWN +NOW\n {2}files +3 +4\n/,
    );
    expect(applied.stderr).toContain("To make a new plan: platformctl actions plan disk clean");
    disk.state = { password: "one" };
    await run("--server", [...plan(), "--out", file, "--force"]);
    disk.state = { password: "two" };
    const hidden = await run("--server", ["actions", "apply", file]);
    expect(hidden.stdout).toContain("  Only values that are not shown are different.\n");
    expect(hidden.stdout).not.toMatch(/one|two/);
    await run("--server", [...plan(), "--out", file, "--force"]);
    disk.state = { password: "three" };
    const asJson = await run("--server", ["actions", "apply", file, "-o", "json"]);
    const notes = asJson.stderr.trimEnd().split("\n");
    expect(JSON.parse(notes.at(-1) ?? "").note.code).toBe("STATE_CHANGED");
    expect(disk.runs).toEqual([]);
  });
});

describe("a plan is refused", () => {
  const changes: [what: string, change: (text: string) => string, says: RegExp][] = [
    ["changed", (text) => text.replace('"a.log"', '"b.log"'), /changed after the server signed it/],
    ["cut off", (text) => text.slice(0, -20), /is not a plan\. .* Make one with/],
    ["another file", () => '{"services": []}', /is not a plan\. It lacks fields\./],
    [
      "with a part of another type",
      (text) => text.replace(/"payload": {[^}]*}/, '"payload": 1'),
      /lacks fields/,
    ],
  ];

  test("unless it is as the server signed it", async () => {
    const { run, disk, file } = await openPlanning();
    await run("--server", [...plan(), "--out", file]);
    const signed = readFileSync(file, "utf8");
    const apply = async (place: string) => run("--server", ["actions", "apply", place]);
    for (const [what, change, says] of changes) {
      writeFileSync(file, change(signed));
      expect(await apply(file), what).toMatchObject(failing(2, says));
    }
    expect(await apply("/nowhere/x.plan")).toMatchObject(
      failing(2, "/nowhere/x.plan cannot be read"),
    );
    expect(disk.runs).toEqual([]);
  });

  test("without a confirmation, if the action needs one, and after it has expired", async () => {
    const { run, disk, file, clock } = await openPlanning();
    await run("--server", [...plan("drop"), "--out", file]);
    const question = "Run drop (HIGH) on disk of edge-9? Add --yes to confirm";
    const refused = await run("--server", ["actions", "apply", file]);
    expect(refused).toMatchObject(failing(5, question));
    expect(disk.runs).toEqual([]);
    expect(await run("--server", ["actions", "apply", file, "--yes"])).toMatchObject({ status: 0 });
    await run("--server", [...plan(), "--out", file, "--force"]);
    clock.advance(3_600_000);
    expect(await run("--server", ["actions", "apply", file])).toMatchObject(
      failing(5, /expired at .* Make a new plan/),
    );
    expect(disk.runs).toHaveLength(1);
  });
});

test("the plan is written only with --out, and over a file only with --force; standard input is applied", async () => {
  const { run, disk } = await openPlanning();
  const shown = await run("--server", plan());
  expect(shown.stderr).toContain("the plan was not kept: --out FILE writes it to a file");
  const { stdout } = await run("--server", [...plan(), "-o", "json"]);
  const applied = await run("--server", ["actions", "apply", "-"], { stdin: stdout });
  expect(applied).toMatchObject({ status: 0 });
  expect(disk.runs).toHaveLength(1);

  // An existing file is only replaced with --force, and left alone by a plan that fails.
  const file = fileWith("mine", "clean.plan");
  expect(await run("--server", [...plan(), "--out", file])).toMatchObject(failing(5, "--force"));
  const failed = await run("--server", [...plan("none"), "--out", file, "--force"]);
  expect(failed).toMatchObject(failing(3, "declares no action none"));
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(await run("--server", [...plan(), "--out", file, "--force"])).toMatchObject({ status: 0 });
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: 1 });
});

describe("actions run --if-unchanged", () => {
  test("runs in the prepared state, also with a whole payload", async () => {
    const { run, disk, executions } = await openPlanning();
    const words = ["actions", "run", "disk", "clean", "--if-unchanged", "-o", "json"];
    for (const more of [["--defaults"], ["--payload", '{"file":"b.log"}']]) {
      const ran = await run("--server", [...words, ...more]);
      expect(ran).toMatchObject({ status: 0 });
      expect(JSON.parse(ran.stdout).expectedState).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(disk.runs).toEqual([{ file: "a.log" }, { file: "b.log" }]);
    expect(await executions()).toHaveLength(2);
  });

  test("runs once with a request id, whatever secrets a whole payload has", async () => {
    const { run, disk } = await openPlanning();
    const words = ["actions", "run", "disk", "clean", "--if-unchanged", "--request-id", "job-1"];
    const runWith = (payload: object) => {
      const stdin = JSON.stringify(payload);
      return run("--server", [...words, "--payload", "-", "-o", "json"], { stdin });
    };
    const payload = { file: "b.log", key: "s3cret", more: 1 };
    const first = await runWith(payload);
    expect(first).toMatchObject({ status: 0 });
    expect(await runWith(payload)).toMatchObject({ status: 0, stdout: first.stdout });
    for (const change of [{ file: "a.log" }, { key: undefined }, { more: "1" }]) {
      const other = await runWith({ ...payload, ...change });
      expect(other).toMatchObject(failing(5, "with other values"));
    }
    expect(disk.runs).toEqual([payload]);
  });

  test("is the default only at a terminal and for HIGH actions, and can be switched off", async () => {
    const { run } = await openPlanning();
    const conditionOf = async (words: string, interactive = true) => {
      const all = ["actions", "run", "disk", ...words.split(" "), "--defaults", "-o", "json"];
      const { stdout } = await run("--server", all, { io: { interactive } });
      return JSON.parse(stdout).expectedState;
    };
    expect(await conditionOf("drop --yes")).toMatch(/^[0-9a-f]{64}$/);
    expect(await conditionOf("drop --yes --no-if-unchanged")).toBeNull();
    expect(await conditionOf("clean")).toBeNull();
    expect(await conditionOf("drop --yes", false)).toBeNull();
  });

  test("is refused if the agent's program is too old", async () => {
    const world = await openWorld({
      prepared: { success: true, output: { currentState: 1, stateFingerprint: "1" } },
    });
    for (const words of ["rotate-log --yes", "set-level --payload {}"]) {
      const all = ["actions", "run", "log-collector", ...words.split(" "), "--if-unchanged"];
      expect(await world.run("--server", all)).toMatchObject(
        failing(5, "the program of the agent edge-1 is too old"),
      );
    }
    expect(await world.executions()).toEqual([]);
  });

  test("is refused if the agent reports no state", async () => {
    const world = await openWorld();
    const words = ["actions", "plan", "log-collector", "explode"];
    const file = join(temporaryFolder(), "x.plan");
    expect(await world.run("--server", [...words, "--out", file])).toMatchObject(
      failing(5, "explode reports no state, so there is nothing to compare. Nothing was run."),
    );
    expect(existsSync(file)).toBe(false);
  });
});
