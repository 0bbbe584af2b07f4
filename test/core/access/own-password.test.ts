import { test as base, expect } from "vitest";
import { openTestApp } from "../../helpers/app.ts";
import { expectInvalid, expectRefused, outcome } from "../refusals.ts";
import {
  addUser,
  auditOf,
  duringNextCheck,
  failSignIn,
  isOpen,
  minute,
  otherPassword,
  password,
  setPassword,
  signIn,
  trySignIn,
  withCookie,
} from "./people.ts";

const test = base.extend("signedIn", () => signedIn());

async function signedIn() {
  const app = openTestApp();
  const { id } = await addUser(app, "ada.lovelace", "viewer");
  const cookie = await signIn(app, "ada.lovelace");
  const client = await withCookie(app, cookie);
  const change = (currentPassword: string, newPassword: string) =>
    client.call("auth.password", { body: { currentPassword, newPassword } });
  return { app, id, cookie, change };
}

test("only the new password works", async ({ signedIn: { app, id, cookie, change } }) => {
  app.clock.advance(minute);
  expect(await change(password, otherPassword)).toEqual({ changed: true, sessionsEnded: 0 });
  expect(await trySignIn(app, "ada.lovelace")).toBe("UNAUTHORIZED");
  expect(await trySignIn(app, "ada.lovelace", { password: otherPassword })).toBe("in");
  expect(await isOpen(app, cookie)).toBe(true);
  expect(await auditOf(app, "user.*")).toMatchObject([
    { action: "user.created" },
    {
      action: "user.password.changed",
      actorType: "USER",
      actorId: id,
      targetId: id,
      metadata: { username: "ada.lovelace", sessionsEnded: 0 },
    },
  ]);
  const user = await app.as("owner").call("users.get", { params: { userId: id } });
  expect(Date.parse(user.passwordChangedAt)).toBe(app.clock.now());
  expect(user.version).toBe(2);
});

test("a change ends other sessions on request", async ({ signedIn: { app, cookie } }) => {
  const others = [await signIn(app, "ada.lovelace"), await signIn(app, "ada.lovelace")];
  const client = await withCookie(app, cookie);
  const body = { currentPassword: password, newPassword: otherPassword, endOtherSessions: true };
  expect(await client.call("auth.password", { body })).toEqual({ changed: true, sessionsEnded: 2 });
  expect(await Promise.all(others.map((other) => isOpen(app, other)))).toEqual([false, false]);
  expect(await isOpen(app, cookie)).toBe(true);
});

test("a wrong password is a failed sign-in", async ({ signedIn: { app, change } }) => {
  for (let n = 0; n < 5; n++) {
    await expectRefused(change("wrong", otherPassword), "VALIDATION_FAILED", {
      issues: [{ path: "currentPassword", message: "is not the current password" }],
    });
  }
  await expectRefused(change(password, otherPassword), "RATE_LIMITED");
  expect(await trySignIn(app, "ada.lovelace", { ip: "127.0.0.1" })).toBe("RATE_LIMITED");
  const rows = await auditOf(app, "session.login.*");
  expect(rows.map(({ action, actorType }) => [action, actorType])).toEqual([
    ["session.login.succeeded", "USER"],
    ...Array(5).fill(["session.login.failed", "USER"]),
    ["session.login.locked", "USER"],
  ]);
  app.clock.advance(15 * minute);
  expect(await change(password, otherPassword)).toMatchObject({ changed: true });
});

test("the right current password resets the failures", async ({ signedIn: { app, change } }) => {
  for (let n = 0; n < 4; n++) await outcome(change("wrong", otherPassword));
  await change(password, otherPassword);
  await failSignIn(app, "ada.lovelace", 4);
  expect(await trySignIn(app, "ada.lovelace", { password: otherPassword })).toBe("in");
});

test("a weak new password is refused", async ({ signedIn: { app, change } }) => {
  await expectInvalid(change(password, "Ada.Lovelace"), "newPassword");
  expect(await trySignIn(app, "ada.lovelace")).toBe("in");
  expect(await auditOf(app, "user.password.changed")).toEqual([]);
});

test("passwords match in any Unicode form", async ({ signedIn: { app, change } }) => {
  const composed = "caf\u00e9 au lait, s'il vous pla\u00eet".normalize("NFC");
  await change(password, composed);
  const decomposed = composed.normalize("NFD");
  expect(decomposed).not.toBe(composed);
  expect(await trySignIn(app, "ada.lovelace", { password: decomposed })).toBe("in");
  const anonymous = app.asPrincipal({ kind: "anonymous" });
  const long = "\u00e9\u00e8\u00ea\u00eb\u00e0\u00e2\u00f4\u00fb".repeat(16);
  await change(decomposed, long.normalize("NFD"));
  const body = { username: "ada.lovelace", password: long.normalize("NFD") };
  expect(await anonymous.call("auth.login", { body })).toMatchObject({ user: { role: "viewer" } });
});

test("an owner's concurrent change stays", async ({ signedIn: { app, id, change } }) => {
  const third = "a third sentence of many characters";
  duringNextCheck(app, () => setPassword(app, id, third));
  await expectRefused(change(password, otherPassword), "VERSION_CONFLICT");
  expect(await trySignIn(app, "ada.lovelace", { password: third })).toBe("in");
  expect(await auditOf(app, "user.password.changed")).toHaveLength(1);
});

test("one of two concurrent changes succeeds", async ({ signedIn: { app, change } }) => {
  const wanted = [otherPassword, "a third sentence of many characters"];
  const outcomes = await Promise.all(wanted.map((next) => outcome(change(password, next))));
  expect(outcomes).toContain("VERSION_CONFLICT");
  const winner = outcomes.findIndex((one) => one !== "VERSION_CONFLICT");
  expect(outcomes[winner]).toMatchObject({ changed: true });
  expect(await trySignIn(app, "ada.lovelace", { password: wanted[winner]! })).toBe("in");
});
