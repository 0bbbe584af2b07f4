// The order of every list that can be sorted, compared with sorting all its rows.

import { describe, expect, test } from "vitest";
import { type NounName, nouns } from "../../../src/api/contract/nouns.ts";
import { byUrgency } from "../../../src/domain/fleet/health-map.ts";
import { openTestApp } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { askIn, somePolicy, userIn } from "../approvals/requested.ts";
import { registering } from "../registering.ts";

type Row = Record<string, unknown> & { id: string };

/** Opens lists in which some rows have equal values, and some have no value. */
async function openLists() {
  const app = openTestApp({ CAPSULE_BUS_ENABLED: "true" });
  const { invite, register } = registering(app);
  const owner = app.as("owner");
  for (const [at, code] of ["b-2", "a_1", "B-1", "ä", "c"].map((each) => `x${each}`).entries()) {
    const agent = { code: `agent-${at}`, mode: at % 2 ? "embedded" : "sidecar" };
    const more = at < 2 ? {} : { name: `Name ${at % 3}`, version: `1.${at % 2}` };
    const service = { code: code.replace("ä", "z"), name: `Service ${code}`, version: `${at % 2}` };
    const health = at === 3 ? { healthStatus: "UP" } : {};
    const services = [{ ...service, ...health, actions: [{ name: "go" }] }];
    await register(await invite(), { ...agent, ...more }, { services });
    const named = at % 2 === 0 ? { name: `Key ${at % 4}` } : {};
    const expiry = at === 1 ? {} : { expiresInSeconds: 100 + (at % 2) };
    await owner.call("registration-tokens.create", { body: { ...named, ...expiry } });
    const role = at % 2 ? "viewer" : "operator";
    await owner.call("api-keys.create", { body: { name: `key-${at % 3}`, role, ...expiry } });
    const user = { username: `${at % 2 ? "u" : "U"}ser-${at}`, password: "correct horse battery" };
    const displayName = at < 2 ? null : `User ${at % 3}`;
    await owner.call("users.create", { body: { ...user, displayName, role } });
    const target = { serviceCode: service.code, action: "go" };
    const route = { name: `route ${9 - at}`, match: { type: "order.placed" }, target };
    await owner.call("bus-routes.create", { body: route });
    const timing = { cron: `${at % 3} 3 * * *`, state: at < 2 ? "PAUSED" : "ENABLED" } as const;
    const scheduled = { kind: "action" as const, service: service.code, action: "go" };
    const schedule = { name: `schedule ${7 - at}`, ...timing, target: scheduled };
    await owner.call("schedules.create", { body: schedule });
    const noun = (["agents", "services"] as const)[at % 2] ?? "agents";
    await owner.call("saved-views.create", {
      body: { name: `view ${9 - at}`, noun, shared: true },
    });
    const rollout = { action: "go", services: [service.code] };
    const name = at === 0 ? {} : { name: `rollout ${at % 2}` };
    await owner.call("rollouts.create", { body: { ...rollout, ...name } });
  }
  const [asking, approving] = [await userIn(app, "asking"), await userIn(app, "approving")];
  const policy = { ...somePolicy, expiresAfterSeconds: 600 };
  for (const [at, { id: serviceId }] of (await owner.call("services.list", {})).entries()) {
    const name = `policy ${9 - at}`;
    await owner.call("approval-policies.create", { body: { ...policy, name, order: at % 2 } });
    app.clock.advance(1000);
    const { approvalId } = await askIn({ serviceId }, asking, "go");
    const rejection = { params: { approvalId }, body: { reason: "not now" } };
    if (at > 2) await approving.call("approvals.reject", rejection);
  }
  const { data } = await owner.page("rollouts.list", {});
  await owner.call("rollouts.cancel", { params: { rolloutId: data[2]?.id ?? "" } });
  return app;
}

const shared = perFile(openLists);

async function listed(noun: NounName, query: object): Promise<Row[]> {
  const list = `${noun}.list` as "agents.list";
  return (await shared().as("owner").page(list, { query })).data as unknown as Row[];
}

const sorts = (Object.keys(nouns) as NounName[]).flatMap((noun) =>
  nouns[noun].sorts.map((field) => [noun, field] as const),
);

test.each(sorts)("%s can be sorted by %s", async (noun, field) => {
  const rows = await listed(noun, { pageSize: 200 });
  expect(rows.length).toBeGreaterThanOrEqual(5);
  for (const isDescending of [false, true]) {
    const sort = `${isDescending ? "-" : ""}${field}`;
    const sorted = await listed(noun, { pageSize: 200, sort });
    expect(idsOf(sorted)).toEqual(idsOf(sortedBy(rows, field, isDescending)));
    if (!isDescending) continue;
    const pages = [1, 2, 3].map((page) => listed(noun, { page, pageSize: 2, sort }));
    expect(idsOf((await Promise.all(pages)).flat())).toEqual(idsOf(sorted).slice(0, 6));
  }
});

describe("a list", () => {
  test("has no other order", async () => {
    const calls = ["status", "--code", "toString", "-", "code,name"].map((sort) =>
      expect(listed("agents", { sort })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        details: { issues: [{ path: "sort" }] },
      }),
    );
    await Promise.all(calls);
    await expect(listed("commands", { sort: "createdAt" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  test("is sorted after it is filtered", async () => {
    const rows = await listed("agents", { mode: "sidecar", sort: "-code" });
    expect(rows.map(({ code }) => code)).toEqual(["agent-4", "agent-2", "agent-0"]);
  });
});

/** Sorts `rows`, which begin with the newest. Rows without a value come last. */
function sortedBy(rows: Row[], field: string, isDescending: boolean): Row[] {
  const keyOf = (row: Row) => {
    const value = row[field] ?? null;
    if (field === "status") return byUrgency.indexOf(value as (typeof byUrgency)[number]);
    return field === "username" ? String(value).toLowerCase() : (value as string | null);
  };
  return rows.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return (isDescending ? -1 : 1) * (a < b ? -1 : Number(a > b)) || byAge(one, other, field);
  });

  function byAge(one: Row, other: Row, field: string): number {
    const sign = field === "createdAt" && !isDescending ? 1 : -1;
    return sign * (one.id < other.id ? -1 : Number(one.id > other.id));
  }
}

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
