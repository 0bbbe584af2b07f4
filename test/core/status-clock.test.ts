// The time by which silence is judged: the wall clock, but for what it has just jumped forward.

import { expect, test } from "vitest";
import { StatusClock } from "../../src/core/status-clock.ts";

const graceMs = 90_000;

function started() {
  const time = { wall: 1_000_000_000, monotonic: 5000 };
  const jumps: number[] = [];
  const clock = new StatusClock({
    now: () => time.wall,
    monotonic: () => time.monotonic,
    graceMs,
    onJump: (jumpMs) => jumps.push(jumpMs),
  });
  /** Time passes, looked at every second; `driftMs`: how much the wall clock gains in each. */
  const pass = (seconds: number, driftMs = 0) => {
    for (let n = 0; n < seconds; n++) {
      time.monotonic += 1000;
      time.wall += 1000 + driftMs;
      clock.look();
    }
  };
  return { time, jumps, clock, pass };
}

test("is the wall clock while that goes on as time does", () => {
  const { time, jumps, clock, pass } = started();
  expect(clock.now()).toBe(time.wall);
  pass(3600);
  expect(clock.now()).toBe(time.wall);
  // A clock that is being adjusted, ever so slowly, does not jump.
  pass(3600, 100);
  pass(3600, -100);
  expect(clock.now()).toBe(time.wall);
  expect(jumps).toEqual([]);
});

test("a jump forward is forgiven for the grace, counted from the jump, and told once", () => {
  const { time, jumps, clock, pass } = started();
  time.wall += 3_600_000;
  expect(clock.now()).toBe(time.wall - 3_600_000);
  pass(89);
  expect(clock.now()).toBe(time.wall - 3_600_000);
  pass(1);
  expect(clock.now()).toBe(time.wall);
  expect(jumps).toEqual([3_600_000]);
});

test("what a suspended machine slept is a jump", () => {
  const { time, clock, pass } = started();
  pass(10);
  const before = clock.now();
  // The monotonic clock stood still.
  time.wall += 8 * 3_600_000;
  expect(clock.now()).toBe(before);
});

test("a jump back is not forgiven: what is in the future is fresh", () => {
  const { time, jumps, clock, pass } = started();
  time.wall -= 3_600_000;
  expect(clock.now()).toBe(time.wall);
  pass(200);
  expect(clock.now()).toBe(time.wall);
  expect(jumps).toEqual([-3_600_000]);
});

test("forward and back again is as if nothing had been", () => {
  const { time, clock, pass } = started();
  time.wall += 3_600_000;
  pass(30);
  time.wall -= 3_600_000;
  expect(clock.now()).toBe(time.wall);
});

test("two jumps forward are both forgiven, from the second on", () => {
  const { time, clock, pass } = started();
  time.wall += 600_000;
  pass(60);
  time.wall += 1_200_000;
  clock.look();
  pass(89);
  expect(clock.now()).toBe(time.wall - 1_800_000);
  pass(1);
  expect(clock.now()).toBe(time.wall);
});

test.each([
  [4999, 0],
  [5000, 5000],
])("a step of %d ms is forgiven: %d", (step, forgiven) => {
  const { time, clock } = started();
  time.wall += step;
  expect(clock.now()).toBe(time.wall - forgiven);
});
