// Which sign-ins are locked after failures, and for how long.

import { createSecretKey } from "node:crypto";
import { test as base, describe, expect } from "vitest";
import { LoginFailures } from "../../../src/core/access/login-failures.ts";
import { LoginGuard, type LoginSource } from "../../../src/core/access/login-guard.ts";
import { openTestApp } from "../../helpers/app.ts";

const minute = 60_000;

async function openGuard() {
  const { app, clock } = await openTestApp();
  const { db, newId } = app.core;
  const sessionSecret = createSecretKey(Buffer.from("a secret of the tests"));
  const failures = new LoginFailures({ db, sessionSecret: () => sessionSecret, newId });
  let refusals = 0;
  const guard = new LoginGuard(failures, () => refusals++);
  const refusal = (source: LoginSource) =>
    guard.require(source).then(
      () => null,
      (error) => error as { code: string; message: string; retryAfterSeconds: number },
    );
  const fail = (source: LoginSource) => guard.judge(source, false);
  const pass = (ms: number) => clock.advance(ms);
  return { pass, guard, refusal, fail, refused: () => refusals };
}

const source = (
  account: string | number,
  network: string | number,
  isFamiliar = false,
): LoginSource => ({ account: String(account), network: String(network), isFamiliar });

const test = base.extend("guarded", openGuard);

describe("locks", () => {
  test("an account is locked for a network", async ({ guarded: { pass, refusal, fail } }) => {
    for (let n = 1; n <= 4; n++) {
      expect(await fail(source("ada", "here"))).toEqual([]);
      pass(minute);
    }
    expect(await refusal(source("ada", "here"))).toBeNull();
    expect(await fail(source("ada", "here"))).toEqual(["account"]);
    const refused = await refusal(source("ada", "here"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 11 * 60 });
    expect(refused?.message).toContain("this account");
    expect(await refusal(source("ada", "elsewhere"))).toBeNull();
    expect(await refusal(source("bob", "here"))).toBeNull();
    pass(11 * minute - 1);
    expect(await refusal(source("ada", "here"))).not.toBeNull();
    pass(1);
    expect(await refusal(source("ada", "here"))).toBeNull();
    // The first failure has expired, so one more failure locks the account again.
    expect(await fail(source("ada", "here"))).toEqual(["account"]);
    expect(await refusal(source("ada", "here"))).toMatchObject({ retryAfterSeconds: 60 });
  });

  test("an account is locked for new networks", async ({ guarded: { pass, refusal, fail } }) => {
    for (let n = 1; n <= 49; n++) expect(await fail(source("ada", n))).toEqual([]);
    expect(await fail(source("ada", 50))).toEqual(["elsewhere"]);
    const refused = await refusal(source("ada", "new"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 15 * 60 });
    expect(refused?.message).toContain("from networks that it has not used before");
    expect(await refusal(source("ada", "home", true))).toBeNull();
    // Failures from other networks do not count against a familiar network.
    for (let n = 1; n <= 4; n++) expect(await fail(source("ada", "home", true))).toEqual([]);
    expect(await fail(source("ada", "home", true))).toEqual(["account"]);
    expect(await refusal(source("ada", "office", true))).toBeNull();
    expect(await refusal(source("bob", "new"))).toBeNull();
    pass(15 * minute);
    expect(await refusal(source("ada", "new"))).toBeNull();
  });

  test("an address is locked for all accounts", async ({ guarded: { pass, refusal, fail } }) => {
    for (let n = 1; n <= 19; n++) expect(await fail(source(n, "here"))).toEqual([]);
    pass(30_000);
    expect(await fail(source(20, "here"))).toEqual(["address"]);
    const refused = await refusal(source("ada", "here"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 30 });
    expect(refused?.message).toContain("this address");
    expect(await refusal(source("ada", "there"))).toBeNull();
    pass(29_999);
    expect(await refusal(source("ada", "here"))).not.toBeNull();
    pass(1);
    expect(await refusal(source("ada", "here"))).toBeNull();
  });

  test("if both are locked, the longer wait counts", async ({
    guarded: { pass, refusal, fail },
  }) => {
    for (const account of ["a", "b", "c"]) {
      for (let n = 1; n <= 5; n++) await fail(source(account, "here"));
    }
    for (let n = 1; n <= 4; n++) await fail(source("d", "here"));
    expect(await fail(source("d", "here"))).toEqual(["account", "address"]);
    expect(await refusal(source("d", "here"))).toMatchObject({ retryAfterSeconds: 900 });
    expect(await refusal(source("e", "here"))).toMatchObject({ retryAfterSeconds: 60 });
    pass(minute);
    expect(await refusal(source("e", "here"))).toBeNull();
    expect(await refusal(source("d", "here"))).toMatchObject({ retryAfterSeconds: 840 });
  });

  test("the right password resets the account", async ({ guarded: { guard, refusal, fail } }) => {
    for (let n = 1; n <= 4; n++) await fail(source("ada", "here"));
    expect(await guard.judge(source("ada", "here"), true)).toEqual([]);
    for (let n = 1; n <= 4; n++) expect(await fail(source("ada", "here"))).toEqual([]);
    for (let n = 9; n <= 19; n++) expect(await fail(source(n, "here"))).toEqual([]);
    expect(await guard.judge(source("ada", "here"), true)).toEqual([]);
    expect(await fail(source(20, "here"))).toEqual(["address"]);
    expect(await refusal(source("ada", "here"))).not.toBeNull();
  });
});

test("concurrent failures count like sequential ones", async ({ guarded: { guard, fail } }) => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 9 }, () => fail(source("ada", 1))),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await expect(guard.judge(source("ada", 1), true)).rejects.toThrow();
});

test("while locked, no password is checked, and each attempt is counted as refused", async ({
  guarded: { refusal, fail, guard, refused },
}) => {
  for (let n = 1; n <= 5; n++) await fail(source("ada", 1));
  expect(refused()).toBe(0);
  for (let n = 1; n <= 3; n++) await refusal(source("ada", 1));
  for (const fits of [true, false]) {
    const judged = guard.judge(source("ada", 1), fits);
    await expect(judged).rejects.toThrow(/Too many failed sign-ins/);
  }
  expect(refused()).toBe(5);
});
