// API keys: what each role may do, and when keys end.

import { describe, expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import type { KeyRole, Role } from "../../../src/domain/access/principals.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { expectInvalid, expectRefused, outcome } from "../refusals.ts";
import { openScene, test } from "../scene.ts";
import {
  addUser,
  anotherProcess,
  auditOf,
  day,
  hour,
  minute,
  second,
  signIn,
  updateUser,
  withCookie,
  withKey,
} from "./people.ts";

interface Wanted {
  name?: string;
  role?: Role;
  expiresAt?: string | null;
  expiresInSeconds?: number;
}

const create = ({ as }: TestApp, wanted: Wanted = {}) =>
  as("owner").call("api-keys.create", { body: { name: "ci", role: "viewer", ...wanted } });

const revoke = ({ as }: TestApp, keyId: string) =>
  as("owner").call("api-keys.revoke", { params: { keyId } });

/** Returns `in` if the key is accepted, and otherwise the message of the refusal. */
async function use(scene: TestApp, key: string): Promise<string> {
  try {
    await (await withKey(scene, key)).call("auth.me");
    return "in";
  } catch (error) {
    expect(error).toMatchObject({ code: "UNAUTHORIZED" });
    return (error as Error).message;
  }
}

const at = (ms: number) => new Date(ms).toISOString();

describe("a key's expiry", () => {
  test.for<[title: string, wanted: (now: number) => Wanted, lastsMs: number | null]>([
    ["is absent by default", () => ({}), null],
    ["can be a number of seconds", () => ({ expiresInSeconds: 90 }), 90 * second],
    ["can be a time", (now) => ({ expiresAt: at(now + day) }), day],
  ])("%s", async ([_, wanted, lastsMs], { app: scene }) => {
    const { clock } = scene;
    const made = await create(scene, wanted(clock.now()));
    const expiresAt = lastsMs === null ? null : at(clock.now() + lastsMs);
    expect(made).toMatchObject({ status: "ACTIVE", expiresAt });
    clock.advance((lastsMs ?? 3650 * day) - 1);
    expect(await use(scene, made.key)).toBe("in");
    clock.advance(1);
    expect(await use(scene, made.key)).toBe(lastsMs === null ? "in" : "The API key has expired.");
    const { data } = await scene.as("owner").page("api-keys.list");
    expect(data).toMatchObject([{ status: lastsMs === null ? "ACTIVE" : "EXPIRED", expiresAt }]);
  });

  test("is validated", async ({ app: scene }) => {
    const expiresAt = "2026-01-02T03:04:05.678Z";
    await expectInvalid(create(scene, { expiresAt }), "expiresAt");
    const both = { expiresAt: "2027-01-01T00:00:00Z", expiresInSeconds: 60 };
    await expectInvalid(create(scene, both), "expiresAt");
    await expectInvalid(create(scene, { expiresInSeconds: -1 }), "expiresInSeconds");
    expect(await scene.as("owner").call("api-keys.list")).toEqual([]);
  });
});

describe("a revoked key", () => {
  test("is refused at once, and revoking it again changes nothing", async ({ app: scene }) => {
    const { key, id } = await create(scene);
    const other = await create(scene);
    expect(await use(scene, key)).toBe("in");
    scene.clock.advance(minute);
    const revoked = await revoke(scene, id);
    expect(revoked).toMatchObject({ id, status: "REVOKED", revokedAt: at(scene.clock.now()) });
    expect(await use(scene, key)).toBe("The API key was revoked.");
    expect(await use(scene, other.key)).toBe("in");
    scene.clock.advance(minute);
    expect((await revoke(scene, id)).revokedAt).toBe(revoked.revokedAt);
    expect(await auditOf(scene, "api_key.revoked")).toMatchObject([
      { targetId: id, metadata: { name: "ci", role: "viewer" } },
    ]);
  });

  test("is refused on its next call when another process revoked it", async ({ app: scene }) => {
    const { key, id } = await create(scene);
    const other = anotherProcess(scene);
    for (let n = 0; n < 3; n++) expect(await use(scene, key)).toBe("in");
    await other.call("api-keys.revoke", { params: { keyId: id } });
    expect(await use(scene, key)).toBe("The API key was revoked.");
  });

  test("has the status REVOKED even if it had expired", async ({ app: scene }) => {
    const { id } = await create(scene, { expiresInSeconds: 1 });
    scene.clock.advance(hour);
    expect((await revoke(scene, id)).status).toBe("REVOKED");
  });
});

describe("a key's last use", () => {
  const lastUse = async ({ as }: TestApp, id: string) =>
    (await as("owner").page("api-keys.list")).data.find((key) => key.id === id)?.lastUsedAt;

  test("is listed immediately, and is updated at most once a minute", async ({ app: scene }) => {
    const { clock } = scene;
    const { key, id } = await create(scene);
    expect(await lastUse(scene, id)).toBeNull();
    clock.advance(hour);
    await use(scene, key);
    const first = at(clock.now());
    expect(await lastUse(scene, id)).toBe(first);
    clock.advance(minute - 1);
    await use(scene, key);
    expect(await lastUse(scene, id)).toBe(first);
    clock.advance(1);
    await use(scene, key);
    expect(await lastUse(scene, id)).toBe(at(clock.now()));
    // Setting the clock back must not stop the updates.
    clock.jump(-hour);
    await use(scene, key);
    expect(await lastUse(scene, id)).toBe(at(clock.now()));
  });

  test("costs one write a minute", async ({ scene }) => {
    const { key } = await create(scene);
    await use(scene, key);
    await flushPresence(scene.app.core);
    const written = scene.watchWrites();
    for (let n = 0; n < 10; n++) await use(scene, key);
    await flushPresence(scene.app.core);
    expect(written()).toBe(false);
    scene.clock.advance(minute);
    await use(scene, key);
    expect(written()).toBe(false);
    await flushPresence(scene.app.core);
    expect(written()).toBe(true);
  });

  test("does not count refused calls", async ({ app: scene }) => {
    const { key, id } = await create(scene, { expiresInSeconds: 60 });
    scene.clock.advance(minute);
    await use(scene, key);
    expect(await lastUse(scene, id)).toBeNull();
  });
});

test("a mistyped key is refused", async ({ app: scene }) => {
  const { key } = await create(scene);
  expect(await use(scene, key.slice(0, -1))).toMatch(/mistyped/);
});

test("a key from another installation is unknown", async () => {
  const { key } = await create(openTestApp());
  expect(await use(openTestApp(), key)).toBe("The API key is not known to this server.");
});

async function people() {
  const scene = await openScene();
  const ids = {} as Record<string, string>;
  const clients = {} as Record<string, Client>;
  for (const [name, role] of [
    ["olga", "owner"],
    ["otto", "owner"],
    ["ann", "operator"],
    ["ben", "operator"],
  ] as const) {
    ids[name] = (await addUser(scene, name, role)).id;
    clients[name] = await withCookie(scene, await signIn(scene, name));
  }
  const make = (by: string, body: { role: KeyRole; user?: string }) =>
    clients[by]!.call("api-keys.create", { body: { name: "made", ...body } });
  return { scene, ids, clients, make };
}

describe("a key belongs to its user", () => {
  test("operators create keys for themselves, up to their role", async () => {
    const { scene, ids, make } = await people();
    const made = await make("ann", { role: "operator" });
    expect(made).toMatchObject({ user: { id: ids.ann }, makerId: ids.ann });
    expect(await make("ann", { role: "viewer", user: "ann" })).toMatchObject({
      user: { id: ids.ann },
    });
    for (const [body, needed] of [
      [{ role: "owner" }, "owner"],
      [{ role: "metrics" }, "owner"],
      [{ role: "viewer", user: "ben" }, "owner"],
      [{ role: "viewer", user: "nobody" }, "owner"],
    ] as const) {
      await expectRefused(make("ann", body), "FORBIDDEN", { needed });
    }
    const program = await withKey(scene, made.key);
    expect(
      await outcome(program.call("api-keys.create", { body: { name: "x", role: "owner" } })),
    ).toBe("FORBIDDEN");
    const nobodys = scene.as("operator");
    const body = { name: "x", role: "viewer" } as const;
    await expectRefused(nobodys.call("api-keys.create", { body }), "FORBIDDEN");
  });

  test("a key cannot create one above its own role, whatever its user's role is", async () => {
    const { scene, make } = await people();
    const { key } = await make("olga", { role: "operator" });
    const program = await withKey(scene, key);
    const body = { name: "x", role: "owner" } as const;
    await expectRefused(program.call("api-keys.create", { body }), "FORBIDDEN");
    const forOther = { name: "x", role: "viewer", user: "ann" } as const;
    await expectRefused(program.call("api-keys.create", { body: forOther }), "FORBIDDEN");
  });

  test("owners create keys for others, up to the other's role", async () => {
    const { scene, ids, make } = await people();
    const made = await make("olga", { role: "operator", user: "ann" });
    expect(made).toMatchObject({ user: { id: ids.ann }, makerId: ids.olga, createdBy: "olga" });
    expect(await auditOf(scene, "api_key.created")).toMatchObject([
      { metadata: { forUser: "ann" } },
    ]);
    await expectInvalid(make("olga", { role: "owner", user: "ann" }), "user");
    await expectInvalid(make("olga", { role: "viewer", user: "nobody" }), "user");
    await updateUser(scene, ids.ben!, { status: "DISABLED" });
    await expectInvalid(make("olga", { role: "viewer", user: "ben" }), "user");
    const local = scene.asPrincipal({ kind: "local", osUser: "root" });
    const body = { name: "x", role: "operator", user: "ann" } as const;
    expect(await local.call("api-keys.create", { body })).toMatchObject({
      user: { id: ids.ann },
      makerId: null,
    });
  });

  test("operators see, revoke and delete only their own keys", async () => {
    const { ids, clients, make } = await people();
    const forAnn = await make("olga", { role: "operator", user: "ann" });
    const ofBen = await make("ben", { role: "viewer" });
    const listed = async (by: string, query = {}) =>
      (await clients[by]!.page("api-keys.list", { query })).data.map(({ id }) => id);
    expect(await listed("ann")).toEqual([forAnn.id]);
    expect(await listed("ann", { userId: ids.ben })).toEqual([]);
    expect(await listed("olga")).toEqual([ofBen.id, forAnn.id]);
    expect(await listed("olga", { makerId: ids.olga })).toEqual([forAnn.id]);
    const params = { keyId: ofBen.id };
    for (const how of ["get", "revoke", "delete"] as const) {
      const call = clients.ann!.call(`api-keys.${how}` as "api-keys.get", { params });
      await expectRefused(call, "API_KEY_NOT_FOUND");
    }
    await clients.ann!.call("api-keys.revoke", { params: { keyId: forAnn.id } });
    await clients.ann!.call("api-keys.delete", { params: { keyId: forAnn.id } });
  });

  test.for<[title: string, change: "olga" | "ann", body: object | null, works: string[]]>([
    ["whose creator is disabled is revoked", "olga", { status: "DISABLED" }, ["otto's for ben"]],
    [
      "whose creator is no longer an owner is revoked",
      "olga",
      { role: "operator" },
      ["otto's for ben"],
    ],
    ["whose creator is deleted is revoked", "olga", null, ["otto's for ben"]],
    [
      "whose user is promoted still works",
      "ann",
      { role: "owner" },
      ["olga's for ann", "otto's for ben"],
    ],
  ])("one %s", async ([_, name, body, works]) => {
    const { scene, ids, make } = await people();
    const keys = {
      "olga's for ann": await make("olga", { role: "operator", user: "ann" }),
      "otto's for ben": await make("otto", { role: "operator", user: "ben" }),
    };
    const userId = ids[name]!;
    const params = { userId };
    const ended =
      body === null
        ? await scene.as("owner").call("users.delete", { params })
        : await updateUser(scene, userId, body);
    const left: string[] = [];
    for (const [title, { key }] of Object.entries(keys)) {
      if ((await use(scene, key)) === "in") left.push(title);
    }
    expect(left).toEqual(works);
    expect(ended.apiKeysRevoked).toBe(2 - works.length);
  });
});

describe("a key that another user created", () => {
  const body = { name: "second", role: "operator" as const };

  test("creates keys that end together with it", async () => {
    const { scene, ids, make } = await people();
    const first = await make("olga", { role: "operator", user: "ann" });
    const program = await withKey(scene, first.key);
    const second = await program.call("api-keys.create", { body });
    expect(second).toMatchObject({ user: { id: ids.ann }, makerId: ids.olga });
    const third = await (await withKey(scene, second.key)).call("api-keys.create", { body });
    const ended = await updateUser(scene, ids.olga!, { status: "DISABLED" });
    expect(ended.apiKeysRevoked).toBe(3);
    for (const { key } of [first, second, third]) {
      expect(await use(scene, key)).toBe("The API key was revoked.");
    }
  });

  test("creates keys only for its own user, whatever its role is", async () => {
    const { scene, ids, make } = await people();
    const program = await withKey(scene, (await make("olga", { role: "owner", user: "otto" })).key);
    const forOther = { ...body, user: "ann" };
    await expectRefused(program.call("api-keys.create", { body: forOther }), "FORBIDDEN");
    const forOtto = await program.call("api-keys.create", { body: { ...body, user: "otto" } });
    expect(forOtto).toMatchObject({ user: { id: ids.otto }, makerId: ids.olga });
  });

  test("creates keys for others if it was created on the host", async () => {
    const { scene, ids } = await people();
    const local = scene.asPrincipal({ kind: "local", osUser: "root" });
    const forOtto = { name: "first", role: "owner", user: "otto" } as const;
    const { key } = await local.call("api-keys.create", { body: forOtto });
    const program = await withKey(scene, key);
    const made = await program.call("api-keys.create", { body: { ...body, user: "ann" } });
    expect(made).toMatchObject({ user: { id: ids.ann }, makerId: ids.otto });
  });
});

describe("a key that its user has created", () => {
  async function bobsKeys() {
    const scene = await openScene();
    await addUser(scene, "ada", "owner");
    const { id: userId } = await addUser(scene, "bob", "owner");
    const bob = await withCookie(scene, await signIn(scene, "bob"));
    const keys = {} as Record<KeyRole, { id: string; key: string }>;
    for (const role of ["viewer", "operator", "owner", "metrics"] as const) {
      keys[role] = await bob.call("api-keys.create", { body: { name: `bob ${role}`, role } });
    }
    const owner = scene.as("owner");
    const stillWork = async () => {
      const { data } = await owner.page("api-keys.list", { query: { userId, status: "ACTIVE" } });
      const works = await Promise.all(
        Object.values(keys).map(({ key }) => outcome(scene.app.core.credentials.apiKey(key))),
      );
      const roles = works.flatMap((found) => (typeof found === "object" ? [found.role] : []));
      expect(data.map(({ role }) => role).sort()).toEqual([...roles].sort());
      return roles;
    };
    return { scene, owner, bob, userId, keys, stillWork };
  }

  const params = (userId: string) => ({ params: { userId } });

  test("disabling the user revokes all of the user's keys, with one audit row each", async () => {
    const { scene, userId, keys, stillWork } = await bobsKeys();
    expect(await stillWork()).toHaveLength(4);
    const changed = await updateUser(scene, userId, { status: "DISABLED" });
    expect(changed).toMatchObject({ sessionsEnded: 1, apiKeysRevoked: 4 });
    expect(await stillWork()).toEqual([]);
    expect(await auditOf(scene, "api_key.revoked")).toMatchObject(
      Object.values(keys).map(({ id }) => ({
        targetId: id,
        metadata: { because: "user.disabled", userId },
      })),
    );
    await updateUser(scene, userId, { status: "ACTIVE" });
    expect(await stillWork()).toEqual([]);
  });

  test("demoting the user revokes the keys that have a higher role", async () => {
    const { scene, userId, stillWork } = await bobsKeys();
    const setRole = (role: Role) => updateUser(scene, userId, { role });
    expect(await setRole("operator")).toMatchObject({ apiKeysRevoked: 2 });
    expect(await stillWork()).toEqual(["viewer", "operator"]);
    expect(await setRole("owner")).toMatchObject({ apiKeysRevoked: 0 });
    expect(await setRole("viewer")).toMatchObject({ apiKeysRevoked: 1 });
    expect(await stillWork()).toEqual(["viewer"]);
  });

  test("deleting the user revokes all of the user's keys, and the list still shows the user", async () => {
    const { owner, userId, stillWork } = await bobsKeys();
    await owner.call("users.update", { ...params(userId), body: { displayName: "Bob Ross" } });
    const listed = async () => (await owner.page("api-keys.list", { query: { userId } })).data;
    const user = { id: userId, username: "bob", displayName: "Bob Ross", status: "ACTIVE" };
    expect((await listed())[0]?.user).toEqual(user);
    expect(await owner.call("users.delete", params(userId))).toMatchObject({ apiKeysRevoked: 4 });
    expect(await stillWork()).toEqual([]);
    const data = await listed();
    expect(data).toHaveLength(4);
    expect(data[0]?.user).toEqual({
      id: userId,
      username: null,
      displayName: null,
      status: "DELETED",
    });
  });

  test("a key created with another key belongs to the same user", async () => {
    const { scene, owner, userId, keys } = await bobsKeys();
    const program = await withKey(scene, keys.owner.key);
    const body = { name: "second", role: "owner" as const };
    const second = await program.call("api-keys.create", { body });
    expect(second.user).toMatchObject({ id: userId, username: "bob", status: "ACTIVE" });
    await revoke(scene, keys.owner.id);
    expect(await use(scene, second.key)).toBe("in");
    await owner.call("users.delete", params(userId));
    expect(await use(scene, second.key)).toBe("The API key was revoked.");
  });

  test("a user that has just lost the owner role cannot create a key", async () => {
    const { scene, bob, userId, keys } = await bobsKeys();
    const program = await withKey(scene, keys.owner.key);
    await updateUser(scene, userId, { role: "operator" });
    const body = { name: "late", role: "owner" as const };
    await expectRefused(bob.call("api-keys.create", { body }), "UNAUTHORIZED");
    await expectRefused(program.call("api-keys.create", { body }), "UNAUTHORIZED");
  });

  test("deleting a user keeps the keys of other users and of the local user", async () => {
    const { scene, owner, userId } = await bobsKeys();
    const local = scene.asPrincipal({ kind: "local", osUser: "root" });
    const body = { name: "from the host", role: "owner" as const };
    const made = await local.call("api-keys.create", { body });
    expect(made.user).toBeNull();
    await owner.call("users.delete", params(userId));
    expect(await use(scene, made.key)).toBe("in");
  });
});

test("only an inactive key can be deleted; the audit trail keeps it", async ({ app: scene }) => {
  const params = (keyId: string) => ({ params: { keyId } });
  const owner = scene.as("owner");
  const { id } = await create(scene);
  await expectRefused(owner.call("api-keys.delete", params(id)), "API_KEY_ACTIVE");
  await revoke(scene, id);
  expect(await owner.call("api-keys.get", params(id))).toMatchObject({ id, status: "REVOKED" });
  expect(await owner.call("api-keys.delete", params(id))).toEqual({ id, deleted: true });
  await expectRefused(owner.call("api-keys.delete", params(id)), "API_KEY_NOT_FOUND");
  await expectRefused(owner.call("api-keys.get", params(id)), "API_KEY_NOT_FOUND");
  expect(await auditOf(scene, "api_key.deleted")).toMatchObject([
    { targetId: id, metadata: { name: "ci", role: "viewer", status: "REVOKED" } },
  ]);
});
