// How long a session lasts and what ends it. test/http/sessions.test.ts tests cookies and CSRF
// tokens.

import { describe, expect } from "vitest";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { refuseRows } from "../../helpers/stored.ts";
import { test } from "../scene.ts";
import {
  addUser,
  anotherProcess,
  day,
  deleteUser,
  hour,
  isOpen,
  minute,
  otherPassword,
  password,
  second,
  setPassword,
  signIn,
  updateUser,
  watchLog,
  withCookie,
} from "./people.ts";

async function endOf(scene: TestApp, cookie: string): Promise<number> {
  const { expiresAt } = await (await withCookie(scene, cookie)).call("auth.me");
  return Date.parse(expiresAt ?? "");
}

describe("the end that `me` reports", () => {
  /** Each row says whether a call after this time extends the session. */
  test.for<[afterMs: number, moves: boolean]>([
    [0, false],
    [minute - 1, false],
    [minute, true],
    [8 * hour - 1, true],
  ])("is exact after a call at %d ms", async ([afterMs, moves], { app: scene }) => {
    const { clock } = scene;
    await addUser(scene, "ada");
    const began = clock.now();
    const [one, other] = [await signIn(scene, "ada"), await signIn(scene, "ada")];
    clock.advance(afterMs);
    const end = await endOf(scene, one);
    expect(await endOf(scene, other)).toBe(end);
    expect(end).toBe((moves ? clock.now() : began) + 8 * hour);
    clock.advance(end - clock.now() - 1);
    expect(await isOpen(scene, one)).toBe(true);
    clock.advance(1);
    expect(await isOpen(scene, other)).toBe(false);
  });

  test("is at most seven days after the sign-in", async ({ app: scene }) => {
    const { clock } = scene;
    await addUser(scene, "ada");
    const cookie = await signIn(scene, "ada");
    const last = clock.now() + 7 * day;
    let end = 0;
    while (clock.now() < last - hour) {
      clock.advance(Math.min(7 * hour, last - hour - clock.now()));
      const told = await endOf(scene, cookie);
      expect(told).toBe(Math.min(clock.now() + 8 * hour, last));
      expect(told).toBeGreaterThanOrEqual(end);
      end = told;
    }
    clock.advance(hour - 1);
    expect(await isOpen(scene, cookie)).toBe(true);
    clock.advance(1);
    expect(await isOpen(scene, cookie)).toBe(false);
  });
});

test("a session lasts while it is used, for the configured time", async () => {
  const ttl = 5;
  const scene = openTestApp({ SESSION_TTL_SECONDS: String(ttl) });
  await addUser(scene, "ada");
  const cookie = await signIn(scene, "ada");
  for (let use = 0; use < 10; use++) {
    scene.clock.advance((ttl * second) / 2);
    expect(await isOpen(scene, cookie)).toBe(true);
  }
  scene.clock.advance(ttl * second);
  expect(await isOpen(scene, cookie)).toBe(false);
});

test("reads work while the storage cannot write", async ({ app: scene }) => {
  await addUser(scene, "ada");
  const cookie = await signIn(scene, "ada");
  const end = scene.clock.now() + 8 * hour;
  await refuseRows(scene, "UPDATE ON sessions");
  const logged = watchLog(scene);
  scene.clock.advance(hour);
  expect(await endOf(scene, cookie)).toBe(end);
  expect(logged()).toContain("could not be extended");
  expect(logged()).not.toContain(cookie);
  scene.clock.advance(7 * hour);
  expect(await isOpen(scene, cookie)).toBe(false);
});

test.for<[title: string, change: (scene: TestApp, userId: string, cookie: string) => unknown]>([
  [
    "a change of the password by the user",
    async (scene, _, cookie) => {
      const body = { currentPassword: password, newPassword: otherPassword };
      await (await withCookie(scene, cookie)).call("auth.password", { body });
    },
  ],
  ["a change of the password by an owner", setPassword],
  ["a new name", (scene, id) => updateUser(scene, id, { username: "lovelace" })],
])("a session outlives %s", async ([_, change], { app: scene }) => {
  const { id } = await addUser(scene, "ada", "operator");
  const cookies = [await signIn(scene, "ada"), await signIn(scene, "ada")];
  const before = await scene.as("owner").call("users.get", { params: { userId: id } });
  await change(scene, id, cookies[0]!);
  for (const cookie of cookies) expect(await isOpen(scene, cookie)).toBe(true);
  const { user } = await (await withCookie(scene, cookies[1]!)).call("auth.me");
  expect(user.role).toBe(before.role);
});

describe("a session ends for good with", () => {
  const update =
    (...changes: { role?: "viewer" | "operator"; status?: "ACTIVE" | "DISABLED" }[]) =>
    async (scene: TestApp, userId: string) => {
      for (const change of changes) await updateUser(scene, userId, change);
    };

  test.for<[title: string, change: (scene: TestApp, userId: string, cookie: string) => unknown]>([
    ["a lower role, even if it is raised again", update({ role: "viewer" }, { role: "operator" })],
    [
      "being disabled, even if the user is enabled again",
      update({ status: "DISABLED" }, { status: "ACTIVE" }),
    ],
    [
      "being deleted, even if the user is created again",
      async (scene, userId) => {
        await deleteUser(scene, userId);
        await addUser(scene, "ada", "operator");
      },
    ],
    [
      "an owner ending all sessions",
      async ({ as }, userId) => {
        const answer = await as("owner").call("users.end-sessions", { params: { userId } });
        expect(answer).toEqual({ ended: 2 });
        const again = await as("owner").call("users.end-sessions", { params: { userId } });
        expect(again).toEqual({ ended: 0 });
      },
    ],
    [
      "another process ending all sessions",
      (scene, userId) => anotherProcess(scene).call("users.end-sessions", { params: { userId } }),
    ],
  ])("%s", async ([_, change], { app: scene }) => {
    const { id } = await addUser(scene, "ada", "operator");
    await addUser(scene, "bob", "operator");
    const [cookie, another] = [await signIn(scene, "ada"), await signIn(scene, "ada")];
    const bobs = await signIn(scene, "bob");
    for (const open of [cookie, another, bobs]) expect(await isOpen(scene, open)).toBe(true);
    await change(scene, id, cookie);
    expect(await isOpen(scene, cookie)).toBe(false);
    expect(await isOpen(scene, another)).toBe(false);
    expect(await isOpen(scene, bobs)).toBe(true);
    expect(await isOpen(scene, await signIn(scene, "ada"))).toBe(true);
  });

  test("signing out, which ends only this session", async ({ app: scene }) => {
    await addUser(scene, "ada");
    const [cookie, another] = [await signIn(scene, "ada"), await signIn(scene, "ada")];
    const client = await withCookie(scene, cookie);
    expect(await client.call("auth.logout")).toEqual({ signedOut: true });
    expect(await client.call("auth.logout")).toEqual({ signedOut: false });
    expect(await isOpen(scene, cookie)).toBe(false);
    expect(await isOpen(scene, another)).toBe(true);
  });
});
