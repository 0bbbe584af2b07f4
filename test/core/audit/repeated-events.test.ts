// Repeated events of one caller are first recorded one by one and then summarized. The rows and the
// summaries together count every event.

import { describe, expect } from "vitest";
import { authenticateSession, logout } from "../../../src/core/access/sessions.ts";
import { writeAuditSums } from "../../../src/core/audit/repeated-events.ts";
import type { TestApp } from "../../helpers/app.ts";
import { refuseRows } from "../../helpers/stored.ts";
import { addUser, auditOf, minute, signIn, stranger } from "../access/people.ts";
import { type Bus, openBus } from "../bus/scene.ts";
import { expectRefused } from "../refusals.ts";
import { collector, test } from "../scene.ts";

type Row = Awaited<ReturnType<typeof auditOf>>[number];

const isSum = ({ metadata }: Row) => metadata.summed !== undefined;

function eventsOf(rows: Row[]): number {
  const summed = (row: Row) => (row.metadata.summed as { count: number }).count;
  return rows.reduce((all, row) => all + (isSum(row) ? summed(row) : 1), 0);
}

async function nextMinute({ app, clock }: TestApp): Promise<void> {
  clock.advance(minute);
  await writeAuditSums(app.core);
}

describe("repeated forbidden calls of a viewer", () => {
  const hammer = ({ as }: TestApp, times: number, agentId = "agt_1") =>
    Promise.all(
      Array.from({ length: times }, () =>
        as("viewer")
          .call("agents.disable", { params: { agentId } })
          .catch((error) => expect(error.code).toBe("FORBIDDEN")),
      ),
    );

  test("leave one row, then one row a minute", async ({ scene }) => {
    for (let n = 0; n < 3; n++) {
      await hammer(scene, 20);
      await nextMinute(scene);
    }
    const rows = await auditOf(scene, "access.denied");
    expect(rows).toHaveLength(4);
    expect(eventsOf(rows)).toBe(60);
    expect(rows[0]).toMatchObject({ message: null, requestId: "req_test", ip: "127.0.0.1" });
    expect(rows[1]).toMatchObject({
      actorType: "API_KEY",
      actorId: "key_viewer",
      targetType: "route",
      targetId: "agents.disable",
      result: "DENIED",
      message: "19 more refused calls within a minute",
      ip: null,
      requestId: null,
      metadata: { needed: "operator", role: "viewer", summed: { count: 19 } },
    });
  });

  test("to several routes: the summary row has counts by route", async ({ scene }) => {
    const viewer = scene.as("viewer");
    const params = { agentId: "agt_1" };
    for (let n = 0; n < 10; n++) {
      await viewer.call("agents.disable", { params }).catch(() => undefined);
      if (n % 2 === 0) await viewer.call("agents.enable", { params }).catch(() => undefined);
    }
    await nextMinute(scene);
    const sum = (await auditOf(scene, "access.denied")).find(isSum);
    expect(sum).toMatchObject({
      targetType: "route",
      targetId: null,
      metadata: { routes: { "agents.disable": 9, "agents.enable": 4 }, summed: { count: 13 } },
    });
  });
});

describe("health changes", () => {
  test("of several flapping services leave four rows each, then counts", async ({ scene }) => {
    const services = [1, 2].map((n) => ({ ...collector, code: `service-${n}`, actions: [] }));
    for (let n = 0; n < 7; n++) {
      const healthStatus = n % 2 === 0 ? "UP" : "DOWN";
      await scene.report(services.map((each) => ({ ...each, healthStatus })));
    }
    await nextMinute(scene);
    const rows = await auditOf(scene, "service.health.changed");
    expect(rows).toHaveLength(4 * 2 + 1);
    expect(rows.find(isSum)).toMatchObject({
      actorType: "AGENT",
      actorName: "edge-1",
      targetId: null,
      metadata: { services: { "service-1": 2, "service-2": 2 } },
    });
  });

  test("of one flapping service leave four rows, then summary rows", async ({ scene }) => {
    const beat = (healthStatus: string) => {
      const body = { health: [{ serviceCode: collector.code, healthStatus }] };
      return scene.beat(body);
    };
    for (let n = 0; n < 21; n++) await beat(n % 2 === 0 ? "DOWN" : "UP");
    await nextMinute(scene);
    const rows = await auditOf(scene, "service.health.changed");
    expect(rows.map(isSum)).toEqual([false, false, false, false, true]);
    expect(eventsOf(rows)).toBe(21);
    expect(rows[4]).toMatchObject({
      targetId: scene.serviceId,
      message: "17 more health changes within a minute",
      metadata: { code: collector.code, from: "UP", to: "DOWN" },
    });
  });

  test("are not counted when they are rolled back", async ({ scene }) => {
    const report = (healthStatus: string) => scene.report([{ ...collector, healthStatus }]);
    const allow = await refuseRows(scene, "UPDATE ON services");
    for (let n = 0; n < 10; n++) await expect(report("DOWN")).rejects.toThrow();
    await allow();
    await report("DOWN");
    await nextMinute(scene);
    const rows = await auditOf(scene, "service.health.changed");
    expect(rows.map(isSum)).toEqual([false]);
  });
});

test.for<[action: string, rows: number, repeat: (bus: Bus, n: number) => Promise<unknown>]>([
  ["service.updated", 5, (bus, n) => bus.report([{ ...collector, name: `Name ${n}` }])],
  [
    "service.version.changed",
    5,
    (bus, n) => bus.report([{ ...collector, version: `1.0.${n + 1}` }]),
  ],
  [
    "service.config.changed",
    5,
    (bus, n) => bus.report([{ ...collector, configs: [{ key: `key-${n}`, type: "string" }] }]),
  ],
  [
    "service.actions.changed",
    5,
    (bus, n) => bus.report([{ ...collector, actions: [{ name: `action-${n}` }] }]),
  ],
  ["agent.updated", 5, (bus, n) => bus.beat({ agent: { version: `1.0.${n}` } })],
  ["bus.event.duplicate", 2, (bus) => bus.publish({ id: "1" })],
])("of repeated events, %s leaves %d rows with a summary row", async ([action, rows, repeat]) => {
  const bus = await openBus();
  await bus.publish({ id: "1" });
  for (let n = 0; n < 30; n++) await repeat(bus, n);
  await nextMinute(bus);
  const found = await auditOf(bus, action);
  expect(found.map(isSum)).toEqual([...Array(rows - 1).fill(false), true]);
  expect(eventsOf(found)).toBe(30);
});

test("different late results leave two rows, then a summary row", async ({ scene }) => {
  const id = await scene.execute();
  await scene.poll();
  await scene.cancel(id);
  for (let n = 0; n < 30; n++) {
    const late = scene.result(id, { success: true, output: { n } });
    await expectRefused(late, "COMMAND_ALREADY_COMPLETED");
  }
  await nextMinute(scene);
  const rows = await auditOf(scene, "command.result.late");
  expect(rows).toHaveLength(3);
  expect(eventsOf(rows)).toBe(30);
});

test("events without a service leave one row, then a summary row", async () => {
  const bus = await openBus();
  for (let n = 0; n < 50; n++) {
    const body = { type: "log.full", source: `nobody-${n}` };
    const publishing = bus.as("operator").call("bus-events.publish", { body });
    await expectRefused(publishing, "BUS_SOURCE_NOT_FOUND");
  }
  await nextMinute(bus);
  const rows = await auditOf(bus, "bus.event.rejected");
  expect(rows.map(isSum)).toEqual([false, true]);
  expect(eventsOf(rows)).toBe(50);
  expect(rows[1]).toMatchObject({
    actorId: "key_operator",
    metadata: { source: "nobody-49", codes: { BUS_SOURCE_NOT_FOUND: 49 } },
  });
});

test("many exports leave twenty rows, then counts by format", async ({ scene }) => {
  for (let n = 0; n < 40; n++) {
    const query = { format: n % 2 === 0 ? "csv" : "json", targetId: `no-${n}` } as const;
    await scene.as("viewer").download("audit-events.export", { query });
  }
  await nextMinute(scene);
  const rows = await auditOf(scene, "audit.exported");
  expect(rows).toHaveLength(21);
  expect(eventsOf(rows)).toBe(40);
  expect(rows[0]).toMatchObject({ metadata: { format: "csv", filters: { targetId: "no-0" } } });
  expect(rows[20]).toMatchObject({
    actorId: "key_viewer",
    message: "20 more exports within a minute",
    metadata: { filters: { targetId: "no-39" }, formats: { csv: 10, json: 10 } },
  });
});

test("many sign-ins and sign-outs leave twenty rows, then counts by network", async ({ scene }) => {
  await addUser(scene, "vera");
  const { core } = scene.app;
  for (let n = 0; n < 30; n++) {
    const ip = n % 2 === 0 ? "192.0.2.1" : "192.0.2.2";
    const cookie = await signIn(scene, "vera", { ip });
    const principal = await authenticateSession(core, cookie);
    await logout({ ...stranger(scene, ip), principal });
  }
  await nextMinute(scene);
  for (const action of ["session.login.succeeded", "session.logout"] as const) {
    const rows = await auditOf(scene, action);
    expect(rows).toHaveLength(21);
    expect(eventsOf(rows)).toBe(30);
    expect(rows[0]).toMatchObject({ targetId: expect.stringMatching(/^ses_/), ip: "192.0.2.1" });
    expect(rows[20]).toMatchObject({
      actorName: "vera",
      targetId: null,
      metadata: { networks: { "192.0.2.1": 5, "192.0.2.2": 5 } },
    });
  }
});
