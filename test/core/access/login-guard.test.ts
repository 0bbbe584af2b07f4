// What failed sign-ins lock, and for how long.

import { test as base, describe, expect } from "vitest";
import { LoginGuard, type LoginSource } from "../../../src/core/access/login-guard.ts";

const test = base.extend("guarded", () => guarded());

const minute = 60_000;

function guarded() {
  const clock = { now: 0 };
  let refusals = 0;
  const guard = new LoginGuard(
    () => clock.now,
    () => refusals++,
  );
  const refusal = (source: LoginSource) => {
    try {
      guard.require(source);
      return null;
    } catch (error) {
      return error as { code: string; message: string; retryAfterSeconds: number };
    }
  };
  const fail = (source: LoginSource) => guard.judge(source, false);
  return { clock, guard, refusal, fail, refused: () => refusals };
}

const source = (
  account: string | number,
  network: string | number,
  isFamiliar = false,
): LoginSource => ({ account: String(account), network: String(network), isFamiliar });

describe("locks", () => {
  test("an account is locked for a network", ({ guarded: { clock, refusal, fail } }) => {
    for (let n = 1; n <= 4; n++) {
      expect(fail(source("ada", "here"))).toEqual([]);
      clock.now += minute;
    }
    expect(refusal(source("ada", "here"))).toBeNull();
    expect(fail(source("ada", "here"))).toEqual(["account"]);
    const refused = refusal(source("ada", "here"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 11 * 60 });
    expect(refused?.message).toContain("this account");
    expect(refusal(source("ada", "elsewhere"))).toBeNull();
    expect(refusal(source("bob", "here"))).toBeNull();
    clock.now += 11 * minute - 1;
    expect(refusal(source("ada", "here"))).not.toBeNull();
    clock.now += 1;
    expect(refusal(source("ada", "here"))).toBeNull();
    // The first failure has expired, so one more failure locks the account again.
    expect(fail(source("ada", "here"))).toEqual(["account"]);
    expect(refusal(source("ada", "here"))).toMatchObject({ retryAfterSeconds: 60 });
  });

  test("an account is locked for new networks", ({ guarded: { clock, refusal, fail } }) => {
    for (let n = 1; n <= 49; n++) expect(fail(source("ada", n))).toEqual([]);
    expect(fail(source("ada", 50))).toEqual(["elsewhere"]);
    const refused = refusal(source("ada", "new"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 15 * 60 });
    expect(refused?.message).toContain("from new places");
    expect(refusal(source("ada", "home", true))).toBeNull();
    // Failures from other networks do not count for a familiar one.
    for (let n = 1; n <= 4; n++) expect(fail(source("ada", "home", true))).toEqual([]);
    expect(fail(source("ada", "home", true))).toEqual(["account"]);
    expect(refusal(source("ada", "office", true))).toBeNull();
    expect(refusal(source("bob", "new"))).toBeNull();
    clock.now += 15 * minute;
    expect(refusal(source("ada", "new"))).toBeNull();
  });

  test("an address is locked for all accounts", ({ guarded: { clock, refusal, fail } }) => {
    for (let n = 1; n <= 19; n++) expect(fail(source(n, "here"))).toEqual([]);
    clock.now += 30_000;
    expect(fail(source(20, "here"))).toEqual(["address"]);
    const refused = refusal(source("ada", "here"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 30 });
    expect(refused?.message).toContain("this address");
    expect(refusal(source("ada", "there"))).toBeNull();
    clock.now += 29_999;
    expect(refusal(source("ada", "here"))).not.toBeNull();
    clock.now += 1;
    expect(refusal(source("ada", "here"))).toBeNull();
  });

  test("if both are locked, the longer wait counts", ({ guarded: { clock, refusal, fail } }) => {
    for (const account of ["a", "b", "c"]) {
      for (let n = 1; n <= 5; n++) fail(source(account, "here"));
    }
    for (let n = 1; n <= 4; n++) fail(source("d", "here"));
    expect(fail(source("d", "here"))).toEqual(["account", "address"]);
    expect(refusal(source("d", "here"))).toMatchObject({ retryAfterSeconds: 900 });
    expect(refusal(source("e", "here"))).toMatchObject({ retryAfterSeconds: 60 });
    clock.now += minute;
    expect(refusal(source("e", "here"))).toBeNull();
    expect(refusal(source("d", "here"))).toMatchObject({ retryAfterSeconds: 840 });
  });

  test("the right password resets the account", ({ guarded: { guard, refusal, fail } }) => {
    for (let n = 1; n <= 4; n++) fail(source("ada", "here"));
    expect(guard.judge(source("ada", "here"), true)).toEqual([]);
    for (let n = 1; n <= 4; n++) expect(fail(source("ada", "here"))).toEqual([]);
    for (let n = 9; n <= 19; n++) expect(fail(source(n, "here"))).toEqual([]);
    expect(guard.judge(source("ada", "here"), true)).toEqual([]);
    expect(fail(source(20, "here"))).toEqual(["address"]);
    expect(refusal(source("ada", "here"))).not.toBeNull();
  });

  test.for([true, false])(
    "while locked, no password is checked (right: %j)",
    (fits, { guarded: { guard, fail } }) => {
      for (let n = 1; n <= 5; n++) fail(source("ada", 1));
      expect(() => guard.judge(source("ada", 1), fits)).toThrow(/Too many failed sign-ins/);
    },
  );
});

test("each refused attempt is counted", ({ guarded: { refusal, fail, guard, refused } }) => {
  for (let n = 1; n <= 5; n++) fail(source("ada", 1));
  expect(refused()).toBe(0);
  for (let n = 1; n <= 3; n++) refusal(source("ada", 1));
  expect(() => guard.judge(source("ada", 1), true)).toThrow();
  expect(refused()).toBe(4);
});
