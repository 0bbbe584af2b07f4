// Users see and end their own sessions. Owners see and end the sessions of all users.

import { test as base, describe, expect } from "vitest";
import { openTestApp } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { addUser, auditOf, hour, isOpen, minute, signIn, withCookie } from "./people.ts";

const test = base.extend("scene", () => scene());

async function scene() {
  const app = openTestApp();
  const { id: userId } = await addUser(app, "ada");
  await addUser(app, "bob");
  const older = await signIn(app, "ada", { ip: "192.0.2.1" });
  app.clock.advance(minute);
  const cookie = await signIn(app, "ada", { ip: "198.51.100.7" });
  const bobs = await signIn(app, "bob");
  const ada = await withCookie(app, cookie);
  return { app, userId, older, cookie, bobs, ada };
}

describe("a user's own sessions", () => {
  test("are listed, most recently used first, until they end, also for an owner", async ({
    scene: { app, ada, userId },
  }) => {
    const sessions = await ada.call("auth.sessions");
    expect(sessions).toMatchObject([
      { current: true, ip: "198.51.100.7" },
      { current: false, ip: "192.0.2.1" },
    ]);
    expect(Date.parse(sessions[0]!.expiresAt)).toBe(app.clock.now() + 8 * hour);
    expect(JSON.stringify(sessions)).not.toContain("secret");
    const seen = (id = userId) =>
      app.as("owner").call("users.sessions", { params: { userId: id } });
    expect((await seen()).map(({ ip, current }) => [ip, current])).toEqual([
      ["198.51.100.7", false],
      ["192.0.2.1", false],
    ]);
    await expectRefused(seen("usr_none"), "USER_NOT_FOUND");
    app.clock.advance(8 * hour);
    expect(await seen()).toEqual([]);
  });

  test("can be ended one by one", async ({ scene: { app, ada, older, cookie, userId } }) => {
    const other = (await ada.call("auth.sessions")).find(({ current }) => !current);
    const params = { sessionId: other!.id };
    expect(await ada.call("auth.end-session", { params })).toEqual({ ended: 1 });
    expect(await isOpen(app, older)).toBe(false);
    expect(await isOpen(app, cookie)).toBe(true);
    await expectRefused(ada.call("auth.end-session", { params }), "SESSION_NOT_FOUND");
    expect(await auditOf(app, "user.sessions.revoked")).toMatchObject([
      { targetId: userId, metadata: { username: "ada", ended: 1, sessionId: other!.id } },
    ]);
  });

  test("can be ended except the current", async ({ scene: { app, ada, older, cookie, bobs } }) => {
    expect(await ada.call("auth.end-other-sessions")).toEqual({ ended: 1 });
    expect(await ada.call("auth.end-other-sessions")).toEqual({ ended: 0 });
    expect(await isOpen(app, older)).toBe(false);
    expect(await isOpen(app, cookie)).toBe(true);
    expect(await isOpen(app, bobs)).toBe(true);
    expect(await auditOf(app, "user.sessions.revoked")).toHaveLength(1);
  });

  test("do not include those of other users", async ({ scene: { app, ada, bobs } }) => {
    const bob = await withCookie(app, bobs);
    const [session] = await bob.call("auth.sessions");
    const params = { sessionId: session!.id };
    await expectRefused(ada.call("auth.end-session", { params }), "SESSION_NOT_FOUND");
    expect(await isOpen(app, bobs)).toBe(true);
  });
});
