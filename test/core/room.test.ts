// The number of open objects of each kind is limited.

import { expect, test } from "vitest";
import {
  maxActiveRegistrationTokens,
  maxBusRoutes,
  maxOpenApprovals,
  maxOpenRollouts,
  maxSchedules,
  maxSharedViews,
} from "../../src/domain/limits.ts";
import type { Tx } from "../../src/store/database.ts";
import { findApproval, insertApproval } from "../../src/store/tables/approvals/approvals.ts";
import { busRouteRows, findBusRoute } from "../../src/store/tables/bus/bus-routes.ts";
import {
  findRegistrationToken,
  insertRegistrationToken,
} from "../../src/store/tables/fleet/registration-tokens.ts";
import { findRollout, insertRollout } from "../../src/store/tables/rollouts/rollouts.ts";
import { findSavedView, savedViewRows } from "../../src/store/tables/saved-views.ts";
import { findSchedule, scheduleRows } from "../../src/store/tables/schedules/schedules.ts";
import type { TestApp } from "../helpers/app.ts";
import { apply } from "./declarations/declaring.ts";
import { expectRefused } from "./refusals.ts";
import { collector, openScene } from "./scene.ts";

/** Adds copies of an existing object until there are `most`. */
async function fill(app: TestApp, most: number, copy: (tx: Tx, n: number) => Promise<unknown>) {
  await app.database.write(async (tx) => {
    for (let n = 1; n < most; n++) await copy(tx, n);
  });
}

async function expectFull(call: Promise<unknown>, most: number, things: string) {
  await expectRefused(call, "VALIDATION_FAILED");
  await expect(call).rejects.toThrow(`there are already ${most} ${things}, the maximum: `);
}

test("registration tokens that can be used are limited", async () => {
  const app = await openScene();
  const operator = app.as("operator");
  const create = (body = {}) => operator.call("registration-tokens.create", { body });
  const { id } = await create();
  const token = (await findRegistrationToken(app.database.read, id))!;
  await fill(app, maxActiveRegistrationTokens, (tx, n) =>
    insertRegistrationToken(tx, { ...token, id: `rtk_${n}` }, `hash ${n}`),
  );
  await expectFull(create(), maxActiveRegistrationTokens, "active registration tokens");
  await operator.call("registration-tokens.revoke", { params: { tokenId: id } });
  await create({ expiresInSeconds: 60 });
  await expectFull(create(), maxActiveRegistrationTokens, "active registration tokens");
  app.clock.advance(61_000);
  await create();
});

test("rollouts that have not ended are limited", async () => {
  const app = await openScene();
  const operator = app.as("operator");
  const body = { action: "rotate", services: [collector.code] };
  const create = () => operator.call("rollouts.create", { body });
  const { id: rolloutId } = await create();
  const rollout = (await findRollout(app.database.read, rolloutId))!;
  await fill(app, maxOpenRollouts, (tx, n) =>
    insertRollout(tx, { ...rollout, id: `rol_${n}`, state: "PAUSED" }),
  );
  await expectFull(create(), maxOpenRollouts, "open rollouts");
  await operator.call("rollouts.cancel", { params: { rolloutId } });
  await create();
});

test("schedules, made by hand or declared, are limited", async () => {
  const app = await openScene();
  const operator = app.as("operator");
  const named = (name: string) => ({
    name,
    cron: "0 3 * * *",
    timezone: "UTC",
    target: { kind: "action" as const, service: collector.code, action: "rotate" },
  });
  const create = (name: string) => operator.call("schedules.create", { body: named(name) });
  const { id: scheduleId } = await create("first");
  const schedule = (await findSchedule(app.database.read, scheduleId))!;
  await fill(app, maxSchedules - 1, (tx, n) =>
    scheduleRows.insert(tx, { ...schedule, id: `sch_${n}`, name: `copy ${n}` }),
  );
  const documents = ["a", "b"].map((name) => ({ kind: "Schedule", ...named(name) }));
  await expectRefused(apply(operator, documents), "VALIDATION_FAILED", {
    issues: [
      {
        path: "documents.1.document",
        message: "there can be at most 2000 objects of the kind Schedule; delete some first",
      },
    ],
  });
  await create("last");
  await expectFull(create("more"), maxSchedules, "schedules");
  await operator.call("schedules.delete", { params: { scheduleId } });
  await create("more");
});

test("routes of the bus, made by hand or declared, are limited", async () => {
  const app = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const operator = app.as("operator");
  const named = (name: string) => ({
    name,
    match: { type: "disk.full" },
    target: { serviceCode: collector.code, action: "rotate" },
  });
  const create = (name: string) => operator.call("bus-routes.create", { body: named(name) });
  const { id: routeId } = await create("first");
  const route = (await findBusRoute(app.database.read, routeId))!;
  await fill(app, maxBusRoutes, (tx, n) =>
    busRouteRows.insert(tx, { ...route, id: `brt_${n}`, name: `copy ${n}` }),
  );
  await expectFull(create("more"), maxBusRoutes, "routes");
  const declared = { kind: "BusRoute", ...named("declared") };
  await expectRefused(apply(operator, [declared]), "VALIDATION_FAILED", {
    issues: [
      {
        path: "documents.0.document",
        message: "there can be at most 500 objects of the kind BusRoute; delete some first",
      },
    ],
  });
  await operator.call("bus-routes.delete", { params: { routeId } });
  await create("more");
});

test("shared views, made by hand or declared, are limited", async () => {
  const app = await openScene();
  const operator = app.as("operator");
  const named = (name: string) => ({ name, noun: "agents", query: {}, shared: true }) as const;
  const create = (name: string) => operator.call("saved-views.create", { body: named(name) });
  const { id: viewId } = await create("first");
  const view = (await findSavedView(app.database.read, viewId))!;
  await fill(app, maxSharedViews, (tx, n) =>
    savedViewRows.insert(tx, { ...view, id: `vew_${n}`, name: `copy ${n}` }),
  );
  await expectFull(create("more"), maxSharedViews, "shared views");
  const declared = { kind: "SavedView", ...named("declared") };
  await expectRefused(apply(operator, [declared]), "VALIDATION_FAILED", {
    issues: [
      {
        path: "documents.0.document",
        message: "there can be at most 500 objects of the kind SavedView; delete some first",
      },
    ],
  });
  await operator.call("saved-views.delete", { params: { viewId } });
  await create("more");
});

test("open requests of one requester are limited", async () => {
  const app = await openScene({}, [
    { ...collector, actions: [{ name: "rotate", dangerLevel: "HIGH", prepare: false }] },
  ]);
  const owner = app.as("owner");
  const policy = { name: "high", dangerLevel: "HIGH", approvers: { role: "operator" } } as const;
  await owner.call("approval-policies.create", { body: policy as never });
  const user = (username: string) =>
    owner.call("users.create", { body: { username, password: "correct horse b", role: "owner" } });
  const as = ({ id: userId, username }: { id: string; username: string }) =>
    app.asPrincipal({ kind: "user", userId, username, role: "owner", sessionId: "" });
  const [ann, ben] = [as(await user("ann")), as(await user("ben"))];
  const params = { serviceId: app.serviceId, actionName: "rotate" };
  const ask = async (client = ann) => {
    const asked = await client.call("actions.execute", { params, body: { confirmation: true } });
    return { approvalId: asked.approval!.id };
  };
  const first = await ask();
  const approval = (await findApproval(app.database.read, first.approvalId))!;
  await fill(app, maxOpenApprovals, (tx, n) =>
    insertApproval(tx, { ...approval, id: `apr_${n}`, expiresAt: approval.expiresAt + n }),
  );
  await expectFull(ask(), maxOpenApprovals, "open requests of this requester");
  await ask(ben);
  await ann.call("approvals.withdraw", { params: first, body: {} } as never);
  await ask();
});
