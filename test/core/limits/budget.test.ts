import { expect, test } from "vitest";
import type { RouteSpec } from "../../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../../src/api/index.ts";
import { presentCaller } from "../../../src/core/caller.ts";
import { Budget, Turns } from "../../../src/core/limits/budget.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectRefused } from "../refusals.ts";

/** Budgets on a clock that only `work` moves. */
function surroundings() {
  let now = 0;
  let turns = 0;
  const stopping = new AbortController();
  class CountedTurns extends Turns {
    override next() {
      turns++;
      return super.next();
    }
  }
  const core = { monotonic: () => now, stopping: stopping.signal, turns: new CountedTurns() };
  return {
    core,
    stop: () => stopping.abort(),
    turns: () => turns,
    work(ms: number) {
      now += ms;
    },
  };
}

test("others run whenever a call has worked for 5 ms", async () => {
  const { core, work, turns } = surroundings();
  const budget = new Budget(core, presentCaller);
  await budget.spend();
  for (let n = 0; n < 4; n++) {
    work(1);
    await budget.spend();
  }
  expect(turns()).toBe(0);
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  work(1);
  await budget.spend();
  expect([turns(), hasRun]).toEqual([1, true]);
  for (let n = 0; n < 10; n++) {
    work(2);
    await budget.spend();
  }
  expect(turns()).toBe(4);
});

test("long calls take turns: the event loop is free between any two of their slices", async () => {
  const { core, work } = surroundings();
  const order: string[] = [];
  const call = async (name: string) => {
    const budget = new Budget(core, presentCaller);
    await budget.spend();
    for (let n = 0; n < 3; n++) {
      work(5);
      await budget.spend();
      order.push(name);
      setImmediate(() => order.push("others"));
    }
  };
  await Promise.all(["a", "b", "c"].map(call));
  // The last slice may end before others have run.
  const pairs = order.slice(0, 17).flatMap((name, at) => (at % 2 === 0 ? [] : [name]));
  expect(new Set(pairs)).toEqual(new Set(["others"]));
  expect(order.filter((name) => name !== "others").sort()).toEqual([..."aaabbbccc"]);
});

test("a call ends past its limit, and says so", async () => {
  const budget = new Budget(surroundings().core, presentCaller);
  await budget.spend(1_000_000);
  budget.limit = 1_000_010;
  await budget.spend(10);
  await expectRefused(budget.spend(), "TOO_MUCH_WORK", { limit: 1_000_010 });
});

test("a call ends when its caller has left or the service stops, also in its pause", async () => {
  const { core, stop, work } = surroundings();
  const { caller, leave } = leavingCaller();
  const left = new Budget(core, caller);
  await left.spend();
  work(5);
  const resting = left.spend();
  leave();
  await expectRefused(resting, "UNAVAILABLE");
  await expectRefused(left.spend(), "UNAVAILABLE");
  const budget = new Budget(core, presentCaller);
  await budget.spend();
  stop();
  await expectRefused(budget.spend(0), "UNAVAILABLE");
});

test("heavy routes have a limit, and only these routes are heavy", () => {
  const heavy = (Object.entries(routes) as [RouteName, RouteSpec][]).filter(
    ([, spec]) => spec.heavy || spec.workLimit !== undefined,
  );
  for (const [, spec] of heavy) expect(spec).toMatchObject({ heavy: true });
  for (const [, spec] of heavy) expect(spec.workLimit).toBeGreaterThan(0);
  expect(heavy.map(([name]) => name).sort()).toEqual([
    "bus-routes.replay",
    "bus-routes.test",
    "bus-routes.test-draft",
    "declarations.apply",
    "declarations.preview",
    "rollouts.create",
    "rollouts.preview",
    "rollouts.preview-retry",
    "rollouts.retry",
    "schedules.create",
    "schedules.get",
    "schedules.resume",
    "schedules.run",
    "schedules.update",
  ]);
});
