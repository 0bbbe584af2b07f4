// Who may publish which events, what is stored, and how operators find events.

import { test as base, describe, expect } from "vitest";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import { startOfTime } from "../../helpers/app.ts";
import { everyRow } from "../../helpers/stored.ts";
import { expectRefused } from "../refusals.ts";
import { collector } from "../scene.ts";
import { openBus } from "./scene.ts";

const test = base.extend("bus", () => openBus());

const startText = new Date(startOfTime).toISOString();
const dayMs = 24 * 3_600_000;

test("an event is stored with all its fields", async ({ bus }) => {
  const sent = {
    id: "evt-1",
    time: "2026-01-02T03:04:05+01:00",
    subject: "app.log",
    datacontenttype: "application/json",
    data: { file: "app.log", sizes: [1, 2] },
    correlationid: "case 7",
    causationid: "something elsewhere",
    traceparent: "00-1",
    attempt: 2,
    urgent: true,
  };
  const answer = await bus.publish(sent);
  expect(answer).toEqual({
    id: expect.stringMatching(/^bev_/),
    sourceEventId: "evt-1",
    depth: 0,
    receivedAt: startText,
    duplicate: false,
  });
  expect(await bus.event(answer.id)).toEqual({
    id: answer.id,
    agentId: bus.agent.agentId,
    type: "log.full",
    source: collector.code,
    sourceEventId: "evt-1",
    subject: "app.log",
    depth: 0,
    causationId: "something elsewhere",
    correlationId: "case 7",
    receivedAt: startText,
    routes: [],
    event: { specversion: "1.0", type: "log.full", source: collector.code, ...sent },
  });
  const { event: _, ...summary } = await bus.event(answer.id);
  expect(await bus.as("viewer").call("bus-events.list")).toEqual([summary]);
});

test("secrets are removed from the event and its command before they are stored", async ({
  bus,
}) => {
  await bus.route();
  const token = mintToken("agent", (bytes) => bytes.fill(7));
  const secret = "hunter2-hunter2";
  const { id } = await bus.publish({
    subject: token,
    data: {
      nested: [{ password: secret, note: `uses ${token}` }],
      [token]: [{ apiKeys: [secret] }],
    },
    accesstoken: secret,
    traceparent: `00-${token}`,
    correlationid: token,
    causationid: token,
    // Redaction makes the event longer than the limit.
    datacontenttype: "platform_key_1 ".repeat(13),
  });
  const cut = "platform_agent_[REDACTED]";
  const data = {
    nested: [{ password: "[REDACTED]", note: `uses ${cut}` }],
    [cut]: [{ apiKeys: "[REDACTED]" }],
  };
  const { event, routes, ...summary } = await bus.event(id);
  expect(event).toMatchObject({ data, accesstoken: "[REDACTED]", traceparent: `00-${cut}` });
  expect(summary).toMatchObject({ subject: cut, correlationId: cut, causationId: cut });
  const command = await bus.get(routes[0]?.commandId ?? "");
  expect(command.payload).toEqual({ event });
  const rows = JSON.stringify(await everyRow(bus));
  expect(rows).not.toContain(secret);
  expect(rows).not.toContain(token);
  expect(rows).toContain(cut);
});

test("an event with a secret in its id or type is refused", async ({ bus }) => {
  const token = mintToken("agent", (bytes) => bytes.fill(7));
  for (const event of [{ id: `about ${token}` }, { type: `log.${token}` }]) {
    const [path] = Object.keys(event);
    await expectRefused(bus.publish(event), "VALIDATION_FAILED", {
      issues: [{ path, message: expect.stringContaining("looks like a token") }],
    });
  }
});

describe("the source must be one of the publisher's services", () => {
  test("a service of another agent is forbidden, without details of its events", async ({
    bus,
  }) => {
    const thief = await bus.registerAgent("edge-2");
    await bus.publish({ id: "1" });
    for (const id of ["1", "2"]) {
      await expectRefused(bus.publish({ id }, thief), "CAPSULE_SOURCE_FORBIDDEN");
    }
    expect((await bus.as("viewer").page("bus-events.list")).pagination.total).toBe(1);
  });

  test("the agent in the path must be the caller", async ({ bus }) => {
    const other = await bus.registerAgent("edge-2");
    await expectRefused(bus.publish({}, { ...bus.agent, agentId: other.agentId }), "FORBIDDEN");
  });
});

describe("an event with the same source and id is the same event", () => {
  test("publishing it again returns the first response and stores nothing", async ({ bus }) => {
    await bus.route();
    const first = await bus.publish({ id: "1", data: "first" });
    bus.clock.advance(1000);
    const again = await bus.publish({ id: "1", type: "log.other", data: "second" });
    expect(again).toEqual({ ...first, duplicate: true });
    expect((await bus.event(first.id)).event.data).toBe("first");
    expect(await bus.countCommands()).toBe(1);
    expect(await bus.auditOf(first.id)).toEqual(["bus.event.received", "bus.event.duplicate"]);
  });

  test("the same id from another source is another event", async ({ bus }) => {
    await bus.report([collector, { ...collector, code: "second" }]);
    const { id } = await bus.publish({ id: "1" });
    const other = await bus.publish({ id: "1", source: "second" });
    expect(other).toMatchObject({ duplicate: false });
    expect(other.id).not.toBe(id);
  });

  test("50 concurrent requests create one event and one command", async () => {
    const bus = await openBus();
    await bus.route();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => bus.publish({ id: "one and only" })),
    );
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await bus.as("viewer").page("bus-events.list")).pagination.total).toBe(1);
    expect(await bus.countCommands()).toBe(1);
  });
});

describe("depth: an event can cause one more level of events", () => {
  test("an event gets the depth of its cause and one more, or is refused", async ({ bus }) => {
    await bus.route();
    const commandOf = async (id: string) => (await bus.event(id)).routes[0]?.commandId ?? "";
    const first = await bus.publish({ id: "first" });
    const command = await commandOf(first.id);
    const second = await bus.publish({ id: "second", causationid: command });
    await bus.cancel(command);
    const params = { commandId: command };
    const retried = await bus.as("operator").call("commands.retry", { params });
    const causes: [what: string, causationid: string | undefined, depth: number | null][] = [
      ["nothing", undefined, 0],
      ["an unknown id", "elsewhere", 0],
      ["an event, by the server's id", first.id, 1],
      ["an event, by the publisher's id", "first", 1],
      ["a command of the bus", command, 1],
      ["a person's retry of that command", retried.command!.id, 0],
      ["an event of depth 1, by the server's id", second.id, null],
      ["an event of depth 1, by the publisher's id", "second", null],
      ["the command of an event of depth 1", await commandOf(second.id), null],
    ];
    for (const [what, causationid, depth] of causes) {
      const [events, commands] = [await countEvents(bus), await bus.countCommands()];
      const publishing = bus.publish({ id: what, ...(causationid ? { causationid } : {}) });
      if (depth !== null) expect((await publishing).depth, what).toBe(depth);
      else await expectRefused(publishing, "BUS_DEPTH_EXCEEDED", { depth: 2, maxDepth: 1 });
      const added = depth === null ? 0 : 1;
      expect(await countEvents(bus), what).toBe(events + added);
      expect(await bus.countCommands(), what).toBe(commands + added);
    }
  });

  test("if several events have the cause's id, the greatest depth counts", async ({ bus }) => {
    await bus.report([collector, { ...collector, code: "second" }]);
    const { id } = await bus.publish({ id: "1" });
    await bus.publish({ id: "1", source: "second", causationid: id });
    await expectRefused(bus.publish({ causationid: "1" }), "BUS_DEPTH_EXCEEDED");
  });

  test("a command still counts after its event was deleted", async () => {
    const bus = await openBus({ BUS_EVENT_RETENTION_DAYS: "1" });
    await bus.route();
    const { id } = await bus.publish();
    const causationid = (await bus.event(id)).routes[0]?.commandId ?? "";
    bus.clock.advance(dayMs + 1000);
    await bus.beat();
    expect((await sweep(bus.app.core)).busEventsPruned).toBe(1);
    expect((await bus.publish({ causationid })).depth).toBe(1);
  });
});

test("a refusal is audited with its reason", async ({ bus }) => {
  await bus.publish({ source: "nobody", id: "1", causationid: "x" }).catch(() => undefined);
  expect(await bus.trail({ action: "bus.event.rejected" })).toMatchObject([
    {
      actorType: "AGENT",
      actorName: "edge-1",
      targetType: "bus_event",
      targetId: null,
      result: "DENIED",
      message: "No agent has reported a service nobody.",
      metadata: {
        code: "BUS_SOURCE_NOT_FOUND",
        type: "log.full",
        source: "nobody",
        sourceEventId: "1",
        causationid: "x",
      },
    },
  ]);
});

describe("an operator publishes as the service's agent", () => {
  test("follows the same rules and sees the outcome", async ({ bus }) => {
    const routeId = await bus.route();
    const body = { type: "log.full", source: collector.code, id: "1" };
    const operator = bus.as("operator");
    const published = await operator.call("bus-events.publish", { body });
    expect(published).toMatchObject({
      agentId: bus.agent.agentId,
      duplicate: false,
      routes: [{ routeId, outcome: "COMMAND_CREATED" }],
    });
    const { duplicate: _, ...stored } = published;
    expect(await bus.event(published.id)).toEqual(stored);
    const again = await operator.call("bus-events.publish", { body });
    expect(again).toEqual({ ...published, duplicate: true });
    expect(await bus.publish({ id: "1" })).toMatchObject({ id: published.id, duplicate: true });
    const rows = await bus.trail({ targetId: published.id });
    expect(rows.map(({ action, actorName }) => `${action} ${actorName}`)).toEqual([
      "bus.event.duplicate edge-1",
      "bus.event.duplicate operator key",
      "bus.event.received operator key",
    ]);
  });

  test("needs an existing service, whichever agent owns it", async ({ bus }) => {
    const body = { type: "log.full", source: "nobody" };
    const call = bus.as("operator").call("bus-events.publish", { body });
    await expectRefused(call, "BUS_SOURCE_NOT_FOUND");
    const other = await bus.registerAgent("edge-2", [{ ...collector, code: "second" }]);
    const published = await bus
      .as("operator")
      .call("bus-events.publish", { body: { ...body, source: "second" } });
    expect(published.agentId).toBe(other.agentId);
  });
});

describe("the list", () => {
  test("lists have the newest event first and accept each filter", async ({ bus }) => {
    const second = await bus.registerAgent("edge-2", [{ ...collector, code: "second" }]);
    const routeId = await bus.route({ match: { type: "log.*" }, state: "DRY_RUN" });
    const minute = () => bus.clock.advance(60_000);
    await bus.publish({ id: "a" });
    minute();
    await bus.publish({ id: "b", source: "second" }, second);
    minute();
    await bus.publish({ id: "c", type: "disk.full" });
    minute();
    await bus.publish({ id: "d", type: "log.empty" });
    const at = (minutes: number) => new Date(startOfTime + minutes * 60_000).toISOString();
    const cases: [query: object, ids: string][] = [
      [{}, "dcba"],
      [{ type: "log.full" }, "ba"],
      [{ type: "log" }, ""],
      [{ source: "second" }, "b"],
      [{ agentId: bus.agent.agentId }, "dca"],
      [{ routeId }, "dba"],
      [{ routeId, type: "log.full" }, "ba"],
      [{ routeId, source: "second", agentId: second.agentId }, "b"],
      [{ routeId, from: at(1) }, "db"],
      [{ routeId: "brt_none" }, ""],
      [{ from: at(1) }, "dcb"],
      [{ to: at(1) }, "a"],
      [{ from: at(1), to: at(3) }, "cb"],
      [{ source: collector.code, from: at(1) }, "dc"],
      [{ pageSize: 3, page: 2 }, "a"],
      [{ routeId, pageSize: 2, page: 2 }, "a"],
    ];
    for (const [query, ids] of cases) {
      const { data, pagination } = await bus.as("viewer").page("bus-events.list", { query });
      expect([query, data.map(({ sourceEventId }) => sourceEventId).join("")]).toEqual([
        query,
        ids,
      ]);
      if (!("page" in query)) expect([query, pagination.total]).toEqual([query, ids.length]);
    }
    const { data } = await bus.as("viewer").page("bus-events.list", { query: { pageSize: 1 } });
    expect(data[0]).toMatchObject({ type: "log.empty", routes: [{ routeId, outcome: "DRY_RUN" }] });
    expect(data[0]).not.toHaveProperty("event");
  });
});

async function countEvents({ as }: Awaited<ReturnType<typeof openBus>>): Promise<number> {
  return (await as("viewer").page("bus-events.list")).pagination.total;
}
