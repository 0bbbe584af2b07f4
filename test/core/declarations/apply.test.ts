import { test as base, describe, expect, onTestFinished, vi } from "vitest";
import { scheduleKind } from "../../../src/core/declarations/kinds/schedule.ts";
import { AppError } from "../../../src/domain/errors.ts";
import { everyRow, refuseRows } from "../../helpers/stored.ts";
import { beforeNextWrite } from "../../helpers/wrapped-writes.ts";
import { expectRefused } from "../refusals.ts";
import { openScene, type Scene } from "../scene.ts";
import { apply, examples, preview, redactedSchedule, said } from "./declaring.ts";

const test = base.extend("scene", () => openScene({ CAPSULE_BUS_ENABLED: "true" }));

const all = Object.values(examples);
const { BusRoute: route, SavedView: view, Settings: settings } = examples;
const named = (name: string, more: object = {}) => ({ ...route, name, ...more });

/** Returns the audit rows about objects that can be declared, oldest first. */
async function changesIn(scene: Scene) {
  const rows = await scene.trail({ pageSize: 200 });
  return rows
    .filter(({ action }) => /^(bus\.route|saved_view|settings|schedule|policy)\./.test(action))
    .reverse();
}

describe("an apply", () => {
  test("creates every kind, and shows it in its declared form", async ({ scene }) => {
    const applied = await apply(scene.as("owner"), all);
    expect(said(applied)).toEqual([
      "created BusRoute rotate",
      "created SavedView offline",
      "updated Settings settings",
      "created Schedule nightly",
      "created ApprovalPolicy production",
    ]);
    for (const [at, { after, kind }] of applied.changes.entries()) {
      if (kind === "Schedule") continue;
      const { kind: _, ...form } = all[at]!;
      expect(after).toEqual(form);
    }
    expect(JSON.stringify(applied)).not.toContain("hunter2");
  });

  test("repeated, changes nothing and writes no audit row", async ({ scene }) => {
    const owner = scene.as("owner");
    await apply(owner, all);
    const before = (await scene.trail({ pageSize: 200 })).length;
    const redacted = { ...examples, Schedule: redactedSchedule };
    const again = await apply(owner, Object.values(redacted), { prune: true });
    expect(new Set(again.changes.map(({ change }) => change))).toEqual(new Set(["unchanged"]));
    expect((await scene.trail({ pageSize: 200 })).length).toBe(before);
    const { version } = (await owner.call("bus-routes.list"))[0]!;
    expect(version).toBe(1);
  });

  test("audits each change with its file and digest", async ({ scene }) => {
    await apply(scene.as("owner"), all);
    await apply(scene.as("operator"), [named("rotate", { state: "ENABLED" })]);
    const rows = await changesIn(scene);
    expect(rows.map(({ action }) => action)).toEqual([
      "settings.updated",
      "policy.created",
      "saved_view.created",
      "bus.route.created",
      "schedule.created",
      "bus.route.updated",
    ]);
    for (const { metadata } of rows) {
      expect(metadata.declared).toEqual({
        set: "default",
        file: expect.stringMatching(/^file-\d\.yaml$/),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
  });

  test("updates and adopts what exists, and keeps its id", async ({ scene }) => {
    const operator = scene.as("operator");
    const { kind: _, ...body } = route;
    const { id } = await operator.call("bus-routes.create", { body: body as never });
    const adopted = await apply(operator, [route]);
    expect(adopted.changes).toMatchObject([{ change: "adopted", id, before: null, after: null }]);
    expect(await operator.call("bus-routes.get", { params: { routeId: id } })).toMatchObject({
      declared: "default",
      version: 2,
    });
    const updated = await apply(operator, [{ ...route, state: "ENABLED" }]);
    expect(updated.changes).toMatchObject([
      { change: "updated", id, before: { state: "DRY_RUN" }, after: { state: "ENABLED" } },
    ]);
  });

  test("stores every change of a document", async ({ scene }) => {
    const owner = scene.as("owner");
    await apply(owner, all);
    const { payload: _, ...bare } = { ...route, match: { type: "log.full" } };
    const changed = [{ ...view, query: {} }, bare];
    await apply(owner, changed);
    expect(said(await apply(owner, changed))).toEqual([
      "unchanged SavedView offline",
      "unchanged BusRoute rotate",
    ]);
  });

  test("does not touch settings that no document names", async ({ scene }) => {
    const owner = scene.as("owner");
    await owner.call("settings.update", { body: { commandRetentionDays: 7 } });
    await apply(owner, [settings]);
    expect((await owner.call("settings.get")).settings).toMatchObject({
      workspaceName: "Prod",
      commandRetentionDays: 7,
    });
    const configured = { kind: "Settings", settings: { commandRetentionDays: null } };
    await apply(owner, [configured]);
    expect((await owner.call("settings.get")).changed).not.toContain("commandRetentionDays");
    expect(said(await apply(owner, [configured]))).toEqual(["unchanged Settings settings"]);
  });

  test("compares again if the stored objects change before its transaction", async ({ scene }) => {
    const owner = scene.as("owner");
    const viewId = (await apply(owner, [view])).changes[0]?.id ?? "";
    beforeNextWrite(scene.database, () => owner.call("saved-views.delete", { params: { viewId } }));
    const { changes } = await apply(owner, [{ ...view, query: {} }, route]);
    expect(changes.map(({ change }) => change)).toEqual(["created", "created"]);
  });

  test("does exactly what was previewed, or nothing", async ({ scene }) => {
    const operator = scene.as("operator");
    const { plan } = await preview(operator, [route]);
    await apply(operator, [named("other")], { set: "others" });
    expect(said(await apply(operator, [route], { plan }))).toEqual(["created BusRoute rotate"]);
    const changing = [{ ...route, state: "ENABLED" }];
    const seen = await preview(operator, changing);
    await apply(operator, [{ ...route, state: "DISABLED" }]);
    await expectRefused(apply(operator, changing, { plan: seen.plan }), "DECLARATIONS_CHANGED");
    expect((await operator.call("bus-routes.list", { query: { q: "rotate" } }))[0]).toMatchObject({
      state: "DISABLED",
    });
  });

  test("warns about what is valid, but cannot work now", async ({ scene }) => {
    const lost = named("lost", { target: { serviceCode: "nowhere", action: "go" } });
    const { changes } = await preview(scene.as("viewer"), [lost, view]);
    expect(changes.map(({ warnings }) => warnings)).toEqual([
      [expect.stringContaining("There is no service nowhere.")],
      [],
    ]);
  });
});

test("two hundred objects are applied together", async ({ scene }) => {
  const operator = scene.as("operator");
  const all = Array.from({ length: 200 }, (_, at) => {
    const target = { serviceCode: "log-collector", action: "rotate" };
    return at % 2
      ? { kind: "SavedView", name: `v${at}`, noun: "agents" }
      : { kind: "BusRoute", name: `r${at}`, match: { type: "a.b" }, target };
  });
  const { changes } = await apply(operator, all);
  expect(changes).toHaveLength(200);
  expect(await scene.count("bus_routes")).toBe(100);
  expect(await scene.count("saved_views")).toBe(100);
});

describe("an apply that fails after its first changes changes nothing", () => {
  /** Updates a view, deletes the route that is missing here, and creates a route and a schedule. */
  const changing = [{ ...view, query: {} }, settings, named("new"), examples.Schedule];
  const applyAll = (scene: Scene) => apply(scene.as("owner"), changing, { prune: true });

  test("if the database refuses a row", async ({ scene }) => {
    await apply(scene.as("owner"), [view, route]);
    const allow = await refuseRows(scene, "INSERT ON schedules");
    const before = await everyRow(scene);
    await expectRefused(applyAll(scene), "INTERNAL_ERROR");
    expect(await everyRow(scene)).toEqual(before);
    await allow();
    expect(said(await applyAll(scene))).toEqual([
      "updated SavedView offline",
      "updated Settings settings",
      "created BusRoute new",
      "created Schedule nightly",
      "deleted BusRoute rotate",
    ]);
  });

  test("if a change is refused that was allowed when it was compared", async ({ scene }) => {
    await apply(scene.as("owner"), [view, route]);
    const before = await everyRow(scene);
    const message = "The schedule nightly already exists.";
    const refused = vi.spyOn(scheduleKind, "create");
    onTestFinished(() => refused.mockRestore());
    refused.mockRejectedValue(new AppError("SCHEDULE_NAME_TAKEN", message));
    await expectRefused(applyAll(scene), "VALIDATION_FAILED", {
      issues: [{ path: "documents.3.document", message }],
    });
    expect(await everyRow(scene)).toEqual(before);
  });
});

test("an apply does not fail because of a warning, because its changes are committed", async ({
  scene,
}) => {
  const failing = vi.spyOn(scheduleKind, "warningsOf");
  onTestFinished(() => failing.mockRestore());
  failing.mockRejectedValue(new AppError("UNAVAILABLE", "A process that reads has ended."));
  await expectRefused(preview(scene.as("owner"), [examples.Schedule]), "UNAVAILABLE");
  expect(await apply(scene.as("owner"), [examples.Schedule])).toMatchObject({
    changes: [{ change: "created", warnings: [expect.stringContaining("not be determined")] }],
  });
});

describe("a preview", () => {
  test("shows the changes and writes nothing", async ({ scene }) => {
    const owner = scene.as("owner");
    const hasWritten = scene.watchWrites();
    const seen = await preview(owner, all, { prune: true });
    expect(hasWritten()).toBe(false);
    const applied = await apply(owner, all, { prune: true, plan: seen.plan });
    expect(said(seen)).toEqual(said(applied));
    expect(seen.plan).toBe(applied.plan);
  });
});

describe("prune", () => {
  test("deletes only what this set declared before", async ({ scene }) => {
    const owner = scene.as("owner");
    const { kind: _, ...byHand } = named("by hand");
    await owner.call("bus-routes.create", { body: byHand as never });
    await apply(owner, [named("elsewhere")], { set: "others" });
    await apply(owner, all);
    expect(said(await apply(owner, [view]))).toEqual(["unchanged SavedView offline"]);
    const pruned = await apply(owner, [view], { prune: true });
    expect(said(pruned)).toEqual([
      "unchanged SavedView offline",
      "deleted ApprovalPolicy production",
      "deleted BusRoute rotate",
      "deleted Schedule nightly",
    ]);
    expect(pruned.changes[2]).toMatchObject({
      before: { name: "rotate" },
      after: null,
      file: null,
    });
    const left = await owner.call("bus-routes.list");
    expect(left.map(({ name }) => name).sort()).toEqual(["by hand", "elsewhere"]);
    const row = (await changesIn(scene)).find(({ action }) => action === "bus.route.deleted");
    expect(row?.metadata.declared).toEqual({ set: "default" });
    expect((await owner.call("settings.get")).settings.workspaceName).toBe("Prod");
  });

  test("deletes nothing if one object cannot be deleted", async ({ scene }) => {
    await apply(scene.as("owner"), [view, examples.Schedule]);
    const refused = vi.spyOn(scheduleKind, "delete");
    onTestFinished(() => refused.mockRestore());
    refused.mockRejectedValue(new AppError("DECLARATIONS_CHANGED", "It has changed."));
    const before = await everyRow(scene);
    await expectRefused(apply(scene.as("owner"), [], { prune: true }), "DECLARATIONS_CHANGED");
    expect(await everyRow(scene)).toEqual(before);
  });

  test("keeps what was changed by hand, as long as it is declared", async ({ scene }) => {
    const operator = scene.as("operator");
    const { changes } = await apply(operator, [route]);
    const params = { routeId: changes[0]!.id! };
    const { kind: _, ...body } = { ...route, version: 1, state: "DISABLED" as const };
    await operator.call("bus-routes.update", { params, body: body as never });
    expect(said(await apply(operator, [route]))).toEqual(["updated BusRoute rotate"]);
    expect(said(await apply(operator, [], { prune: true }))).toEqual(["deleted BusRoute rotate"]);
  });
});

describe("roles", () => {
  test.for([
    ["viewer", "BusRoute", "preview"],
    ["operator", "BusRoute", "apply"],
    ["operator", "Schedule", "apply"],
  ] as const)("a %s may declare a %s: %s", async ([role, kind, purpose], { scene }) => {
    const { changes } = await { preview, apply }[purpose](scene.as(role), [examples[kind]]);
    expect(changes[0]).toMatchObject({ kind, change: "created" });
  });

  test.for([
    ["viewer", "BusRoute", "apply"],
    ["viewer", "Settings", "preview"],
    ["operator", "Settings", "apply"],
    ["operator", "ApprovalPolicy", "apply"],
  ] as const)("a %s may not declare %s: %s", async ([role, kind, purpose], { scene }) => {
    const hasWritten = await changesIn(scene);
    await expectRefused({ preview, apply }[purpose](scene.as(role), [examples[kind]]), "FORBIDDEN");
    expect(await changesIn(scene)).toEqual(hasWritten);
    const [denied] = await scene.trail({ action: "access.denied" });
    expect(denied).toMatchObject({ targetId: `declarations.${purpose}`, result: "DENIED" });
  });

  test("an operator cannot prune the policies of an owner", async ({ scene }) => {
    await apply(scene.as("owner"), [examples.ApprovalPolicy]);
    await expectRefused(apply(scene.as("operator"), [route], { prune: true }), "FORBIDDEN");
    expect(await scene.count("approval_policies")).toBe(1);
    expect(await scene.count("bus_routes")).toBe(0);
  });
});
