// What the API says about where an object is declared. (docs/guides/declarations.md)

import { test as base, describe, expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import type { DeclaredIn } from "../../../src/domain/declarations.ts";
import { openScene, type Scene } from "../scene.ts";
import { type ApplyBody, apply, examples, redactedSchedule, requestOf, said } from "./declaring.ts";

const test = base.extend("scene", () => openScene({ CAPSULE_BUS_ENABLED: "true" }));

const all = Object.values(examples);
/** The same documents with redacted secrets. Secrets in plain text would count as a change. */
const again = Object.values({ ...examples, Schedule: redactedSchedule });
const lists = [
  "bus-routes.list",
  "saved-views.list",
  "schedules.list",
  "approval-policies.list",
] as const;

/** Returns where the objects are declared, by the name of the route that lists them. */
async function declaredIn(scene: Scene) {
  const owner = scene.as("owner");
  const found = new Map<string, DeclaredIn | null>();
  for (const name of lists) {
    for (const item of await owner.call(name as "schedules.list")) {
      const route = name.replace("list", "get") as "schedules.get";
      const params = { scheduleId: item.id, routeId: item.id, viewId: item.id, policyId: item.id };
      expect((await owner.call(route, { params })).declaredIn).toEqual(item.declaredIn);
      found.set(name, item.declaredIn);
    }
  }
  return found;
}

/** Applies the documents as if they were all in this file. */
function applyFrom(
  client: Client,
  file: string,
  documents: readonly object[] = all,
  more: Partial<ApplyBody> = {},
) {
  const request = requestOf(documents).documents.map((each) => ({ ...each, file }));
  return apply(client, documents, { ...more, documents: request });
}

describe("an object that an apply has made", () => {
  test("names its set and file, also after the file was renamed", async ({ scene }) => {
    const owner = scene.as("owner");
    await applyFrom(owner, "all.yaml");
    const before = await declaredIn(scene);
    expect([...before.keys()]).toEqual(lists);
    expect([...before.values()]).toEqual(lists.map(() => ({ set: "default", file: "all.yaml" })));

    const rows = (await scene.trail({ pageSize: 200 })).length;
    const renaming = await applyFrom(owner, "deploy/all.yaml", again);
    expect(new Set(said(renaming).map((line) => line.split(" ")[0]))).toEqual(
      new Set(["unchanged"]),
    );
    const after = await declaredIn(scene);
    const renamed = { set: "default", file: "deploy/all.yaml" };
    expect([...after.values()]).toEqual(lists.map(() => renamed));
    expect((await scene.trail({ pageSize: 200 })).length).toBe(rows);
    expect((await owner.call("bus-routes.list"))[0]?.version).toBe(1);
    const hasWritten = scene.watchWrites();
    await applyFrom(owner, "deploy/all.yaml", again);
    expect(hasWritten()).toBe(false);
  });

  test("stays in its set when it is changed by hand, and one made by hand is in none", async ({
    scene,
  }) => {
    const operator = scene.as("operator");
    const { kind: _, ...body } = examples.BusRoute;
    const { id } = await operator.call("bus-routes.create", { body: body as never });
    const params = { routeId: id };
    expect(await operator.call("bus-routes.get", { params })).toMatchObject({ declaredIn: null });
    await applyFrom(operator, "routes.yaml", [examples.BusRoute]);
    const changed = { ...body, state: "DISABLED", version: 2 };
    await operator.call("bus-routes.update", { params, body: changed as never });
    expect(await operator.call("bus-routes.get", { params })).toMatchObject({
      state: "DISABLED",
      declaredIn: { set: "default", file: "routes.yaml" },
      declared: "default",
    });
  });
});

test("settings name where they are declared, until their set leaves them out", async ({
  scene,
}) => {
  const owner = scene.as("owner");
  const declaredIn = async () => (await owner.call("settings.get")).declaredIn;
  const declare = (settings: object, file: string, set = "default") =>
    applyFrom(owner, file, [{ kind: "Settings", settings }], { set });
  expect(await declaredIn()).toEqual({});
  // The second setting has the configured value, so nothing is stored for it.
  const { auditRetentionDays } = (await owner.call("settings.get")).configured;
  await declare({ workspaceName: "Prod", auditRetentionDays }, "one.yaml");
  const one = { set: "default", file: "one.yaml" };
  expect(await declaredIn()).toEqual({ workspaceName: one, auditRetentionDays: one });
  await owner.call("settings.update", { body: { workspaceName: "By hand" } });
  await declare({ commandRetentionDays: 3 }, "two.yaml", "others");
  const two = { set: "others", file: "two.yaml" };
  expect(await declaredIn()).toEqual({
    ...{ workspaceName: one, auditRetentionDays: one, commandRetentionDays: two },
  });
  await declare({ workspaceName: "Prod" }, "one.yaml");
  expect(await declaredIn()).toEqual({ workspaceName: one, commandRetentionDays: two });
  await applyFrom(owner, "rest.yaml", [examples.SavedView]);
  expect(await declaredIn()).toEqual({ workspaceName: one, commandRetentionDays: two });
  // An operator may not change what the set declares about settings.
  await applyFrom(scene.as("operator"), "rest.yaml", [examples.SavedView], { prune: true });
  expect(await declaredIn()).toEqual({ workspaceName: one, commandRetentionDays: two });
  await applyFrom(owner, "rest.yaml", [examples.SavedView], { prune: true });
  expect(await declaredIn()).toEqual({ commandRetentionDays: two });
});
