// The sweep as a whole: its transactions are short, and it ends when the service stops.

import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Core } from "../../src/core/context.ts";
import { sweepSilentAgents } from "../../src/core/fleet/status-sweep.ts";
import { flushPresence } from "../../src/core/presence/flush.ts";
import { sweep } from "../../src/core/system/maintenance.ts";
import { jobTable } from "../../src/jobs/index.ts";
import { openTestApp, type TestApp } from "../helpers/app.ts";
import { perFile } from "../helpers/lifetime.ts";
import { generateAgents, generateLists } from "../store/generated-lists.ts";
import { tamper } from "./audit/long-trail.ts";
import { openScene } from "./scene.ts";

test("the sweep releases unused space", async () => {
  const { core } = openTestApp().app;
  let tidied = 0;
  core.db.tidy = async () => void tidied++;
  await sweep(core);
  expect(tidied).toBe(1);
});

/** Returns a core whose clock stands still, so that no transaction ends because of its time. */
function frozen({ app }: TestApp): Core {
  return { ...app.core, monotonic: () => 0 };
}

/** Adds ONLINE agents, each with an active token and a service, that have just called. */
async function addFleet({ database, clock }: TestApp, count: number): Promise<void> {
  const now = clock.now();
  const numbers = `WITH RECURSIVE numbers (n, id) AS (SELECT 1, '${idOf(1)}'
     UNION ALL SELECT n + 1, substr('${idOf(0)}' || (n + 1), length('' || (n + 1)) + 1)
       FROM numbers WHERE n < ${count})`;
  await database.write(async (tx) => {
    await tx.run(
      `${numbers} INSERT INTO agents (id, code, mode, status, registered_at, updated_at, last_heartbeat_at)
       SELECT 'agt_' || id, 'edge-' || n, 'sidecar', 'ONLINE', ${now}, ${now}, ${now} FROM numbers`,
    );
    await tx.run(
      `${numbers} INSERT INTO agent_tokens (id, agent_id, token_hash, created_at)
       SELECT 'atk_' || id, 'agt_' || id, 'hash ' || n, ${now} FROM numbers`,
    );
    await tx.run(
      `${numbers} INSERT INTO services (id, code, agent_id, name, version, health_status,
         health_class, stored_status, configs, created_at, updated_at, last_reported_at)
       SELECT 'svc_' || id, 'service-' || n, 'agt_' || id, 'Service', '1', 'UP',
         'healthy', 'HEALTHY', '[]', ${now}, ${now}, ${now} FROM numbers`,
    );
  });
}

const idOf = (n: number) => String(n).padStart(26, "0");

async function count({ database }: TestApp, what: string): Promise<number> {
  return (await database.read.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${what}`))!.n;
}

/** Lets only this many writes succeed until the returned function is called. */
function failAfter(core: Core, writes: number): () => void {
  const write = core.db.write.bind(core.db);
  const spy = vi.spyOn(core.db, "write").mockImplementation((work) => {
    if (spy.mock.calls.length > writes) return Promise.reject(new Error("the disk is gone"));
    return write(work);
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}

const offline = "agents WHERE status = 'OFFLINE'";
const offlineRows = "audit_events WHERE action = 'agent.offline'";
const offlineServices = "services WHERE stored_status = 'OFFLINE'";

describe("a whole fleet falls silent at once", () => {
  test("its agents are marked in several transactions, each agent once", async () => {
    const app = openTestApp();
    await addFleet(app, 450);
    app.clock.advance(1_000_000);
    const core = frozen(app);
    const { feed } = core;
    const noted: string[] = [];
    vi.spyOn(feed, "isWatched", "get").mockReturnValue(true);
    feed.noteService = (id) => void noted.push(id);
    const writes = vi.spyOn(core.db, "write");
    expect(await sweepSilentAgents(core)).toEqual({
      agentsOffline: 450,
      serviceStatusesStored: 450,
    });
    // One write checks times. Four mark agents (200, 200, 50 and 0 of them), and three mark services
    // (400, 50 and 0).
    expect(writes.mock.calls.length).toBe(1 + 4 + 3);
    writes.mockRestore();
    expect(await count(app, offline)).toBe(450);
    expect(await count(app, offlineRows)).toBe(450);
    expect(await count(app, offlineServices)).toBe(450);
    expect(new Set(noted).size).toBe(450);
    expect(await sweepSilentAgents(core)).toEqual({ agentsOffline: 0, serviceStatusesStored: 0 });
  });

  test.each([2, 6])("after a failure in write %i, the next sweep does the rest", async (writes) => {
    const app = openTestApp();
    await addFleet(app, 450);
    app.clock.advance(1_000_000);
    const core = frozen(app);
    const repair = failAfter(core, writes);
    await expect(sweepSilentAgents(core)).rejects.toThrow("the disk is gone");
    repair();
    expect(await count(app, offline)).toBe(writes === 2 ? 200 : 450);
    expect(await count(app, offlineRows)).toBe(writes === 2 ? 200 : 450);
    await sweepSilentAgents(core);
    expect(await count(app, offlineRows)).toBe(450);
    expect(await count(app, offlineServices)).toBe(450);
  });

  test("an agent that calls during the sweep stays ONLINE", async () => {
    const app = openTestApp();
    await addFleet(app, 450);
    app.clock.advance(1_000_000);
    const core = frozen(app);
    const late = `agt_${idOf(450)}`;
    const write = core.db.write.bind(core.db);
    const spy = vi.spyOn(core.db, "write").mockImplementation((work) => {
      if (spy.mock.calls.length === 2) core.presence.agents.add(late, app.clock.now());
      return write(work);
    });
    expect((await sweepSilentAgents(core)).agentsOffline).toBe(449);
    spy.mockRestore();
    expect(await count(app, `agents WHERE id = '${late}' AND status = 'ONLINE'`)).toBe(1);
  });
});

describe("a whole fleet comes back at once", () => {
  async function returning() {
    const app = openTestApp();
    await addFleet(app, 450);
    app.clock.advance(1_000_000);
    await sweepSilentAgents(frozen(app));
    let time = 0;
    // Each transaction takes one block of agents: four take 100 each, and five take 10 each.
    const core = { ...app.app.core, monotonic: () => (time += 5) };
    for (let n = 1; n <= 450; n++) {
      core.presence.agents.add(`agt_${idOf(n)}`, app.clock.now());
    }
    core.counters.count("agentCommandPolls");
    return { app, core };
  }
  const counter = "counters WHERE name = 'agentCommandPolls' AND value = 1";
  const onlineRows = "audit_events WHERE action = 'agent.online'";

  test("the flush takes several transactions, and counts once", async () => {
    const { app, core } = await returning();
    const writes = vi.spyOn(core.db, "write");
    await flushPresence(core);
    expect(writes.mock.calls.length).toBe(9);
    writes.mockRestore();
    expect(await count(app, "agents WHERE status = 'ONLINE'")).toBe(450);
    expect(await count(app, onlineRows)).toBe(450);
    expect(await count(app, counter)).toBe(1);
    expect(core.presence.dirty).toBe(false);
  });

  test("after a failure, the next flush writes the rest, and counts once", async () => {
    const { app, core } = await returning();
    const repair = failAfter(core, 5);
    await expect(flushPresence(core)).rejects.toThrow("the disk is gone");
    repair();
    expect(await count(app, counter)).toBe(0);
    await flushPresence(core);
    expect(await count(app, onlineRows)).toBe(450);
    expect(await count(app, counter)).toBe(1);
  });

  test("an agent that says goodbye during the flush stays OFFLINE", async () => {
    const { app, core } = await returning();
    const gone = `agt_${idOf(450)}`;
    const write = core.db.write.bind(core.db);
    const spy = vi.spyOn(core.db, "write").mockImplementation((work) => {
      if (spy.mock.calls.length === 3) core.presence.agents.delete(gone);
      return write(work);
    });
    await flushPresence(core);
    spy.mockRestore();
    expect(await count(app, "agents WHERE status = 'ONLINE'")).toBe(449);
  });
});

test("a clock that was set back is corrected for every agent and service", async () => {
  const app = openTestApp();
  await addFleet(app, 250);
  app.clock.jump(-3_600_000);
  const now = app.clock.now();
  await sweepSilentAgents(frozen(app));
  expect(await count(app, `agents WHERE last_heartbeat_at > ${now}`)).toBe(0);
  expect(await count(app, `services WHERE last_reported_at > ${now}`)).toBe(0);
  // A heartbeat changes the health without a report.
  await tamper(app, `UPDATE services SET health_changed_at = ${now + 1000}`);
  await sweepSilentAgents(frozen(app));
  expect(await count(app, `services WHERE health_changed_at > ${now}`)).toBe(0);
});

test("an ended command without a time of completion does not keep the sweep busy", async () => {
  const scene = await openScene({ COMMAND_TTL_SECONDS: "60" });
  const id = await scene.execute();
  await scene.poll();
  await scene.result(id);
  await scene.execute({}, { queue: true });
  await tamper(scene, `UPDATE commands SET completed_at = NULL WHERE id = '${id}'`);
  scene.clock.advance(100_000);
  expect((await sweep(scene.app.core)).commandsExpired).toBe(1);
});

test("if a run reaches its limit, the job continues a second later", async () => {
  const app = await openScene({ MAINTENANCE_INTERVAL_SECONDS: "3600" });
  // The limit is high, so this uses the rows that are deleted fastest.
  await tamper(
    app,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50300)
     INSERT INTO service_periods (service_id, began_at, ended_at, status)
     SELECT '${app.serviceId}', n, n + 1, 'HEALTHY' FROM numbers`,
  );
  await app.as("owner").call("maintenance.run", { body: { trustClock: true } });
  expect(app.app.core.retention.isBehind).toBe(true);
  const old = "service_periods WHERE ended_at < 100000";
  expect(await count(app, old)).toBe(300);
  const job = jobTable().find(({ name }) => name === "sweep")!;
  await job.run(app.app.core);
  expect(await count(app, old)).toBe(0);
  expect(app.app.core.retention.isBehind).toBe(false);
});

describe("when the service stops, a job ends after a few transactions", () => {
  // No job changes what the others look for.
  const stopping = perFile(async () => {
    const app = openTestApp({ MAINTENANCE_INTERVAL_SECONDS: "1", COMMAND_TTL_SECONDS: "60" });
    await generateLists(app, { auditEvents: 1000, commands: 1000, busEvents: 1000 });
    await generateAgents(app, 450);
    await tamper(
      app,
      "UPDATE commands SET status = 'PENDING'",
      "UPDATE agents SET status = 'ONLINE'",
    );
    app.clock.advance(1e11);
    app.app.beginToStop();
    return app;
  });

  test.each(jobTable().map(({ name }) => name))("%s", async (name) => {
    const app = stopping();
    const { core } = app.app;
    const writes = vi.spyOn(core.db, "write");
    onTestFinished(() => writes.mockRestore());
    await jobTable()
      .find((job) => job.name === name)!
      .run(core);
    expect(writes.mock.calls.length).toBeLessThan(5);
    expect(await count(app, "commands WHERE status = 'PENDING'")).toBe(1000);
    expect(await count(app, "bus_events")).toBe(1000);
    expect(await count(app, "agents WHERE status = 'ONLINE'")).toBe(460);
  });
});
