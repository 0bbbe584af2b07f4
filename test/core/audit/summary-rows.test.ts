// Which of an actor's repeated events get a row, and which are summarized in which window.

import { test as base, describe, expect } from "vitest";
import { AuditSums, type Occurrence, type Sum } from "../../../src/core/audit/summary-rows.ts";
import type { Principal } from "../../../src/domain/access/principals.ts";
import type { SummedAction } from "../../../src/domain/audit/summary-rows.ts";

const test = base.extend("summing", () => summing());

const minute = 60_000;

function key(keyId: string | number): Principal {
  const belongsTo = { userId: null, makerId: null };
  return { kind: "apiKey", keyId: String(keyId), name: "a key", role: "viewer", ...belongsTo };
}

function summing() {
  const clock = { now: 0 };
  const sums = new AuditSums(() => clock.now);
  const happening = (action: SummedAction, item: string, principal: Principal): Occurrence => ({
    entry: { action, targetType: "route", targetId: item },
    principal,
    item,
    at: clock.now,
  });
  return {
    clock,
    sums,
    happening,
    /** Returns how many of the events get a row. */
    flood(count: number, action: SummedAction, item = "x", principal = key(1)): number {
      const happenings = Array.from({ length: count }, () => happening(action, item, principal));
      return happenings.filter((each) => sums.note(each).inFull).length;
    },
    taken: (now = false) => sums.take(now).map(countsOf),
  };
}

function countsOf({ count, counts }: Sum) {
  expect([...counts.values()].reduce((sum, each) => sum + each, 0)).toBe(count);
  return Object.fromEntries(counts);
}

describe("failed sign-ins", () => {
  const failed = "session.login.failed";

  test("sixty get rows, the rest one a minute", ({ summing: { clock, flood, taken } }) => {
    for (const [count, inFull, summed] of [
      [100, 60, 40],
      [61, 60, 1],
      [60, 60, 0],
      [1, 1, 0],
    ] as const) {
      expect(flood(count, failed)).toBe(inFull);
      clock.now += minute - 1;
      expect(taken()).toEqual([]);
      clock.now += 1;
      expect(taken()).toEqual(summed ? [{ x: summed }] : []);
      expect(taken()).toEqual([]);
    }
  });

  test("are also summarized after the minute", ({ summing: { clock, flood, taken } }) => {
    for (const count of [70, 80, 90]) {
      flood(count, failed);
      clock.now += minute;
    }
    flood(65, failed);
    expect(taken()).toEqual([{ x: 10 }, { x: 20 }, { x: 30 }]);
    expect(taken(true)).toEqual([{ x: 5 }]);
    // Events that already have rows still count toward the limit.
    expect(flood(1, failed)).toBe(0);
  });

  test("still get rows after mere counts", ({ summing: { sums, happening, flood, taken } }) => {
    for (let n = 0; n < 100; n++) sums.count(happening(failed, "refused", key(1)));
    expect(flood(61, failed)).toBe(60);
    expect(taken(true)).toEqual([{ refused: 100, x: 1 }]);
  });
});

describe("refused calls", () => {
  const denied = "access.denied";

  test("to one route get one row a minute", ({ summing: { clock, flood, taken } }) => {
    expect(flood(1000, denied)).toBe(1);
    for (let n = 0; n < 5; n++) {
      clock.now += minute;
      expect(taken()).toEqual([{ x: n === 0 ? 999 : 1000 }]);
      expect(flood(1000, denied)).toBe(0);
    }
    clock.now += minute;
    expect(taken()).toEqual([{ x: 1000 }]);
    clock.now += minute;
    expect(taken()).toEqual([]);
    expect(flood(1000, denied)).toBe(1);
  });

  test("to many routes get twenty rows a minute", ({ summing: { clock, flood, taken } }) => {
    let inFull = 0;
    for (let second = 0; second < 600; second++) {
      for (let n = 0; n < 5; n++) inFull += flood(1, denied, `route ${(second * 5 + n) % 40}`);
      clock.now += 1000;
      inFull += taken().length;
    }
    expect(inFull).toBeGreaterThan(10);
    expect(inFull).toBeLessThanOrEqual(10 * 21);
  });

  test("are limited by credential", ({ summing: { flood, taken } }) => {
    expect(flood(10, denied, "x", key(1))).toBe(1);
    expect(flood(10, denied, "x", key(2))).toBe(1);
    expect(taken(true)).toEqual([{ x: 9 }, { x: 9 }]);
  });
});

describe("health changes", () => {
  const changed = "service.health.changed";

  test("256 services get 256 rows, then 60 a minute", ({ summing: { clock, flood, taken } }) => {
    const storm = () => {
      let inFull = 0;
      for (let n = 0; n < 256; n++) inFull += flood(5, changed, `service ${n}`);
      return inFull;
    };
    expect(storm()).toBe(256);
    clock.now += minute;
    const [sum] = taken();
    expect(Object.values(sum ?? {}).reduce((all, each) => all + each, 0)).toBe(256 * 5 - 256);
    // Actions that were summarized stay summarized.
    expect(storm()).toBeLessThanOrEqual(60);
  });

  test("one flapping service does not hide another", ({ summing: { clock, flood, taken } }) => {
    for (let n = 0; n < 10; n++) {
      expect(flood(100, changed, "flaps")).toBe(n === 0 ? 4 : 0);
      clock.now += minute;
      expect(taken()).toHaveLength(1);
    }
    expect(flood(1, changed, "redis")).toBe(1);
  });
});

test("undone events are not counted", ({ summing: { sums, happening, flood, taken } }) => {
  const one = () => sums.note(happening("access.denied", "x", key(1)));
  for (let n = 0; n < 100; n++) {
    const noted = one();
    expect(noted.inFull).toBe(true);
    noted.undo();
  }
  expect(flood(1, "access.denied")).toBe(1);
  for (let n = 0; n < 100; n++) one().undo();
  expect(taken(true)).toEqual([]);
});

test("failed summaries are merged into the next", ({ summing: { clock, sums, flood, taken } }) => {
  flood(11, "access.denied");
  clock.now += minute;
  const lost = sums.take(false);
  clock.now += minute;
  flood(5, "access.denied");
  sums.restore(lost);
  clock.now += minute;
  const [sum] = sums.take(false);
  expect(sum).toMatchObject({ count: 14, firstAt: 0, lastAt: 2 * minute });
  sums.restore([sum!]);
  clock.now += minute;
  expect(taken()).toEqual([{ x: 14 }]);
});

test("a storm of one action does not affect others", ({ summing: { clock, sums, flood } }) => {
  const claim = "service.claim.refused";
  const hosts = 40;
  for (let host = 0; host < hosts; host++) {
    for (let n = 0; n < 256; n++) flood(2, claim, `service ${n}`, key(host));
  }
  expect(flood(2, claim, "x", key("new"))).toBe(1);
  expect(flood(2, "access.denied", "x", key("new"))).toBe(1);
  clock.now += 60 * minute;
  const taken = sums.take(false);
  const actors = taken.map(({ principal }) => (principal as { keyId?: string }).keyId);
  expect(actors.filter((actor) => actor === "new")).toHaveLength(2);
  expect(new Set(actors).size).toBe(hosts + 1);
  expect(actors).not.toContain(undefined);
  // An actor's items above the limit share one sum.
  expect(taken.length).toBeLessThan(5_100);
  const last = taken.filter(({ counts }) => counts.size > 1);
  expect(last.length).toBeGreaterThan(0);
  for (const { counts } of last) expect(counts.size).toBeLessThanOrEqual(256);
});

test("memory is bounded, and every event is counted", ({ summing: { clock, sums, flood } }) => {
  const actors = 10_100;
  let inFull = 0;
  for (let n = 0; n < actors; n++) inFull += flood(2, "access.denied", "x", key(n));
  for (let n = 0; n < 1000; n++) inFull += flood(1, "bus.event.duplicate", `event ${n}`);
  clock.now += minute;
  const taken = sums.take(false);
  expect(taken.length).toBeLessThanOrEqual(10_002);
  const summed = taken.reduce((all, { count }) => all + count, 0);
  expect(inFull + summed).toBe(2 * actors + 1000);
  for (const { counts } of taken) expect(counts.size).toBeLessThanOrEqual(257);
  const shared = taken.filter(({ principal }) => principal.kind === "system");
  expect(shared.length).toBeGreaterThan(0);
});
