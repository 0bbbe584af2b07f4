// The overview's counts equal counts by hand, and its lists and samples have limits.

import { describe, expect } from "vitest";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { healthMapServices, overviewCommands } from "../../../src/domain/limits.ts";
import { isoTime } from "../../../src/lib/iso-time.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene, test } from "../scene.ts";

const minute = 60_000;
const overviewOf = ({ as }: TestApp) => as("viewer").call("overview.get");
const mapOf = ({ as }: TestApp) => as("viewer").call("overview.health-map");
const commandsOf = ({ as }: TestApp, hours: 1 | 6 | 24 | 168 = 1) =>
  as("viewer").call("overview.commands", { query: { hours } });

const noServices = { HEALTHY: 0, UNHEALTHY: 0, STALE: 0, OFFLINE: 0, UNKNOWN: 0 };
const service = (code: string, healthStatus?: string, message?: string) => ({
  code,
  name: `The ${code}`,
  version: "1",
  ...(healthStatus ? { health: { status: healthStatus, message } } : {}),
});

test("for an empty database, every field is zero or empty", async ({ app: scene }) => {
  const at = isoTime(scene.clock.now());
  expect(await overviewOf(scene)).toEqual({
    at,
    agents: { ONLINE: 0, OFFLINE: 0, DISABLED: 0 },
    services: noServices,
    commands: { PENDING: 0, RUNNING: 0 },
    registrationTokens: { ACTIVE: 0 },
    dataLoss: null,
    auditBroken: false,
    schedules: { ENABLED: 0, PAUSED: 0, allPaused: false },
    approvals: { pending: 0, bypassed: 0, bypasses: [] },
    duplicatedAgents: [],
  });
  expect(await mapOf(scene)).toEqual({ at, agents: [], total: 0, truncated: false });
  const { buckets, from, ...rest } = await commandsOf(scene);
  expect(rest).toEqual({ to: at, bucketSeconds: 60, coveredFrom: from, sampleSize: 0 });
  expect(buckets).toHaveLength(60);
  expect(buckets[0]).toEqual({
    at: from,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    p50Ms: null,
    p95Ms: null,
  });
});

describe("counts", () => {
  test("cover agents by stored status and services by current status", async ({ app: scene }) => {
    const first = await scene.registerAgent("a", [service("up", "UP"), service("down", "DOWN")]);
    const second = await scene.registerAgent("b", [service("mute")]);
    expect(await overviewOf(scene)).toMatchObject({
      agents: { ONLINE: 2, OFFLINE: 0, DISABLED: 0 },
      services: { ...noServices, HEALTHY: 1, UNHEALTHY: 1, UNKNOWN: 1 },
    });
    scene.clock.advance(minute + 31_000);
    await second.client.call("agent.heartbeat", { body: {} });
    expect(await overviewOf(scene)).toMatchObject({
      agents: { ONLINE: 2, OFFLINE: 0, DISABLED: 0 },
      services: { ...noServices, STALE: 2, UNKNOWN: 1 },
    });
    await scene.as("operator").call("agents.disable", { params: first });
    expect(await overviewOf(scene)).toMatchObject({
      agents: { ONLINE: 1, OFFLINE: 0, DISABLED: 1 },
      services: { ...noServices, OFFLINE: 2, UNKNOWN: 1 },
    });
  });

  test("cover only open commands", async ({ scene }) => {
    const [running, ended] = await scene.executeMany(2);
    await scene.poll();
    await scene.cancel(ended!);
    await scene.execute();
    expect((await overviewOf(scene)).commands).toEqual({ PENDING: 1, RUNNING: 1 });
    await scene.result(running!);
    expect((await overviewOf(scene)).commands).toEqual({ PENDING: 1, RUNNING: 0 });
  });

  test("cover active registration tokens", async ({ app: scene }) => {
    const operator = scene.as("operator");
    const invite = (body: object) => operator.call("registration-tokens.create", { body });
    await invite({});
    await invite({ expiresInSeconds: 60 });
    await scene.registerAgent();
    const { id: tokenId } = await invite({});
    expect((await overviewOf(scene)).registrationTokens).toEqual({ ACTIVE: 3 });
    await operator.call("registration-tokens.revoke", { params: { tokenId } });
    scene.clock.advance(minute);
    expect((await overviewOf(scene)).registrationTokens).toEqual({ ACTIVE: 1 });
  });
});

describe("the health map", () => {
  test("has all services by agent, and messages only for problems", async ({ app: scene }) => {
    const west = await scene.registerAgent("west", [
      service("web", "UP", "answers in 12 ms"),
      service("db", "DOWN", "connection refused"),
      service("cache"),
    ]);
    await scene.registerAgent("idle");
    const east = await scene.registerAgent("east", [service("api", "UP")]);
    await scene.as("operator").call("agents.disable", { params: east });
    const id = expect.stringMatching(/^svc_/);
    const cell = (code: string, status: string) => ({ id, code, name: `The ${code}`, status });
    expect(await mapOf(scene)).toEqual({
      at: isoTime(scene.clock.now()),
      agents: [
        {
          id: east.agentId,
          code: "east",
          name: null,
          status: "DISABLED",
          services: [cell("api", "OFFLINE")],
        },
        {
          id: west.agentId,
          code: "west",
          name: null,
          status: "ONLINE",
          services: [
            cell("cache", "UNKNOWN"),
            { ...cell("db", "UNHEALTHY"), healthMessage: "connection refused" },
            cell("web", "HEALTHY"),
          ],
        },
      ],
      total: 4,
      truncated: false,
    });
  });

  test("omits healthy services first", async ({ scene }) => {
    await scene.report([collector, service("z-last", "DOWN")]);
    const copies = healthMapServices - 2;
    const copy = `INSERT INTO services (id, code, agent_id, name, version, health_status,
        health_class, stored_status, created_at, updated_at, last_reported_at)
      SELECT 'svc_' || substr('00000000000000000000000000' || n, length('' || n) + 1), 'm-' || n, agent_id, name, '1',
        'UP', 'healthy', 'HEALTHY', 0, 0, last_reported_at
      FROM services, numbers WHERE code = '${collector.code}'`;
    await fill(scene, copies, copy);
    expect(await mapOf(scene)).toMatchObject({ total: healthMapServices, truncated: false });
    await fill(scene, 1, copy.replaceAll("|| n", "|| 'x' || n"));
    const { agents, total, truncated } = await mapOf(scene);
    expect({ total, truncated }).toEqual({ total: healthMapServices + 1, truncated: true });
    const shown = agents.flatMap(({ services }) => services);
    expect(shown).toHaveLength(healthMapServices);
    expect(shown.at(-1)).toMatchObject({ code: "z-last", status: "UNHEALTHY" });
  });
});

describe("executions over time", () => {
  const counts = { succeeded: 0, failed: 0, cancelled: 0, p50Ms: null, p95Ms: null };

  async function filled(scene: Scene) {
    const { buckets } = await commandsOf(scene);
    return buckets.filter(({ succeeded, failed, cancelled }) => succeeded + failed + cancelled > 0);
  }

  test("are counted when they end, by outcome", async () => {
    const scene = await openScene({ COMMAND_TTL_SECONDS: "600" });
    const [slow, fast, bad, stopped] = await scene.executeMany(4);
    await scene.poll();
    scene.clock.advance(100);
    await scene.result(fast!);
    scene.clock.advance(200);
    await scene.result(slow!);
    await scene.result(bad!, { success: false });
    await scene.cancel(stopped!);
    await scene.cancel(await scene.execute());
    const firstAt = "2026-01-02T03:04:00.000Z";
    const first = { ...counts, succeeded: 2, failed: 1, cancelled: 2, p50Ms: 300, p95Ms: 300 };
    expect(await filled(scene)).toEqual([{ at: firstAt, ...first }]);

    await scene.execute();
    scene.clock.advance(10 * minute);
    await expireCommands(scene.app.core);
    expect(await filled(scene)).toEqual([
      { at: firstAt, ...first },
      { at: "2026-01-02T03:14:00.000Z", ...counts, failed: 1 },
    ]);
    expect(await commandsOf(scene)).toMatchObject({ sampleSize: 6 });

    scene.clock.advance(50 * minute);
    expect(await filled(scene)).toHaveLength(1);
    expect((await commandsOf(scene, 6)).sampleSize).toBe(6);
  });

  test("do not include prepares or open commands", async ({ scene }) => {
    await scene.prepare({ success: true });
    await scene.execute();
    expect(await commandsOf(scene)).toMatchObject({ sampleSize: 0 });
  });

  test("are limited to the latest, with the time that they cover", async ({ scene }) => {
    const end = scene.clock.now();
    await scene.cancel(await scene.execute());
    const copy = `INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action,
        payload, source_kind, timeout_seconds, created_at, expires_at, started_at, completed_at)
      SELECT 'cmd_' || n, type, 'SUCCEEDED', agent_id, service_id, service_code, action, payload,
        source_kind, timeout_seconds, 0, 0, completed_at - n - 7, completed_at - n
      FROM commands, numbers WHERE status = 'CANCELLED'`;
    await fill(scene, overviewCommands - 1, copy);
    const whole = await commandsOf(scene);
    expect(whole).toMatchObject({ sampleSize: overviewCommands, coveredFrom: whole.from });

    await fill(scene, 1, copy.replace("'cmd_' || n", "'cmd_more'").replaceAll("- n", "- 20000"));
    const cut = await commandsOf(scene);
    expect(cut).toMatchObject({
      sampleSize: overviewCommands,
      coveredFrom: isoTime(end - 20_000 + 1),
    });
    expect(cut.buckets).toEqual(whole.buckets);
  });

  test("the window is a day by default, and has only the offered lengths", async () => {
    const viewer = openTestApp().as("viewer");
    const commands = await viewer.call("overview.commands", {});
    expect(commands).toMatchObject({ bucketSeconds: 1200 });
    expect(commands.buckets).toHaveLength(72);
    const asked = viewer.call("overview.commands", { query: { hours: 2 } as never });
    await expectRefused(asked, "VALIDATION_FAILED", {
      issues: [{ path: "hours", message: "must be one of 1, 6, 24, 168" }],
    });
  });
});

/** Runs a statement that selects from `numbers`, which contains the numbers 1 to `count`. */
function fill({ elsewhere }: TestApp, count: number, statement: string): Promise<void> {
  const more = `SELECT n + 1 FROM numbers WHERE n < ${count}`;
  return elsewhere(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL ${more}) ${statement}`);
}
