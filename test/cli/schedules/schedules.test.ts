// What `schedules create`, `update`, `edit`, `preview`, `run` and `pause` show, ask and send.

import { describe, expect } from "vitest";
import type { Invocation } from "../../../src/cli/command.ts";
import { withFlags } from "../../../src/cli/commands/schedules/flags.ts";
import type { Client } from "../../../src/client/client.ts";
import { runSchedules } from "../../../src/core/schedules/firing.ts";
import { AppError, type ErrorCode } from "../../../src/domain/errors.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { insertScheduleRun } from "../../../src/store/tables/schedules/schedule-runs.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { until } from "../../helpers/process/process.ts";
import { fakeEditor, replace } from "../bus/fake-editor.ts";
import { fetchCommand } from "../commands/running.ts";
import { failing, fileWith, openWorld, test, type World } from "../world.ts";

const schedules = (world: World, words: readonly string[], options = {}) =>
  world.run("--server", ["schedules", ...words], options);

const snore = ["--service", "sleeper", "--action", "snore"];
const sundays = ["--cron", "0 3 * * 0", "--timezone", "Europe/Berlin"];

async function created(world: World, ...more: string[]): Promise<void> {
  const ran = await schedules(world, ["create", "nightly", ...sundays, ...snore, "--yes", ...more]);
  expect(ran).toMatchObject({ status: 0 });
}

async function stored({ as }: World) {
  const { data } = await as("viewer").page("schedules.list");
  const scheduleId = data[0]?.id ?? "";
  return as("viewer").call("schedules.get", { params: { scheduleId } });
}

/** Runs a command while the job ends the runs of schedules. */
async function whileJobsRun(world: World, words: string[]) {
  let isOver = false;
  const ran = schedules(world, words).finally(() => {
    isOver = true;
  });
  await until("the command ends", async () => {
    await runSchedules(world.app.core);
    return isOver;
  });
  return ran;
}

test("the next due times are shown before `create` asks, and by `preview`", async ({ world }) => {
  const ran = await schedules(world, ["create", "nightly", ...sundays, ...snore]);
  expect(ran).toMatchObject(failing(5, "Create the schedule nightly? Add --yes"));
  const line = / {2}\d{4}-\d\d-\d\d 03:00 \+0[12]:00 {2}\d{4}-\d\d-\d\dT0[12]:00:00\.000Z/g;
  expect(ran.stderr.match(line)).toHaveLength(5);
  expect((await world.as("viewer").page("schedules.list")).data).toEqual([]);

  await created(world);
  const count = async (...words: string[]) =>
    JSON.parse((await schedules(world, ["preview", ...words, "-o", "json"])).stdout).length;
  expect(await count("nightly")).toBe(5);
  expect(await count("nightly", "--count", "2")).toBe(2);
  const file = fileWith("everySeconds: 60\n", "schedule.yaml");
  expect(await count("-f", file, "--count", "3")).toBe(3);
  expect(await count("--cron", "30 2 * * *", "--timezone", "Europe/Berlin")).toBe(5);
});

test("flags become fields, and `update` changes only what is named", async ({ world }) => {
  const values = ["--set", "hours=8", "--set", "loud=true"];
  await created(world, ...values, "--missed", "once", "--paused", "--until", "2040-01-01");
  expect(await stored(world)).toMatchObject({
    ...{ name: "nightly", cron: "0 3 * * 0", timezone: "Europe/Berlin", state: "PAUSED" },
    ...{ missed: "once", overlap: "skip", until: "2040-01-01T00:00:00.000Z" },
    target: {
      ...{ kind: "action", service: "sleeper", action: "snore" },
      payload: { hours: 8, loud: true },
    },
  });
  const update = (...words: string[]) => schedules(world, ["update", "nightly", "--yes", ...words]);
  expect(await update("--every", "6h", "--set", "hours=9")).toMatchObject({ status: 0 });
  const changed = await stored(world);
  expect(changed).toMatchObject({ everySeconds: 21_600, timezone: "Europe/Berlin", version: 2 });
  expect(changed.cron).toBeUndefined();
  expect(changed.target).toMatchObject({ action: "snore", payload: { hours: 9, loud: true } });
  await update("--cron", "0 4 * * *", "--description", "naps", "--name", "naps");
  expect(await stored(world)).toMatchObject({ name: "naps", cron: "0 4 * * *", version: 3 });
  expect((await stored(world)).everySeconds).toBeUndefined();
});

describe("mistakes are reported before anything is saved", () => {
  const shared = perFile(() => openWorld());

  test.for<[words: string[], says: string]>([
    [["create", "x", ...snore], "give --cron or --every"],
    [["create", "x", "--every", "6h"], "give --service and --action"],
    [["create", "x", "--cron", "0 3 * *", ...snore], "has 4 fields; it must have five"],
    [["create", "x", "--every", "6h", "--until", "soon", ...snore], "--until must be a time"],
    [["preview"], "give --cron, --every, -f FILE, or the name"],
    [["pause"], "name at least one schedule, or give --all"],
    [["pause", "x", "--reason", "why"], "--reason is only for --all"],
  ])("%s", async ([words, says]) => {
    expect(await schedules(shared(), words)).toMatchObject(failing(2, says));
  });
});

test("values are checked against the form of the action", async ({ world }) => {
  const inputSchema = {
    type: "object",
    required: ["version"],
    properties: { version: { type: "string" } },
  };
  const actions = [{ name: "deploy", inputSchema }];
  await world.registerAgent("edge-3", [{ code: "shop", name: "Shop", version: "1", actions }]);
  const shop = ["--every", "6h", "--service", "shop", "--action", "deploy", "--yes"];
  const needs = "the action needs a value. Provide:\n  --set version=… (text)\n";
  const create = (...words: string[]) => schedules(world, ["create", "deploys", ...words]);
  expect(await create(...shop)).toMatchObject(failing(2, needs));
  const mistyped = "no field versoin; did you mean version?";
  expect(await create(...shop, "--set", "version=1.1")).toMatchObject({ status: 0 });
  const update = (...words: string[]) => schedules(world, ["update", "deploys", "--yes", ...words]);
  expect(await update("--set", "versoin=1")).toMatchObject(failing(2, mistyped));
  expect(await update("--set", "version=1.2")).toMatchObject({ status: 0 });
  expect((await stored(world)).target.payload).toEqual({ version: "1.2" });
  expect(await update("--payload", "{}")).toMatchObject(failing(2, needs));

  const rollout = "  kind: rollout\n  action: deploy\n  services: [shop]\n";
  const yaml = `name: waves\neverySeconds: 60\ntarget:\n${rollout}`;
  const file = ["create", "-f", fileWith(yaml, "schedule.yaml"), "--yes"];
  expect(await schedules(world, file)).toMatchObject(failing(2, needs));
  const right = await schedules(world, [...file, "--set", "version=1.1"]);
  expect(right).toMatchObject({ status: 0 });
});

test("a schedule whose services are offline may be complete", async ({ world }) => {
  const deploying = (code: string, required: string[]) => {
    const inputSchema = { type: "object", required, properties: { version: { type: "string" } } };
    const actions = [{ name: "deploy", inputSchema }];
    return { code, name: code, version: "1", actions };
  };
  const { client } = await world.registerAgent("edge-3", [
    ...[deploying("shop", ["version"]), deploying("stall", [])],
  ]);
  await client.call("agent.offline", { body: {} });
  const create = (name: string, services: string) => {
    const target = `  kind: rollout\n  action: deploy\n  services: ${services}\n`;
    const yaml = `name: ${name}\neverySeconds: 60\ntarget:\n${target}`;
    return schedules(world, ["create", "-f", fileWith(yaml, "schedule.yaml"), "--yes"]);
  };
  expect(await create("both", "[shop, stall]")).toMatchObject({ status: 0 });
  expect(await create("one", "[shop]")).toMatchObject(failing(2, "the action needs a value."));
});

test("the server says in which line a target is wrong", async ({ world }) => {
  const inputSchema = { type: "object", properties: { kind: { const: "full" } } };
  const actions = [{ name: "copy", inputSchema: { ...inputSchema, required: ["kind"] } }];
  await world.registerAgent("edge-3", [{ code: "shop", name: "Shop", version: "1", actions }]);
  const head = "name: copies\neverySeconds: 60\ntarget:";
  for (const [rest, says] of [
    [" shop\n", ":3: target:"],
    ["\n  kind: action\n  service: shop\n  action: copy\n  payload: text\n", ":7: target.payload:"],
    ["\n  kind: rollout\n  selector: a:b\n  action: copy\n", ":5: target.selector:"],
  ] as const) {
    for (const more of [[], ["--set", "kind=full"]]) {
      const file = fileWith(head + rest, "schedule.yaml");
      const ran = await schedules(world, ["create", "-f", file, "--yes", ...more]);
      expect(ran).toMatchObject(failing(2, file + says));
    }
  }
});

describe("values of --set", () => {
  const rule = (target: JsonObject) => ({ name: "deploys", everySeconds: 60, target });
  const action = rule({ kind: "action", service: "shop", action: "deploy" });
  const rollout = rule({ kind: "rollout", services: ["shop"], action: "deploy", canary: "a=b" });
  const saved = async (code: ErrorCode, before: JsonObject) => {
    const call = async () => {
      throw new AppError(code, "The server said so.");
    };
    const api = { call } as unknown as Client;
    const notes: string[] = [];
    const io = { note: (text: string) => notes.push(text) };
    const flags = { set: ["version=1.10"] };
    const invocation = { io, options: {} } as unknown as Invocation;
    const { target } = await withFlags(invocation, api, before, flags);
    return { payload: (target as JsonObject).payload, notes };
  };

  test.for<ErrorCode>(["SERVICE_NOT_FOUND", "AGENT_NOT_FOUND", "VALIDATION_FAILED"])(
    "are read without types after %s, with a warning",
    async (code) => {
      const notes = [
        "warning: the form of the action was not found, so --set was read without it.\n",
      ];
      expect(await saved(code, action)).toEqual({ payload: { version: 1.1 }, notes });
      expect(await saved(code, rollout)).toEqual({ payload: { version: 1.1 }, notes });
    },
  );

  test("are not saved after other errors, because their types are not known", async () => {
    const codes = ["RATE_LIMITED", "UNAVAILABLE", "INTERNAL_ERROR", "TOO_MUCH_WORK"] as const;
    for (const code of codes) {
      await expect(saved(code, action)).rejects.toThrow("The server said so.");
      await expect(saved(code, rollout)).rejects.toThrow("The server said so.");
    }
  });

  test("are read by the declared types, also if the canary matches none of them", async () => {
    const calls: [name: string, body?: JsonObject][] = [];
    const properties = { version: { type: "string" } };
    const actions = [{ name: "deploy", inputSchema: { type: "object", properties } }];
    const services = [{ serviceId: "svc_1", serviceCode: "shop" }];
    const api = {
      async call(name: string, { body }: { body?: JsonObject }) {
        calls.push(body ? [name, body] : [name]);
        return { code: "shop", actions, total: 1, waves: [{ services }], leftOut: [] };
      },
    } as unknown as Client;
    const changed = (before: JsonObject, flags: object) =>
      withFlags({} as Invocation, api, before, { set: ["version=latest"], ...flags });
    const payload = { version: "latest" };
    const preview = ["rollouts.preview", { services: ["shop"], action: "deploy", payload }];
    const asked = [preview, ["services.get"]];
    expect(await changed(action, {})).toMatchObject({ target: { payload } });
    expect(calls.splice(0)).toEqual(asked);
    expect(await changed(action, { service: "shop" })).toMatchObject({ target: { payload } });
    expect(calls.splice(0)).toEqual([["services.get"], ...asked]);
    expect(await changed(rollout, {})).toMatchObject({ target: { payload, canary: "a=b" } });
    expect(calls.splice(0)).toEqual(asked);
    expect(await changed(action, { set: undefined, reason: "more" })).toMatchObject({
      target: { service: "shop", reason: "more" },
    });
    expect(calls).toEqual([]);
  });
});

test("a file can have a rollout, and mistakes have line numbers", async ({ world }) => {
  const yaml = "name: sundays\ncron: 0 3 * * 0\ntarget:\n  kind: rollout\n  action: snore\n";
  const file = fileWith(`${yaml}  selector: ""\n  waves: ["1"]\n`, "schedule.yaml");
  expect(await schedules(world, ["create", "-f", file, "--yes"])).toMatchObject({ status: 0 });
  const saved = await stored(world);
  expect(saved.target).toMatchObject({ kind: "rollout", waves: ["1"], confirmation: true });
  const { stdout } = await schedules(world, ["get", "sundays", "-o", "yaml"]);
  const edited = fileWith(stdout.replace("0 3 * * 0", "0 5 * * 0"), "schedule.yaml");
  const update = ["update", "sundays", "-f", edited, "--yes"];
  expect(await schedules(world, update)).toMatchObject({ status: 0 });
  expect(await stored(world)).toMatchObject({ cron: "0 5 * * 0", version: 2 });
  expect((await schedules(world, update)).status).toBe(5);
  const service = ["update", "sundays", "--service", "sleeper", "--yes"];
  expect(await schedules(world, service)).toMatchObject(failing(2, "this schedule runs a rollout"));
  const wrong = fileWith(`${yaml}  wave: ["1"]\n`, "schedule.yaml");
  const refused = await schedules(world, ["create", "-f", wrong, "--yes"]);
  expect(refused).toMatchObject(
    failing(2, `${wrong}:6: there is no field wave; did you mean waves?`),
  );
});

test("`edit` shows the due times, and saves what was changed", async ({ world }) => {
  await created(world);
  const editor = fakeEditor(replace("0 3", "0 4"));
  const ran = await schedules(world, ["edit", "nightly"], { io: { editor: editor.command } });
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stderr).toContain("next runs (Europe/Berlin, and UTC)\n");
  expect(editor.opened(1)).not.toMatch(/nextRuns|owner|lastRun/);
  expect(await stored(world)).toMatchObject({ cron: "0 4 * * 0", version: 2 });
});

test("`run --wait` returns how the run has ended", async ({ world }) => {
  const words = ["create", "logs", "--every", "6h", "--service", "log-collector", "--yes"];
  await schedules(world, [...words, "--action", "set-level", "--set", "level=info"]);
  const run = (...more: string[]) => whileJobsRun(world, ["run", "logs", ...more]);
  expect(await run()).toMatchObject(failing(5, "Run logs now? Add --yes"));
  const ran = await run("--wait", "--yes");
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^state +SUCCEEDED$/m) });
  await schedules(world, ["update", "logs", "--action", "explode", "--payload", "{}", "--yes"]);
  const failed = await run("--wait", "--yes");
  expect(failed).toMatchObject({ status: 1, stdout: expect.stringMatching(/^state +FAILED$/m) });
  const listed = await schedules(world, ["runs", "logs", "--state", "failed", "-o", "json"]);
  expect(JSON.parse(listed.stdout)).toHaveLength(1);
});

test("`run --wait` says when the time is over, and how to follow the run", async ({ world }) => {
  await created(world);
  const ran = await schedules(world, ["run", "nightly", "--wait", "--timeout", "0s", "--yes"]);
  expect(ran.status).toBe(8);
  const says = /^\nStill RUNNING after 0s\. To follow it: platformctl commands wait cmd_\w+\n$/;
  expect(ran.stderr).toMatch(says);
});

test("`run --wait` notices the end, however many later runs were skipped", async ({ world }) => {
  await created(world);
  const { id: scheduleId } = await stored(world);
  const ran = whileJobsRun(world, ["run", "nightly", "--wait", "--yes"]);
  await until("the command is there", async () => (await world.executions()).length > 0);
  const { end } = await fetchCommand(world);
  const skipped = {
    scheduleId,
    trigger: "time",
    state: "SKIPPED",
    errorCode: "OVERLAP",
    errorMessage: null,
    missedRuns: 0,
    requestedBy: null,
    starter: null,
    commandId: null,
    rolloutId: null,
    startedAt: null,
  } as const;
  await world.database.write(async (tx) => {
    for (let minutes = 1; minutes <= 250; minutes++) {
      const dueAt = world.clock.now() + minutes * 60_000;
      await insertScheduleRun(tx, { ...skipped, dueAt, endedAt: dueAt });
    }
  });
  await end({ success: true });
  expect(await ran).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^state +SUCCEEDED$/m),
  });
});

test("`pause --all` is shown with the list until `resume --all`", async ({ world }) => {
  await created(world);
  const paused = await schedules(world, ["pause", "--all", "--reason", "moving"]);
  expect(paused.stdout).toMatch(/^all schedules +paused\n/);
  expect(paused.stdout).toMatch(/^reason +moving$/m);
  const listed = await schedules(world, ["list"]);
  expect(listed.stdout).toContain("all schedules are paused");
  expect(listed.stderr).toMatch(/^\nAll schedules are paused \(\S.*, by .+\): moving\n$/);
  expect(await schedules(world, ["run", "nightly", "--yes"])).toMatchObject(failing(5, "paused"));
  const resumed = await schedules(world, ["resume", "--all", "-o", "json"]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ paused: false });
  expect((await schedules(world, ["list"])).stderr).toBe("");
});
