// Who may create and change users. One active owner always remains.

import { describe, expect } from "vitest";
import { createFirstOwner } from "../../../src/core/access/users.ts";
import type { Principal } from "../../../src/domain/access/principals.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { expectInvalid, expectRefused, outcome } from "../refusals.ts";
import { test } from "../scene.ts";
import {
  addUser,
  arriveTogether,
  auditOf,
  deleteUser,
  hour,
  isOpen,
  minute,
  otherPassword,
  password,
  setPassword,
  signIn,
  trySignIn,
  updateUser,
  withCookie,
} from "./people.ts";

type Change = Parameters<typeof updateUser>[2];

const get = ({ as }: TestApp, userId: string) =>
  as("owner").call("users.get", { params: { userId } });

test("a user is created, shown and listed without the password", async ({ app: scene }) => {
  const made = await addUser(scene, "Ada.Lovelace", "operator");
  const now = new Date(scene.clock.now()).toISOString();
  expect(made).toEqual({
    id: expect.stringMatching(/^usr_/),
    username: "Ada.Lovelace",
    displayName: null,
    role: "operator",
    status: "ACTIVE",
    version: 1,
    createdAt: now,
    updatedAt: now,
    passwordChangedAt: now,
    lastLoginAt: null,
  });
  scene.clock.advance(hour);
  await signIn(scene, "ada.lovelace");
  const lastLoginAt = new Date(scene.clock.now()).toISOString();
  expect(await get(scene, made.id)).toEqual({ ...made, lastLoginAt });
  const answers = [
    await setPassword(scene, made.id),
    await updateUser(scene, made.id, { role: "viewer" }),
    await scene.as("owner").page("users.list"),
    await auditOf(scene, "*"),
  ];
  for (const secret of ["scrypt", "assword_hash", "asswordHash", password, otherPassword]) {
    expect(JSON.stringify(answers)).not.toContain(secret);
  }
});

describe("USER_NOT_FOUND is the response", () => {
  test("after the user was deleted, and the audit trail keeps the name", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada", "operator");
    await signIn(scene, "ada");
    const deleted = { id, deleted: true, sessionsEnded: 1, apiKeysRevoked: 0 };
    expect(await deleteUser(scene, id)).toEqual(deleted);
    await expectRefused(deleteUser(scene, id), "USER_NOT_FOUND");
    await expectRefused(get(scene, id), "USER_NOT_FOUND");
    expect(await auditOf(scene, "user.deleted")).toMatchObject([
      { targetId: id, metadata: { username: "ada", role: "operator", sessionsEnded: 1 } },
    ]);
  });

  test("if the user is deleted while the new password is hashed", async ({ app: scene }) => {
    const { id: userId } = await addUser(scene, "ada");
    const params = { userId };
    const setting = scene.as("owner").call("users.set-password", { params, body: { password } });
    const [set] = await Promise.all([outcome(setting), deleteUser(scene, userId)]);
    expect(set).toBe("USER_NOT_FOUND");
    expect(await auditOf(scene, "user.password.changed")).toEqual([]);
  });
});

describe("names", () => {
  test("are stored in one Unicode normalization form", async ({ app: scene }) => {
    const { id, username } = await addUser(scene, "jose\u0301");
    expect(username).toBe("jos\u00e9");
    expect(await trySignIn(scene, "JOSE\u0301")).toBe("in");
    expect((await updateUser(scene, id, { username: "zoe\u0308" })).username).toBe("zo\u00eb");
  });

  test("of other forms are invalid", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada");
    for (const username of ["a b", "a".repeat(101)]) {
      await expectInvalid(addUser(scene, username), "username");
      await expectInvalid(updateUser(scene, id, { username }), "username");
    }
  });

  test.for([
    ["ada", "ADA"],
    ["ada", "ａｄａ"],
  ] as const)("a user named %j blocks the username %j", async ([taken, wanted], { app: scene }) => {
    await addUser(scene, taken);
    const { id } = await addUser(scene, "bob");
    await expectRefused(addUser(scene, wanted), "USERNAME_TAKEN");
    await expectRefused(updateUser(scene, id, { username: wanted }), "USERNAME_TAKEN");
    expect(await get(scene, id)).toMatchObject({ username: "bob", version: 1 });
  });

  test("can change only in case, and the old name becomes free", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada");
    expect((await updateUser(scene, id, { username: "Ada" })).username).toBe("Ada");
    await updateUser(scene, id, { username: "lovelace" });
    await addUser(scene, "ADA");
    expect(await trySignIn(scene, "lovelace")).toBe("in");
  });

  test("one of ten concurrent requests succeeds", async ({ app: scene }) => {
    const wanted = Array.from({ length: 10 }, (_, n) => (n % 2 ? "ada" : "ADA"));
    const outcomes = await Promise.all(wanted.map((name) => outcome(addUser(scene, name))));
    const refused = outcomes.filter((one) => one === "USERNAME_TAKEN");
    expect(refused).toHaveLength(9);
    expect((await scene.as("owner").page("users.list")).pagination.total).toBe(1);
    expect(await auditOf(scene, "user.created")).toHaveLength(1);
  });
});

describe("display names", () => {
  const shown = "Ada Lovelace";

  test.for([
    [shown, shown],
    ["  Ada\u00a0Lovelace\u3000", "Ada\u00a0Lovelace"],
    ["\u{1f469}\u200d\u{1f680}", "\u{1f469}\u200d\u{1f680}"],
    [` ${"e\u0301".repeat(100)}`, "\u00e9".repeat(100)],
  ] as const)("%j is stored as %j", async ([given, stored], { app: scene }) => {
    const { id, displayName } = await addUser(scene, "ada", "viewer", given);
    expect(displayName).toBe(stored);
    await updateUser(scene, id, { displayName: null });
    expect((await updateUser(scene, id, { displayName: given })).displayName).toBe(stored);
    expect((await get(scene, id)).displayName).toBe(stored);
  });

  const withAda = perFile(async () => {
    const scene = openTestApp();
    return { scene, id: (await addUser(scene, "ada")).id };
  });
  const oneLine = "must be one line, without control or invisible characters";
  test.for([
    [" \t\n\ufeff", "must not be empty"],
    ["x".repeat(101), "must have at most 100 characters"],
    ["Ada\nLovelace", oneLine],
    ["Ada\u001b[31m", oneLine],
    ["\u202eada", oneLine],
    ["a\u200bda", oneLine],
    ["a\ud800", oneLine],
  ] as const)("%j is refused: it %s", async ([given, message]) => {
    const { scene, id } = withAda();
    const issues = [{ path: "displayName", message }];
    const invalid = { code: "VALIDATION_FAILED", details: { issues } };
    const name = given as string;
    await expect(addUser(scene, "bob", "viewer", name)).rejects.toMatchObject(invalid);
    await expect(updateUser(scene, id, { displayName: name })).rejects.toMatchObject(invalid);
    expect(await get(scene, id)).toMatchObject({ displayName: null, version: 1 });
  });

  test("can be set, changed and removed, which ends no session", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada");
    const client = await withCookie(scene, await signIn(scene, "ada"));
    const me = async () => (await client.call("auth.me")).user;
    expect(await me()).toEqual({ id, username: "ada", displayName: null, role: "viewer" });
    const set = await updateUser(scene, id, { displayName: shown, version: 1 });
    expect(set).toMatchObject({ displayName: shown, username: "ada", version: 2 });
    expect(await me()).toMatchObject({ username: "ada", displayName: shown });
    await expectRefused(
      updateUser(scene, id, { displayName: "Countess", version: 1 }),
      "VERSION_CONFLICT",
    );
    expect(await updateUser(scene, id, { role: "viewer" })).toMatchObject({ displayName: shown });
    await updateUser(scene, id, { displayName: "Countess" });
    const removed = await updateUser(scene, id, { displayName: null });
    expect(removed).toMatchObject({ displayName: null, version: 4, sessionsEnded: 0 });
    expect(await me()).toMatchObject({ displayName: null });
    const rows = await auditOf(scene, "user.updated");
    expect(rows.map(({ metadata }) => [metadata.username, metadata.changes])).toEqual([
      ["ada", { displayName: { from: null, to: shown } }],
      ["ada", { displayName: { from: shown, to: "Countess" } }],
      ["ada", { displayName: { from: "Countess", to: null } }],
    ]);
  });

  test("can be equal, and are not usernames", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada", "viewer", "bob");
    await addUser(scene, "eve", "viewer", "bob");
    await addUser(scene, "bob");
    expect(await trySignIn(scene, "bob")).toBe("in");
    await deleteUser(scene, id);
    const rows = await auditOf(scene, "user.created");
    expect(rows.map(({ metadata }) => metadata)).toEqual([
      { username: "ada", displayName: "bob", role: "viewer" },
      { username: "eve", displayName: "bob", role: "viewer" },
      { username: "bob", role: "viewer" },
    ]);
  });

  test("are searched in the list", async ({ app: scene }) => {
    await addUser(scene, "ada", "viewer", shown);
    await addUser(scene, "lovelace.b");
    await addUser(scene, "carol", "viewer", "Carol Shaw");
    const found = async (q: string) =>
      (await scene.as("owner").page("users.list", { query: { q, sort: "username" } })).data.map(
        ({ username }) => username,
      );
    expect(await found("LOVELACE")).toEqual(["ada", "lovelace.b"]);
    expect(await found("ol shaw")).toEqual(["carol"]);
    expect(await found("a%")).toEqual([]);
  });
});

test("a weak password is refused", async ({ app: scene }) => {
  const owner = scene.as("owner");
  const weak = { password: "ada.lovelace" };
  const body = { username: "Ada.Lovelace", role: "viewer" as const, ...weak };
  await expectInvalid(owner.call("users.create", { body }), "password");
  const { id: userId } = await addUser(scene, "Ada.Lovelace");
  const setting = owner.call("users.set-password", { params: { userId }, body: weak });
  await expectInvalid(setting, "password");
  expect(await trySignIn(scene, "ada.lovelace")).toBe("in");
});

test("some of many concurrent creations are refused", async ({ app: scene }) => {
  arriveTogether(scene, "hash", 30);
  const wanted = Array.from({ length: 30 }, (_, n) => outcome(addUser(scene, `user-${n}`)));
  const refused = (await Promise.all(wanted)).filter((one) => one === "RATE_LIMITED");
  expect(refused).toHaveLength(12);
  expect((await scene.as("owner").page("users.list")).pagination.total).toBe(18);
});

test("an owner sets a password, which works immediately", async ({ app: scene }) => {
  const made = await addUser(scene, "ada");
  scene.clock.advance(hour);
  const user = await setPassword(scene, made.id);
  const now = new Date(scene.clock.now()).toISOString();
  expect(user).toEqual({ ...made, version: 2, updatedAt: now, passwordChangedAt: now });
  expect(await trySignIn(scene, "ada")).toBe("UNAUTHORIZED");
  expect(await trySignIn(scene, "ada", { password: otherPassword })).toBe("in");
  expect(await auditOf(scene, "user.password.changed")).toMatchObject([
    { actorType: "API_KEY", targetId: made.id, metadata: { username: "ada" } },
  ]);
});

describe("a change", () => {
  test("audits the old and new values and the sessions that ended", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada");
    await signIn(scene, "ada");
    scene.clock.advance(minute);
    const changed = await updateUser(scene, id, { username: "Lovelace", role: "operator" });
    expect(changed).toMatchObject({
      username: "Lovelace",
      role: "operator",
      status: "ACTIVE",
      version: 2,
      updatedAt: new Date(scene.clock.now()).toISOString(),
    });
    await updateUser(scene, id, { status: "DISABLED" });
    const rows = await auditOf(scene, "user.updated");
    expect(rows.map(({ metadata }) => metadata)).toEqual([
      {
        username: "ada",
        changes: {
          username: { from: "ada", to: "Lovelace" },
          role: { from: "viewer", to: "operator" },
        },
        sessionsEnded: 1,
        apiKeysRevoked: 0,
      },
      {
        username: "Lovelace",
        changes: { status: { from: "ACTIVE", to: "DISABLED" } },
        sessionsEnded: 0,
        apiKeysRevoked: 0,
      },
    ]);
  });

  test("to the same values leaves no audit row", async ({ app: scene }) => {
    const made = await addUser(scene, "ada");
    scene.clock.advance(minute);
    const unchanged = { ...made, sessionsEnded: 0, apiKeysRevoked: 0 };
    const same = { username: "ada", role: "viewer", status: "ACTIVE", version: 1 } as const;
    expect(await updateUser(scene, made.id, same)).toEqual(unchanged);
    expect(await auditOf(scene, "user.updated")).toEqual([]);
  });

  test("fails for another version with VERSION_CONFLICT", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada");
    const changed = await updateUser(scene, id, { role: "operator", version: 1 });
    expect(changed.version).toBe(2);
    for (const version of [1, 3]) {
      await expectRefused(updateUser(scene, id, { role: "owner", version }), "VERSION_CONFLICT", {
        currentVersion: 2,
        version,
      });
    }
    expect(changed).toMatchObject(await get(scene, id));
  });

  test("one of two concurrent changes to the same version succeeds", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada");
    const changes: Change[] = [{ role: "operator" }, { username: "lovelace" }];
    const outcomes = await Promise.all(
      changes.map((change) => outcome(updateUser(scene, id, { ...change, version: 1 }))),
    );
    expect(outcomes.filter((one) => one === "VERSION_CONFLICT")).toHaveLength(1);
    expect((await get(scene, id)).version).toBe(2);
  });
});

describe("the last active owner", () => {
  const attempts: [title: string, attempt: (scene: TestApp, id: string) => Promise<unknown>][] = [
    ["be demoted", (scene, id) => updateUser(scene, id, { role: "operator" })],
    ["be disabled", (scene, id) => updateUser(scene, id, { status: "DISABLED" })],
    ["be deleted", deleteUser],
    [
      "be demoted and disabled",
      (scene, id) => updateUser(scene, id, { role: "viewer", status: "DISABLED" }),
    ],
  ];

  test.for(attempts)("cannot %s", async ([_, attempt], { app: scene }) => {
    const { id } = await addUser(scene, "ada", "owner");
    await addUser(scene, "bob", "operator");
    const { id: disabled } = await addUser(scene, "carol", "owner");
    await updateUser(scene, disabled, { status: "DISABLED" });
    const cookie = await signIn(scene, "ada");
    const before = [await get(scene, id), await auditOf(scene, "*")];
    await expectRefused(attempt(scene, id), "LAST_OWNER");
    expect([await get(scene, id), await auditOf(scene, "*")]).toEqual(before);
    expect(await isOpen(scene, cookie)).toBe(true);
  });

  test("can be renamed; a disabled owner can be deleted", async ({ app: scene }) => {
    const { id } = await addUser(scene, "ada", "owner");
    const { id: disabled } = await addUser(scene, "carol", "owner");
    await updateUser(scene, disabled, { status: "DISABLED" });
    await updateUser(scene, id, { username: "lovelace", role: "owner", status: "ACTIVE" });
    const body = { password: otherPassword };
    await scene.as("owner").call("users.set-password", { params: { userId: id }, body });
    await updateUser(scene, disabled, { role: "viewer" });
    await deleteUser(scene, disabled);
    const { data } = await scene.as("owner").page("users.list", {});
    expect(data.map(({ username }) => username)).toContain("lovelace");
    expect(data.map(({ username }) => username)).not.toContain("carol");
  });

  test("stays after many concurrent attempts of every kind", async ({ app: scene }) => {
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) ids.push((await addUser(scene, `owner-${n}`, "owner")).id);
    const outcomes = await Promise.all(ids.map((id, n) => outcome(attempts[n % 3]![1](scene, id))));
    expect(outcomes.filter((one) => one === "LAST_OWNER")).toHaveLength(1);
  });
});

describe("the first owner", () => {
  test("is created once, even by two concurrent starts", async ({ app: { app } }) => {
    const wanted = { username: "ada", password };
    const made = await Promise.all([1, 2].map(() => createFirstOwner(app.core, wanted)));
    expect(made.filter((one) => one !== null)).toEqual([
      { username: "ada", generatedPassword: null },
    ]);
    expect(await createFirstOwner(app.core, {})).toBeNull();
  });

  test('is "admin" with a generated password by default', async ({ app: scene }) => {
    const made = await createFirstOwner(scene.app.core, {});
    expect(made).toEqual({
      username: "admin",
      generatedPassword: expect.stringMatching(/^[0-9A-Za-z]{24}$/),
    });
    const given = { password: made!.generatedPassword! };
    const client = await withCookie(scene, await signIn(scene, "admin", given));
    expect(await client.call("auth.me")).toMatchObject({ user: { role: "owner" } });
    expect(JSON.stringify(await auditOf(scene, "*"))).not.toContain(given.password);
  });

  test.for([
    [{ username: "a b", password }, "PLATFORM_ADMIN_USERNAME"],
    [{ username: "ada", password: "elevenchars" }, "PLATFORM_ADMIN_PASSWORD"],
    [{ password: "password1234" }, "PLATFORM_ADMIN_PASSWORD"],
  ] as const)("is not created from %o", async ([wanted, path], { app: { app } }) => {
    await expectInvalid(createFirstOwner(app.core, wanted), path);
    expect(await createFirstOwner(app.core, {})).not.toBeNull();
  });
});

test("owners cannot set their own password with users.set-password", async ({ app: scene }) => {
  const { id } = await addUser(scene, "ada", "owner");
  const ada = { kind: "user", userId: id, username: "ada", role: "owner", sessionId: "ses_1" };
  const setting = scene.asPrincipal(ada as Principal).call("users.set-password", {
    params: { userId: id },
    body: { password: otherPassword },
  });
  await expectRefused(setting, "FORBIDDEN");
});
