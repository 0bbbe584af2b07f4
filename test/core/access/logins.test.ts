// Sign-ins and guesses. login-guard.test.ts tests the limits, and own-password.test.ts tests
// password changes.

import { createHook } from "node:async_hooks";
import { test as base, describe, expect, onTestFinished, vi } from "vitest";
import { login } from "../../../src/core/access/logins.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import {
  addUser,
  arriveTogether,
  auditOf,
  deleteUser,
  duringNextCheck,
  failSignIn,
  minute,
  password,
  setPassword,
  signIn,
  stranger,
  trySignIn,
  updateUser,
  watchLog,
} from "./people.ts";

const test = base.extend("app", () => scene());

async function scene(): Promise<TestApp> {
  const app = openTestApp();
  await addUser(app, "ada", "owner");
  await addUser(app, "bob", "viewer");
  return app;
}

function refusalOf(app: TestApp, username: string, given: string, ip?: string) {
  return login(stranger(app, ip), username, given).then(
    () => null,
    ({ code, message, details, retryAfterSeconds }) => ({
      code,
      message,
      details,
      retryAfterSeconds: retryAfterSeconds === undefined ? null : Math.ceil(retryAfterSeconds),
    }),
  );
}

/** Counts the events that have no audit row yet. */
function unreported({ app }: TestApp): Record<string, number> {
  const [sum] = app.core.auditSums.take(true);
  return Object.fromEntries(sum?.counts ?? []);
}

describe("an account", () => {
  test("is the same in any letter case and Unicode form", async ({ app }) => {
    for (const name of ["ada", "ADA", "Ada", "ａｄａ", "aDA"]) await failSignIn(app, name, 1);
    expect(await trySignIn(app, "ada")).toBe("RATE_LIMITED");
  });

  test("is treated like any other if it is unknown or disabled", async ({ app }) => {
    const { id } = await addUser(app, "carol");
    await updateUser(app, id, { status: "DISABLED" });
    const responses: object[][] = [];
    for (const [ip, name] of ["ada", "nobody", "carol"].entries()) {
      const answers: object[] = [];
      for (let n = 0; n < 7; n++) {
        const given = name === "carol" ? password : "wrong";
        const { retryAfterSeconds, ...rest } = (await refusalOf(app, name, given, `ip ${ip}`))!;
        answers.push({ ...rest, waits: retryAfterSeconds !== null && retryAfterSeconds > 800 });
      }
      responses.push(answers);
    }
    expect(responses[0]).toMatchObject([
      ...Array(5).fill({ code: "UNAUTHORIZED", waits: false }),
      ...Array(2).fill({ code: "RATE_LIMITED", waits: true }),
    ]);
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
  });
});

test("guesses from many networks lock the account for all but the twenty most recently used familiar networks", async ({
  app,
}) => {
  for (let n = 0; n < 21; n++) {
    app.clock.advance(minute);
    await signIn(app, "ada", { ip: `198.51.100.${n}` });
  }
  for (let n = 0; n < 50; n++) await failSignIn(app, "ada", 1, `192.0.2.${n}`);
  expect(await trySignIn(app, "ada", { ip: "203.0.113.9" })).toBe("RATE_LIMITED");
  expect(await trySignIn(app, "ada", { ip: "198.51.100.0" })).toBe("RATE_LIMITED");
  expect(await trySignIn(app, "ada", { ip: "198.51.100.1" })).toBe("in");
  expect(await auditOf(app, "session.login.locked")).toMatchObject([
    { metadata: { username: "ada", locked: "elsewhere" } },
  ]);
});

describe("a hundred concurrent guesses", () => {
  test("if the sixth is right, only five are checked and all fail", async ({ app }) => {
    const counted = Promise.withResolvers<void>();
    let wrong = 0;
    // The mock does not use the password queue, which would refuse most of the guesses. It checks
    // the right password only after five guesses have failed.
    vi.spyOn(app.app.core.passwords, "verify").mockImplementation(async (given) => {
      if (given === password) await counted.promise;
      return given === password;
    });
    const guess = async (n: number) => {
      const text = n === 5 ? password : `wrong ${n}`;
      const refusal = await refusalOf(app, "ada", text, "192.0.2.9");
      if (refusal?.code === "UNAUTHORIZED" && ++wrong === 5) counted.resolve();
      return refusal;
    };
    const refusals = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n)));
    const byCode = Object.groupBy(refusals, (refusal) => refusal?.code ?? "in");
    expect(byCode.UNAUTHORIZED).toHaveLength(5);
    expect(byCode.RATE_LIMITED).toHaveLength(95);
    // The right password gets the same response as the others.
    expect(new Set(byCode.RATE_LIMITED!.map((refusal) => refusal?.message)).size).toBe(1);
    expect(await auditOf(app, "session.login.failed")).toHaveLength(5);
    expect(await auditOf(app, "session.login.locked")).toHaveLength(1);
    expect(await auditOf(app, "session.login.succeeded")).toHaveLength(0);
    expect(unreported(app)).toEqual({ refused: 95 });
  });

  test("if the first guess is right, it signs in", async ({ app }) => {
    const { passwords } = app.app.core;
    const { verify } = passwords;
    const begun = Promise.withResolvers<void>();
    passwords.verify = (...args) => {
      begun.resolve();
      return verify.apply(passwords, args);
    };
    const first = trySignIn(app, "ada", { ip: "ip 0" });
    await begun.promise;
    const guesses = Array.from({ length: 99 }, (_, n) =>
      trySignIn(app, "ada", { password: `wrong ${n}`, ip: `ip ${n % 10}` }),
    );
    const [outcome] = await Promise.all([first, ...guesses]);
    expect(outcome).toBe("in");
  });

  test("the password queue is short, and a full queue does not count as a failed sign-in", async ({
    app,
  }) => {
    arriveTogether(app, "verify", 40);
    const crowd = Array.from({ length: 40 }, () => refusalOf(app, "ada", password));
    const refusals = await Promise.all(crowd);
    const byCode = Object.groupBy(refusals, (refusal) => refusal?.code ?? "in");
    // Two checks are in progress and sixteen are waiting.
    expect(byCode.in).toHaveLength(18);
    expect(byCode.RATE_LIMITED).toHaveLength(22);
    expect(byCode.RATE_LIMITED![0]).toMatchObject({ retryAfterSeconds: 2 });
    expect(await auditOf(app, "session.login.*")).toHaveLength(18);
    expect(await trySignIn(app, "ada")).toBe("in");
    expect(unreported(app)).toEqual({});
  });

  test("a familiar network skips the queue", async ({ app }) => {
    await signIn(app, "ada", { ip: "198.51.100.7" });
    const { passwords } = app.app.core;
    const { verify } = passwords;
    const checked: boolean[] = [];
    passwords.verify = async (given, stored, source) => {
      const fits = await verify.call(passwords, given, stored, source);
      checked.push(source.isFamiliar);
      return fits;
    };
    arriveTogether(app, "verify", 41);
    const crowd = Array.from({ length: 40 }, (_, n) =>
      trySignIn(app, "bob", { ip: `192.0.2.${n}` }),
    );
    const [own] = await Promise.all([trySignIn(app, "ada", { ip: "198.51.100.7" }), ...crowd]);
    expect(own).toBe("in");
    // The owner's password is checked after the two in progress and before the sixteen that wait.
    expect(checked).toHaveLength(19);
    expect(checked.indexOf(true)).toBeLessThanOrEqual(3);
  });
});

test("each sign-in computes one scrypt hash, whether or not the user exists", async ({ app }) => {
  const { id } = await addUser(app, "carol");
  await updateUser(app, id, { status: "DISABLED" });
  let hashes = 0;
  const counter = createHook({ init: (_id, type) => void (type === "SCRYPTREQUEST" && hashes++) });
  counter.enable();
  onTestFinished(() => void counter.disable());
  const cost = async (username: string, given: string, at = app) => {
    const before = hashes;
    await trySignIn(at, username, { password: given });
    return hashes - before;
  };
  expect(await cost("ada", password)).toBe(1);
  expect(await cost("ada", "wrong")).toBe(1);
  expect(await cost("nobody", "wrong")).toBe(1);
  expect(await cost("carol", password)).toBe(1);
  // While the account is locked, no password is compared.
  await failSignIn(app, "ada", 4);
  expect(await cost("ada", password)).toBe(0);
  expect(await cost("nobody", password, await scene())).toBe(1);
});

describe("if the account changes during the password check", () => {
  test.for<[title: string, act: (app: TestApp, userId: string) => Promise<unknown>]>([
    ["another password", setPassword],
    ["disabled", (app, id) => updateUser(app, id, { status: "DISABLED" })],
    ["another role", (app, id) => updateUser(app, id, { role: "operator" })],
    ["deleted", deleteUser],
  ])("the sign-in is refused when the user is %s", async ([_, act], { app }) => {
    const { id } = await addUser(app, "carol");
    duringNextCheck(app, () => act(app, id));
    expect(await trySignIn(app, "carol")).toBe("UNAUTHORIZED");
    expect(await app.database.read.get("SELECT 1 FROM sessions")).toBeUndefined();
    expect(await auditOf(app, "session.login.succeeded")).toEqual([]);
  });

  test("the right password is refused when other callers lock the account", async ({ app }) => {
    duringNextCheck(app, () => failSignIn(app, "ada", 5));
    expect(await trySignIn(app, "ada")).toBe("RATE_LIMITED");
  });
});

describe("the audit trail", () => {
  test("has a row for each failure and each lock", async ({ app }) => {
    await failSignIn(app, "ada", 5, "192.0.2.9");
    for (let n = 0; n < 3; n++) await trySignIn(app, "ada", { ip: "192.0.2.9" });
    await failSignIn(app, "nobody", 5, "192.0.2.9");
    const rows = await auditOf(app, "session.login.*");
    expect(rows.map(({ action }) => action)).toEqual([
      ...Array(5).fill("session.login.failed"),
      "session.login.locked",
      ...Array(5).fill("session.login.failed"),
      "session.login.locked",
    ]);
    expect(rows[5]).toMatchObject({
      actorType: "SYSTEM",
      targetType: "user",
      targetId: expect.stringMatching(/^usr_/),
      result: "DENIED",
      ip: "192.0.2.9",
      metadata: { username: "ada", locked: "account" },
    });
    expect(rows[11]).toMatchObject({ targetId: null, metadata: { locked: "account" } });
    // The next lock gets a row only after this lock has ended.
    app.clock.advance(15 * minute);
    await failSignIn(app, "ada", 5, "192.0.2.9");
    expect(await auditOf(app, "session.login.locked")).toHaveLength(3);
  });

  test("has two rows when both the account and the address get locked", async ({ app }) => {
    for (const name of ["a", "b", "c", "ada"]) await failSignIn(app, name, 5);
    const rows = await auditOf(app, "session.login.locked");
    const locks = rows.map(({ metadata }) => metadata.locked);
    expect(locks).toEqual([...Array(4).fill("account"), "address"]);
  });

  test("contains no password and no unknown username, and neither does the log", async ({
    app,
  }) => {
    const logged = watchLog(app);
    await trySignIn(app, "hunter2hunter2", { password: "a wrong sentence" });
    await trySignIn(app, "ada", { password: "a wrong sentence" });
    await signIn(app, "ada");
    const visible = JSON.stringify(await auditOf(app, "*")) + logged();
    expect(visible).toContain("session.login.failed");
    for (const secret of ["hunter2", "a wrong sentence", password, "scrypt$"]) {
      expect(visible).not.toContain(secret);
    }
  });
});

test("further failures and refusals are summarized when the service stops", async ({ app }) => {
  for (let n = 0; n < 63; n++) await failSignIn(app, `user ${n}`, 1, `ip ${n}`);
  await failSignIn(app, "ada", 5, "elsewhere");
  for (let n = 0; n < 4; n++) await trySignIn(app, "ada", { ip: "elsewhere" });
  await app.app.close();
  const rows = await auditOf(app, "session.login.failed");
  expect(rows).toHaveLength(61);
  expect(rows[60]).toMatchObject({
    message: "12 more failed sign-ins within a minute",
    metadata: { failed: 8, refused: 4 },
    actorType: "SYSTEM",
    targetId: null,
    result: "DENIED",
  });
  expect(await auditOf(app, "session.login.locked")).toHaveLength(1);
});
