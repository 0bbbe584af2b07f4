// Lists that are too long to be counted have a lower bound as their total.

import { expect } from "vitest";
import { commandTypes } from "../../src/domain/commands/commands.ts";
import { openTestApp } from "../helpers/app.ts";
import { perFile } from "../helpers/lifetime.ts";
import { generateLists, serviceIds } from "../store/generated-lists.ts";
import { expectRefused } from "./refusals.ts";
import { test as base } from "./scene.ts";

const test = base.extend("long", () => long());

const sizes = { auditEvents: 10_500, commands: 10_100, busEvents: 10_050 };

const openLong = async (generated = sizes) => {
  const app = openTestApp({ CAPSULE_BUS_ENABLED: "true" });
  await generateLists(app, generated);
  return { app, viewer: app.as("viewer") };
};
const long = perFile(() => openLong());

test("totals above 10,000 are lower bounds", async ({ long: { viewer } }) => {
  const commands = await viewer.page("commands.list", { query: { type: [...commandTypes] } });
  expect(commands.pagination).toMatchObject({ total: 10_001, totalIsLowerBound: true });
  const events = await viewer.page("bus-events.list", { query: { source: "service-3" } });
  expect(events.pagination).toEqual({
    page: 1,
    pageSize: 20,
    total: 1_005,
    next: expect.stringMatching(/^\d+\.bev_\d+$/),
  });
  const audited = await viewer.page("audit-events.list");
  expect(audited.pagination).toMatchObject({ total: 10_500 });
  expect(audited.pagination.totalIsLowerBound).toBeUndefined();
});

test.for([
  [
    "audit-events.list",
    { actorType: "AGENT", result: "FAILURE" },
    (row: { seq: number }) => row.seq,
  ],
  ["commands.list", { serviceId: serviceIds[3] }, (row: { id: string }) => row.id],
  ["bus-events.list", { to: "2026-01-01T00:20:00Z" }, (row: { id: string }) => row.id],
] as const)(
  "%s with %j visits each row once if each request uses before=next",
  async ([name, filter, keyOf], { long: { viewer } }) => {
    const keys: (string | number)[] = [];
    let before: string | undefined;
    do {
      const query = { ...filter, pageSize: 200, ...(before ? { before } : {}) };
      const { data, pagination } = await viewer.page(name, { query: query as never });
      keys.push(...data.map((row) => keyOf(row as never)));
      before = pagination.next;
    } while (before !== undefined);
    expect(keys.length).toBeGreaterThan(100);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? 1 : -1)));
  },
);

test("a long search reports how far it has searched", async ({ long: { viewer } }) => {
  const query = { action: "command.*", targetType: "service" };
  const { data, pagination } = await viewer.page("audit-events.list", { query });
  expect(data).toEqual([]);
  expect(pagination).toMatchObject({ total: 0, totalIsLowerBound: true });
  expect(pagination.searchedTo).toMatch(/^2026-01-01T0[012]:/);
  const next = { ...query, before: pagination.next! };
  const rest = await viewer.page("audit-events.list", { query: next });
  expect(rest.pagination).toEqual({ page: 1, pageSize: 20, total: 0 });
});

test("in a list after a row, `next` leads to all matches", async () => {
  const { app, viewer } = await openLong({ ...sizes, commands: 0, busEvents: 0 });
  const made = () => app.as("operator").call("registration-tokens.create", { body: {} });
  for (let n = 0; n < 3; n++) await made();
  const filter = { action: "registration_token.created", targetType: "registration_token" };
  const list = (afterSeq: number) =>
    viewer.page("audit-events.list", { query: { ...filter, afterSeq, pageSize: 2 } });
  const first = await list(0);
  expect(first.data).toEqual([]);
  expect(first.pagination).toMatchObject({ total: 0, totalIsLowerBound: true, next: "10000" });
  expect(first.pagination.searchedTo).toMatch(/^2026-01-01T\d\d:/);
  const second = await list(Number(first.pagination.next));
  expect(second.data.map(({ seq }) => seq)).toEqual([10_501, 10_502]);
  expect(second.pagination).toMatchObject({ next: "10502" });
  expect(second.pagination.searchedTo).toBeUndefined();
  const third = await list(Number(second.pagination.next));
  expect(third.data.map(({ seq }) => seq)).toEqual([10_503]);
  expect(third.pagination).toEqual({ page: 1, pageSize: 2, total: 1 });
});

test("without a filter, `next` leads to the end", async ({ long: { viewer } }) => {
  const query = { afterSeq: 10_100, pageSize: 200 };
  const { data, pagination } = await viewer.page("audit-events.list", { query });
  expect(data).toHaveLength(200);
  expect(pagination).toEqual({ page: 1, pageSize: 200, total: 400, next: "10300" });
  const rest = await viewer.page("audit-events.list", { query: { ...query, afterSeq: 10_300 } });
  expect(rest.pagination).toEqual({ page: 1, pageSize: 200, total: 200 });
});

test.each([
  ["audit-events.list", { page: 501, pageSize: 20 }],
  ["audit-events.list", { page: 51, pageSize: 200, afterSeq: 1 }],
  ["commands.list", { page: 1_000_000, pageSize: 200 }],
  ["bus-events.list", { page: 10_001, pageSize: 1 }],
] as const)("%s with %j is refused with a hint", async (name, query) => {
  const viewer = openTestApp({ CAPSULE_BUS_ENABLED: "true" }).as("viewer");
  const error = await viewer.page(name, { query }).catch((reason) => reason);
  expect(error).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { issues: [{ path: "page", message: expect.stringContaining("before=") }] },
  });
});

test.for(["x", `1.${"9".repeat(20)}`])("before=%j is refused", async (before, { app: { as } }) => {
  const list = as("viewer").page("audit-events.list", { query: { before } });
  await expectRefused(list, "VALIDATION_FAILED");
});

test.for([
  ["commands.list", { statu: "FAILED" }, "statu", /did you mean status\?/],
  [
    "audit-events.list",
    { from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" },
    "from",
    /after/,
  ],
  ["commands.list", { from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "from", /after/],
] as const)("%s with %j is refused", async ([name, query, path, message], { app: { as } }) => {
  const error = await as("owner")
    .page(name, { query: query as never })
    .catch((reason) => reason);
  expect(error).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { issues: [{ path, message: expect.stringMatching(message) }] },
  });
});
