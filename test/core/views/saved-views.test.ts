import { test as base, describe, expect } from "vitest";
import { nouns } from "../../../src/api/contract/nouns.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Role } from "../../../src/domain/access/principals.ts";
import { maxSavedViewsPerUser } from "../../../src/domain/limits.ts";
import { viewedLists } from "../../../src/domain/saved-views.ts";
import { expectInvalid, expectRefused } from "../refusals.ts";
import { openScene, type Scene } from "../scene.ts";

const test = base.extend("scene", () => openScene());

const view = { name: "offline", noun: "agents", query: { status: "OFFLINE" } } as const;
const shared = { ...view, shared: true };

async function userIn(
  scene: Scene,
  username: string,
  role: Role,
): Promise<Client & { userId: string }> {
  const body = { username, password: "correct horse battery", role };
  const { id: userId } = await scene.as("owner").call("users.create", { body });
  const client = scene.asPrincipal({ kind: "user", userId, username, role, sessionId: "none" });
  return Object.assign(client, { userId });
}

const create = (client: Client, body: object) =>
  client.call("saved-views.create", { body: body as typeof view });

async function namesFor(client: Client, query = {}): Promise<string[]> {
  return (await client.call("saved-views.list", { query })).map(({ name }) => name).sort();
}

test("every list can have views", () => {
  const lists = Object.keys(nouns).filter((noun) => noun !== "saved-views");
  expect([...viewedLists].sort()).toEqual([...lists, "audit-events"].sort());
});

describe("own views", () => {
  test("are seen and changed by their user alone", async ({ scene }) => {
    const ann = await userIn(scene, "ann", "viewer");
    const bob = await userIn(scene, "bob", "owner");
    const { id: viewId, ...created } = await create(ann, view);
    expect(created).toMatchObject({ ...view, shared: false, createdBy: "ann", version: 1 });
    expect(await namesFor(ann)).toEqual(["offline"]);
    for (const other of [
      bob,
      scene.as("owner"),
      scene.asPrincipal({ kind: "local", osUser: "ada" }),
    ]) {
      expect(await namesFor(other)).toEqual([]);
      const params = { viewId };
      await expectRefused(other.call("saved-views.get", { params }), "SAVED_VIEW_NOT_FOUND");
      await expectRefused(other.call("saved-views.delete", { params }), "SAVED_VIEW_NOT_FOUND");
      const body = { ...view, version: 1 };
      await expectRefused(
        other.call("saved-views.update", { params, body }),
        "SAVED_VIEW_NOT_FOUND",
      );
    }
    await create(bob, view);
    await expectRefused(create(ann, view), "SAVED_VIEW_NAME_TAKEN");
  });

  test("need a user", async ({ scene }) => {
    await expectInvalid(create(scene.as("owner"), view), "shared");
    await expectInvalid(
      create(scene.asPrincipal({ kind: "local", osUser: "ada" }), view),
      "shared",
    );
  });

  test("are deleted with their user", async ({ scene }) => {
    const ann = await userIn(scene, "ann", "viewer");
    await create(ann, view);
    await scene.as("owner").call("users.delete", { params: { userId: ann.userId } });
    expect(await scene.count("saved_views")).toBe(0);
  });

  test("are limited, and their audit rows are summarized", async ({ scene }) => {
    const ann = await userIn(scene, "ann", "viewer");
    for (let at = 0; at < maxSavedViewsPerUser; at++)
      await create(ann, { ...view, name: `v${at}` });
    await expectInvalid(create(ann, view), "");
    const rows = await scene.trail({ action: "saved_view.created", pageSize: 200 });
    expect(rows.length).toBeLessThan(50);
  });
});

describe("shared views", () => {
  test("are seen by everybody and changed by operators", async ({ scene }) => {
    const viewer = await userIn(scene, "ann", "viewer");
    await expectRefused(create(viewer, shared), "FORBIDDEN");
    const { id: viewId } = await create(scene.as("operator"), shared);
    await create(viewer, view);
    expect(await namesFor(viewer)).toEqual(["offline", "offline"]);
    expect(await namesFor(viewer, { shared: "true" })).toEqual(["offline"]);
    const params = { viewId };
    const body = { ...shared, name: "x", version: 1 };
    await expectRefused(viewer.call("saved-views.update", { params, body }), "FORBIDDEN");
    await expectRefused(viewer.call("saved-views.delete", { params }), "FORBIDDEN");
    const operator = scene.as("operator");
    expect(await operator.call("saved-views.update", { params, body })).toMatchObject({
      name: "x",
      version: 2,
    });
    await expectRefused(
      operator.call("saved-views.update", { params, body: { ...body, name: "y" } }),
      "VERSION_CONFLICT",
    );
    await operator.call("saved-views.delete", { params });
    expect(await scene.auditOf(viewId)).toEqual([
      "saved_view.created",
      "saved_view.updated",
      "saved_view.deleted",
    ]);
  });

  test("can become somebody's own, and no longer belong to a set then", async ({ scene }) => {
    const bob = await userIn(scene, "bob", "operator");
    const document = { kind: "SavedView" as const, ...view };
    const documents = [{ file: "a.yaml", digest: "0".repeat(64), document }];
    const { changes } = await bob.call("declarations.apply", { body: { documents } });
    const params = { viewId: changes[0]!.id! };
    const body = { ...view, shared: false, version: 1 };
    const own = await bob.call("saved-views.update", { params, body });
    expect(own).toMatchObject({ shared: false });
    expect(own).not.toHaveProperty("declared");
    expect(await namesFor(scene.as("owner"))).toEqual([]);
  });
});

test.for<[object, string]>([
  [{ ...shared, query: { stauts: "x" } }, "query.stauts"],
  [{ ...shared, query: { sort: "colour" } }, "query.sort"],
  [{ ...shared, noun: "audit-events", query: { sort: "at" } }, "query.sort"],
  [{ ...shared, noun: "commands", query: { from: "soon" } }, "query.from"],
  [{ ...shared, noun: "saved-views" }, "noun"],
])("%j is invalid", async ([body, path], { scene }) => {
  await expectInvalid(create(scene.as("operator"), body), path);
});
