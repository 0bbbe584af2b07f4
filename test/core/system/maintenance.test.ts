// The report of a sweep equals what the sweep did, and a second sweep finds nothing.

import { expect } from "vitest";
import { login } from "../../../src/core/access/logins.ts";
import { createFirstOwner } from "../../../src/core/access/users.ts";
import { systemContext } from "../../../src/core/context.ts";
import { passingTime } from "../../jobs/passing-time.ts";
import { test as base, collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("situation", () => openSituation());

const dayMs = 24 * 60 * 60 * 1000;
const nothing = {
  agentsOffline: 0,
  serviceStatusesStored: 0,
  commandsExpired: 0,
  registrationTokensExpired: 0,
  sessionsEnded: 0,
  auditEventsPruned: 0,
  busEventsPruned: 0,
  commandsPruned: 0,
  rolloutsPruned: 0,
  approvalsPruned: 0,
  servicePeriodsPruned: 0,
  scheduleRunsPruned: 0,
  credentialsPruned: 0,
  agentsDeleted: 0,
  servicesDeleted: 0,
};

/** What a sweep of `openSituation` does besides ending commands. */
const done = {
  ...nothing,
  agentsOffline: 2,
  serviceStatusesStored: 3,
  registrationTokensExpired: 2,
  sessionsEnded: 2,
  busEventsPruned: 2,
};

function run({ as }: Scene) {
  return as("operator").call("maintenance.run");
}

/** Stores bus events of these ages in milliseconds, each with a match. */
async function insertBusEvents({ database, clock, agent }: Scene, ages: number[]): Promise<void> {
  await database.write(async (tx) => {
    for (const [index, age] of ages.entries()) {
      const id = `bev_${index}`;
      await tx.run(
        `INSERT INTO bus_events (id, agent_id, source, event_id, type, depth, envelope, received_at)
         VALUES (?, ?, 's', ?, 't', 0, '{}', ?)`,
        id,
        agent.agentId,
        id,
        clock.now() - age,
      );
      await tx.run(
        "INSERT INTO bus_matches (event_id, route_id, outcome) VALUES (?, 'brt_1', 'DRY_RUN')",
        id,
      );
    }
  });
}

/** Two of three agents fall silent, three commands must expire, and some rows must be kept. */
async function openSituation(): Promise<Scene> {
  const scene = await openScene({ COMMAND_TTL_SECONDS: "60" });
  const { as, app, clock, registerAgent } = scene;
  const password = "a sentence of many characters";
  await createFirstOwner(app.core, { username: "ada", password });
  await login(systemContext(app.core), "ada", password);
  await login(systemContext(app.core), "ada", password);
  const invite = (expiresInSeconds: number) =>
    as("operator").call("registration-tokens.create", { body: { expiresInSeconds } });
  await invite(100);
  await invite(28_800);
  const { id: tokenId } = await invite(100);
  await as("operator").call("registration-tokens.revoke", { params: { tokenId } });
  await registerAgent("edge-2", [
    { ...collector, code: "b" },
    { ...collector, code: "c", healthStatus: "DOWN" },
  ]);
  await scene.executeMany(3);
  clock.advance(28_800_000 - 50_000);
  const alive = await registerAgent("edge-3", [{ ...collector, code: "d" }]);
  await login(systemContext(app.core), "ada", password);
  clock.advance(50_000);
  await scene.execute({}, { queue: true });
  await alive.client.call("agent.heartbeat", { body: {} });
  await insertBusEvents(scene, [0, 29 * dayMs, 31 * dayMs, 400 * dayMs]);
  return scene;
}

test("report and audit row show what was done, and a second sweep finds nothing", async ({
  situation: scene,
}) => {
  const report = await run(scene);
  expect(report).toEqual({ ...done, commandsExpired: 3, durationMs: expect.any(Number) });
  expect((await scene.trail())[0]).toMatchObject({
    action: "maintenance.run",
    actorType: "API_KEY",
    actorId: "key_operator",
    result: "SUCCESS",
    metadata: report,
  });

  const { as } = scene;
  const statuses = async (name: "agents.list" | "services.list" | "commands.list") =>
    (await as("viewer").page(name)).data.map((item) => item.status);
  expect(await statuses("agents.list")).toEqual(["ONLINE", "OFFLINE", "OFFLINE"]);
  expect(await statuses("services.list")).toEqual(["HEALTHY", "OFFLINE", "OFFLINE", "OFFLINE"]);
  expect(await statuses("commands.list")).toEqual(["PENDING", "FAILED", "FAILED", "FAILED"]);
  expect(await scene.count("registration_tokens WHERE status = 'EXPIRED'")).toBe(2);
  expect(await scene.count("registration_tokens WHERE status = 'REVOKED'")).toBe(1);
  expect(await scene.count("sessions")).toBe(1);
  expect(await scene.count("bus_events")).toBe(2);
  // Deleting an event also deletes its matches.
  expect(await scene.count("bus_matches")).toBe(2);
  expect(await scene.trail({ action: "agent.offline" })).toHaveLength(2);
  expect(await scene.trail({ action: "command.expired" })).toHaveLength(3);
  expect(await run(scene)).toEqual({ ...nothing, durationMs: expect.any(Number) });
});

test("without a server, a run only deletes and expires what is too old", async ({
  situation: scene,
}) => {
  const local = scene.asPrincipal({ kind: "local", osUser: "ada" });
  const unheard = { agentsOffline: 0, serviceStatusesStored: 0, commandsExpired: 0 };
  const durationMs = expect.any(Number);
  expect(await local.call("maintenance.run")).toEqual({ ...done, ...unheard, durationMs });
});

test("two sweeps and the scheduled job together do each thing once", async ({
  situation: scene,
}) => {
  const jobs = passingTime(scene);
  const reports = await Promise.all([run(scene), run(scene), jobs(1)]);
  const names = Object.keys(nothing) as (keyof typeof nothing)[];
  const sums = names.map((name) => [name, reports[0][name] + reports[1][name]]);
  // The job that expires commands every second may have run first.
  const commandsExpired = expect.toSatisfy((told: number) => told <= 3);
  expect(Object.fromEntries(sums)).toEqual({ ...done, commandsExpired });
  for (const [action, times] of [
    ["agent.offline", 2],
    ["command.expired", 3],
    ["maintenance.run", 2],
  ] as const) {
    expect([action, (await scene.trail({ action })).length]).toEqual([action, times]);
  }
  expect(await scene.count("bus_events")).toBe(2);
});

test("a scheduled sweep leaves no audit row", async ({ scene }) => {
  await passingTime(scene)(121_000);
  expect((await scene.trail())[0]).toMatchObject({ action: "agent.offline", actorType: "SYSTEM" });
  expect(await scene.trail({ action: "maintenance.run" })).toEqual([]);
});

test.for<[days: number | null, left: number]>([
  [0, 4],
  [1, 1],
  [null, 2],
])("with retention for %j days, %i bus events remain", async ([days, left], { scene }) => {
  await insertBusEvents(scene, [0, 30 * dayMs, 30 * dayMs + 1, 400 * dayMs]);
  await scene.as("owner").call("settings.update", { body: { busEventRetentionDays: days } });
  expect((await run(scene)).busEventsPruned).toBe(4 - left);
  expect(await scene.count("bus_events")).toBe(left);
});

test("a sweep can delete more bus events than one transaction", async ({ scene }) => {
  await insertBusEvents(scene, Array(450).fill(31 * dayMs));
  expect((await run(scene)).busEventsPruned).toBe(450);
  expect(await scene.count("bus_events")).toBe(0);
});

test("an agent that calls during the sweep stays ONLINE", async ({ scene }) => {
  scene.clock.advance(90_001);
  const [report] = await Promise.all([run(scene), scene.beat()]);
  expect(report.agentsOffline).toBe(0);
});
