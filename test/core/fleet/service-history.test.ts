// The history of a service's status. Only changes are recorded.

import { describe, expect, vi } from "vitest";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import type { EffectiveStatus } from "../../../src/domain/fleet/services.ts";
import { dayMs, hourMs } from "../../../src/lib/duration.ts";
import { beginPeriods } from "../../../src/store/tables/fleet/service-history.ts";
import { changedTx, wrapWrites } from "../../helpers/wrapped-writes.ts";
import { expectRefused } from "../refusals.ts";
import { collector, type Scene, test } from "../scene.ts";
import { setClock } from "../set-clock.ts";

const down = { ...collector, healthStatus: "DOWN" };

function historyOf({ as, serviceId }: Scene, days?: number) {
  const query = days === undefined ? {} : { days };
  return as("viewer").call("services.history", { params: { serviceId }, query });
}

/** Returns the statuses of all changes, oldest first. */
async function statusesOf(scene: Scene): Promise<string[]> {
  const { changes } = await historyOf(scene);
  return changes.map(({ to }) => to).reverse();
}

/** Sends the same report once a minute, and once at the end. */
async function reportFor(scene: Scene, ms: number, service = collector): Promise<void> {
  const end = scene.clock.now() + ms;
  while (scene.clock.now() < end) {
    await scene.report([service]);
    await flushPresence(scene.app.core);
    scene.clock.advance(Math.min(60_000, end - scene.clock.now()));
  }
  await scene.report([service]);
  await flushPresence(scene.app.core);
}

function toNoon({ clock }: Scene): void {
  const noon = (Math.floor(clock.now() / dayMs) + 1) * dayMs + dayMs / 2;
  clock.advance(noon - clock.now());
}

describe("each way to change a status begins a period", () => {
  test("the first report", async ({ scene }) => {
    const { changes, changesTotal, status, statusSince } = await historyOf(scene);
    const at = (await scene.service()).createdAt;
    expect(changes).toEqual([{ at, from: null, to: "HEALTHY" }]);
    expect({ changesTotal, status, statusSince }).toEqual({
      ...{ changesTotal: 1, status: "HEALTHY", statusSince: at },
    });
  });

  test("a report, a heartbeat, and the same without a change of the status", async ({ scene }) => {
    scene.clock.advance(1000);
    await scene.report([down]);
    const { healthStatus: status, ...rest } = down;
    await scene.report([{ ...rest, health: { status, message: "port 8080 is closed" } }]);
    await scene.report([{ ...down, healthStatus: "DEGRADED" }]);
    scene.clock.advance(1000);
    const news = { serviceCode: collector.code, healthStatus: "UP" };
    await scene.beat({ health: [news] });
    await scene.beat({ health: [{ ...news, message: "ready" }] });
    expect(await statusesOf(scene)).toEqual(["HEALTHY", "UNHEALTHY", "HEALTHY"]);
    expect((await historyOf(scene)).changes[0]).toMatchObject({ from: "UNHEALTHY", to: "HEALTHY" });
  });

  test("silence, once the sweep stores it, and an unchanged report", async ({ scene }) => {
    scene.clock.advance(100_000);
    expect(await historyOf(scene)).toMatchObject({ status: "STALE", statusSince: null });
    await sweep(scene.app.core);
    const stale = await scene.service();
    expect(stale.statusSince).toBe((await historyOf(scene)).now);
    scene.clock.advance(900_000);
    await sweep(scene.app.core);
    scene.clock.advance(1);
    await scene.report([collector]);
    expect(await statusesOf(scene)).toEqual(["HEALTHY", "STALE", "OFFLINE", "HEALTHY"]);
  });

  test("a report that was still in memory when the sweep ended", async ({ scene }) => {
    const { core } = scene.app;
    await scene.report([collector]);
    scene.clock.advance(100_000);
    await sweep(core);
    scene.clock.advance(1);
    core.presence.services.add(scene.serviceId, scene.clock.now());
    await flushPresence(core);
    expect(await statusesOf(scene)).toEqual(["HEALTHY", "STALE", "HEALTHY"]);
    // A late report that is older than the stored one does not replace the newer status.
    scene.clock.advance(100_000);
    await sweep(core);
    core.presence.services.add(scene.serviceId, scene.clock.now() - 150_000);
    await flushPresence(core);
    expect((await scene.service()).storedStatus).toBe("STALE");
    expect(await statusesOf(scene)).toEqual(["HEALTHY", "STALE", "HEALTHY", "STALE"]);
  });

  test("disabling and enabling the agent", async ({ scene }) => {
    scene.clock.advance(1000);
    await scene.change("disable");
    await sweep(scene.app.core);
    scene.clock.advance(1000);
    await scene.change("enable");
    await sweep(scene.app.core);
    expect(await statusesOf(scene)).toEqual(["HEALTHY", "OFFLINE", "HEALTHY"]);
    const { services } = await scene.agentNow();
    const { statusSince } = await historyOf(scene);
    expect(services).toMatchObject([{ status: "HEALTHY", statusSince }]);
  });

  test("in the same millisecond, the last status counts", async ({ scene }) => {
    await scene.report([down]);
    await scene.report([collector]);
    await scene.report([down]);
    expect(await statusesOf(scene)).toEqual(["UNHEALTHY"]);
    scene.clock.advance(1);
    await scene.report([collector]);
    await scene.report([down]);
    expect(await statusesOf(scene)).toEqual(["UNHEALTHY"]);
    expect(await scene.count("service_periods WHERE ended_at IS NULL")).toBe(1);
  });

  test("a clock that was set back makes no period end before it began", async ({ scene }) => {
    scene.clock.jump(-hourMs);
    await scene.report([down]);
    expect(await scene.count("service_periods WHERE ended_at < began_at")).toBe(0);
    expect(await historyOf(scene)).toMatchObject({ status: "UNHEALTHY" });
  });

  test("a clock that was ahead leaves no periods in the future", async ({ scene }) => {
    await reportFor(scene, hourMs, down);
    await setClock(scene, dayMs);
    await scene.report([collector]);
    await setClock(scene, -dayMs);
    const { now: corrected } = await historyOf(scene);
    await reportFor(scene, hourMs);
    const { halfHours, statusSince } = await historyOf(scene);
    expect(statusSince).toBe(corrected);
    expect(halfHours.at(-2)?.ms).toMatchObject({ HEALTHY: hourMs / 2 });
  });
});

test("a report without a change writes nothing to the history", async ({ scene }) => {
  const { core } = scene.app;
  const ran: string[] = [];
  wrapWrites(core.db, (tx) =>
    changedTx(tx, {
      run: (sql, ...params) => {
        ran.push(sql);
        return tx.run(sql, ...params);
      },
    }),
  );
  await reportFor(scene, 10 * 60_000);
  await sweep(core);
  expect(ran.filter((sql) => sql.startsWith("UPDATE services"))).not.toEqual([]);
  expect(ran.filter((sql) => /(INTO|UPDATE) service_periods/.test(sql))).toEqual([]);
  expect(await scene.count("service_periods")).toBe(1);
});

describe("the parts", () => {
  test("add up to the time that has passed", async ({ scene }) => {
    toNoon(scene);
    await reportFor(scene, 90 * 60_000);
    await scene.report([down]);
    await reportFor(scene, 45 * 60_000, down);
    const { halfHours, days, now } = await historyOf(scene);
    expect(halfHours).toHaveLength(48);
    expect(days).toHaveLength(30);
    for (const { from, to, ms, unrecordedMs } of [...halfHours, ...days]) {
      const recorded = Object.values(ms).reduce((sum, each) => sum + each, 0);
      expect(recorded + unrecordedMs).toBe(Date.parse(to) - Date.parse(from));
    }
    expect(halfHours.at(-1)).toMatchObject({ to: now, uptime: 0 });
    const [first, second, third] = halfHours.slice(-5);
    expect([first, second, third]).toMatchObject([{ uptime: 1 }, { uptime: 1 }, { uptime: 1 }]);
    expect(halfHours.at(-2)).toMatchObject({ uptime: 0, ms: { UNHEALTHY: 30 * 60_000 } });
  });

  test("of days: the share of the time in each status", async ({ scene }) => {
    toNoon(scene);
    await setStatuses(scene, [
      ["HEALTHY", 12],
      ["UNHEALTHY", 6],
      ["HEALTHY", 18],
      ["UNKNOWN", 12],
      ["HEALTHY", 40],
      ["OFFLINE", 8],
      ["HEALTHY", 0],
    ]);
    const { days, uptime, changesTotal } = await historyOf(scene, 6);
    expect(days.map((day) => day.uptime)).toEqual([1, 1, 0.75, 1, 1, expect.closeTo(1 / 3)]);
    expect(days.at(-1)?.ms).toMatchObject({ HEALTHY: 4 * hourMs, OFFLINE: 8 * hourMs });
    expect(days[3]?.ms).toMatchObject({ HEALTHY: 12 * hourMs, UNKNOWN: 12 * hourMs });
    const { createdAt } = await scene.service();
    expect(days[0]?.unrecordedMs).toBe(Date.parse(createdAt) - Date.parse(days[0]!.from));
    expect(uptime).toBeGreaterThan(0.7);
    expect(changesTotal).toBe(2);
  });

  test("before the first report, nothing is recorded", async ({ scene }) => {
    scene.clock.advance(1);
    const { days, halfHours } = await historyOf(scene, 2);
    expect(days[0]).toMatchObject({ uptime: null, unrecordedMs: dayMs });
    expect(halfHours[0]).toMatchObject({ uptime: null, ms: { HEALTHY: 0, OFFLINE: 0 } });
    expect(days[1]?.ms.HEALTHY).toBe(1);
  });

  test("more changes than a response lists are counted", async ({ scene }) => {
    scene.clock.advance(dayMs);
    const statuses = Array.from({ length: 130 }, (_, n) => (n % 2 ? "HEALTHY" : "UNHEALTHY"));
    await setStatuses(
      scene,
      statuses.map((status) => [status as EffectiveStatus, 0.1]),
    );
    const { changes, changesTotal } = await historyOf(scene);
    expect(changesTotal).toBe(130);
    expect(changes).toHaveLength(100);
    expect(changes.at(-1)).toMatchObject({ from: "HEALTHY", to: "UNHEALTHY" });
  });
});

/** Stores statuses directly, each for this many hours. */
async function setStatuses(scene: Scene, statuses: [EffectiveStatus, hours: number][]) {
  for (const [status, hours] of statuses) {
    await scene.database.write((tx) => beginPeriods(tx, [{ id: scene.serviceId, status }]));
    scene.clock.advance(hours * hourMs);
  }
}

describe("a history ends", () => {
  test("after its retention, except for the current status", async ({ scene }) => {
    await setStatuses(scene, [
      ["UNHEALTHY", 24],
      ["HEALTHY", 24 * 20],
      ["UNHEALTHY", 24],
      ["HEALTHY", 24 * 34.5],
    ]);
    const prune = async () => (await sweep(scene.app.core)).servicePeriodsPruned;
    const owner = scene.as("owner");
    const keep = (days: number) =>
      owner.call("settings.update", { body: { serviceHistoryRetentionDays: days } });
    await keep(0);
    await owner.call("maintenance.run", { body: { trustClock: true } });
    expect(await prune()).toBe(0);
    await keep(35);
    expect(await prune()).toBe(2);
    // The period that ended 34.5 days ago is still there, and the sweep has begun another one.
    expect(await scene.count("service_periods")).toBe(3);
    scene.clock.advance(400 * dayMs);
    await owner.call("maintenance.run", { body: { trustClock: true } });
    expect(await prune()).toBe(0);
    expect(await scene.count("service_periods")).toBe(1);
    expect((await historyOf(scene)).days[0]).toMatchObject({ uptime: 0, unrecordedMs: 0 });
  });

  test("with its service, in short transactions", async ({ scene }) => {
    const { serviceId } = scene;
    await scene.database.write(async (tx) => {
      for (let n = 0; n < 1200; n++) {
        await tx.run(
          `INSERT INTO service_periods (service_id, began_at, ended_at, status)
           VALUES (?, ?, ?, 'UNHEALTHY')`,
          ...[serviceId, n, n + 1],
        );
      }
    });
    scene.clock.advance(dayMs);
    const writes = vi.spyOn(scene.app.core.db, "write");
    await scene.as("operator").call("services.delete", { params: { serviceId } });
    expect(writes.mock.calls.length).toBe(3);
    expect(await scene.count("service_periods")).toBe(0);
    await expectRefused(historyOf(scene), "SERVICE_NOT_FOUND");
  });

  test("with its agent", async ({ scene }) => {
    scene.clock.advance(dayMs);
    await scene.as("operator").call("agents.delete", { params: scene.agent });
    expect(await scene.count("service_periods")).toBe(0);
  });
});

test.for([0, 91])("days=%s is refused", async (days, { scene }) => {
  await expectRefused(historyOf(scene, days), "VALIDATION_FAILED");
});
