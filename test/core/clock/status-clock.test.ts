// The clock that decides which agents are silent stops for one period after a clock jump or pause.

import { test as base, expect } from "vitest";
import { StatusClock } from "../../../src/core/clock/status-clock.ts";

const test = base.extend("clock", () => openClock());

const graceMs = 90_000;
const start = 1_000_000_000;

function openClock() {
  let wall = start;
  let monotonic = 500;
  let stoppedAt: number | null = null;
  const told: { jumps: number[]; pauses: number[] } = { jumps: [], pauses: [] };
  const clock = new StatusClock({
    now: () => wall,
    monotonic: () => monotonic,
    graceMs,
    absenceMs: 10_000,
    outageSince: () => stoppedAt,
    onJump: (ms) => told.jumps.push(ms),
    onPause: (ms) => told.pauses.push(ms),
  });
  return {
    told,
    disturbances: () => clock.disturbances,
    /** Returns the clock's time relative to the start. */
    shows: () => clock.now() - start,
    /** Advances both clocks, and watches them every second. */
    pass(ms: number, wallMs = ms) {
      for (let passed = 0; passed < ms; passed += 1000) {
        const step = Math.min(1000, ms - passed);
        monotonic += step;
        wall += (step * wallMs) / ms;
        clock.watch();
      }
    },
    /** Makes the storage stop, or work again, at the present time. */
    storage(state: "stops" | "works") {
      stoppedAt = state === "stops" ? wall : null;
    },
    endedOutage: () => clock.endedOutage,
    heardFor: () => clock.heardForMs(),
    pause(ms: number) {
      monotonic += ms;
      wall += ms;
    },
    jump(ms: number) {
      wall += ms;
      clock.now();
    },
  };
}

const hour = 3_600_000;

test("without a jump, the clock equals the wall clock", ({
  clock: { shows, pass, told, disturbances },
}) => {
  expect(shows()).toBe(0);
  pass(hour);
  expect(shows()).toBe(hour);
  expect([told, disturbances()]).toEqual([{ jumps: [], pauses: [] }, 0]);
});

test.for([
  ["an hour forward", hour],
  ["five seconds forward", 5000],
  ["an hour back", -hour],
] as const)(
  "after %s, the clock stops for exactly one period, never ahead of the wall clock",
  ([_how, ms], { clock: { shows, pass, jump, told, disturbances } }) => {
    pass(10_000);
    jump(ms);
    expect(shows()).toBe(10_000 + Math.min(0, ms));
    pass(graceMs - 1);
    expect(shows()).toBe(10_000 + Math.min(0, ms));
    pass(1);
    expect(shows()).toBe(10_000 + ms + graceMs);
    expect([told, disturbances()]).toEqual([{ jumps: [ms], pauses: [] }, 1]);
  },
);

test.for([4999, -4999])(
  "a difference of %i ms is not a jump",
  (ms, { clock: { shows, jump, told } }) => {
    jump(ms);
    expect([shows(), told.jumps]).toEqual([ms, []]);
  },
);

test.for([
  ["fast", 1.05],
  ["slow", 0.95],
] as const)(
  "a wall clock that runs %s does not count as jumping",
  ([_how, rate], { clock: { shows, pass, told } }) => {
    pass(10 * hour, 10 * hour * rate);
    expect(shows()).toBeCloseTo(10 * hour * rate, 3);
    expect(told.jumps).toEqual([]);
  },
);

test("after several jumps, the clock stops until one period after the last", ({
  clock: { shows, pass, jump, told, disturbances },
}) => {
  jump(hour);
  pass(60_000);
  jump(hour);
  pass(60_000);
  expect(shows()).toBe(0);
  pass(29_999);
  expect(shows()).toBe(0);
  pass(1);
  expect(shows()).toBe(2 * hour + 150_000);
  expect([told.jumps, disturbances()]).toEqual([[hour, hour], 2]);
});

test.for([
  ["forward and back", hour],
  ["back and forward", -hour],
] as const)(
  "when the wall clock jumps %s, this clock stays where it stopped",
  ([_how, ms], { clock: { shows, pass, jump } }) => {
    jump(ms);
    pass(20_000);
    jump(-ms);
    expect(shows()).toBe(Math.min(0, ms));
    pass(graceMs);
    expect(shows()).toBe(20_000 + graceMs);
  },
);

test("a later jump is handled separately", ({ clock: { shows, pass, jump } }) => {
  jump(hour);
  pass(graceMs + 5000);
  jump(hour);
  expect(shows()).toBe(hour + graceMs + 5000);
});

test("a pause of the process does not count as silence", ({
  clock: { shows, pass, pause, told, disturbances },
}) => {
  pass(5000);
  pause(hour);
  pass(1000);
  expect(shows()).toBe(5000);
  pass(graceMs - 1);
  expect(shows()).toBe(5000);
  pass(1);
  expect(shows()).toBe(6000 + hour + graceMs);
  expect([told, disturbances()]).toEqual([{ jumps: [], pauses: [hour + 1000] }, 1]);
});

test.for([
  [8999, 0],
  [9000, 1],
] as const)(
  "a check that is %i ms late counts as %i pauses",
  ([ms, pauses], { clock: { pass, pause, told } }) => {
    pass(5000);
    pause(ms);
    pass(1000);
    pass(5000);
    expect(told.pauses).toHaveLength(pauses);
  },
);

test("the first check never counts as a pause", ({ clock: { pass, pause, told } }) => {
  pause(hour);
  pass(1000);
  expect(told.pauses).toEqual([]);
});

test.for([10_000, 120_000, 24 * hour])(
  "while the storage does not work for %i ms, and for one period from then, the clock stops",
  (ms, { clock: { shows, pass, storage, disturbances, endedOutage, heardFor } }) => {
    pass(5_000);
    storage("stops");
    pass(ms);
    expect(shows()).toBe(5_000);
    expect(endedOutage()).toBeNull();
    storage("works");
    pass(graceMs - 1);
    expect(shows()).toBe(5_000);
    expect(endedOutage()).toEqual({ from: start + 5_000, to: start + 5_000 + ms });
    expect(heardFor()).toBe(graceMs - 1);
    pass(1);
    expect(shows()).toBe(5_000 + ms + graceMs);
    expect(disturbances()).toBe(1);
  },
);

test("a shorter outage is not silence", ({ clock: { shows, pass, storage, endedOutage } }) => {
  storage("stops");
  pass(9_999);
  storage("works");
  pass(1000);
  expect([shows(), endedOutage()]).toEqual([10_999, null]);
});

test.for([hour, -hour])("a jump by %i ms in an outage does not end it", (ms, { clock }) => {
  const { shows, pass, storage, jump } = clock;
  pass(2 * hour);
  storage("stops");
  pass(20_000);
  jump(ms);
  pass(2 * graceMs);
  expect(shows()).toBe(Math.min(0, ms) + 2 * hour + (ms < 0 ? 20_000 : 0));
  storage("works");
  pass(graceMs);
  expect(shows()).toBe(2 * hour + ms + 20_000 + 3 * graceMs);
});
