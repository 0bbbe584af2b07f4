// If the wall clock is far ahead, the retention clock stops for a day, then gains a week per day,
// and accepts the wall clock after a week.

import { expect, test } from "vitest";
import {
  isFarFrom,
  moveRetentionClock,
  type RetentionClock,
} from "../../src/domain/retention-clock.ts";
import { hourMs } from "../../src/lib/duration.ts";

const year = 365 * 24;

/** How far the wall clock is ahead, and how long servers ran since the last move, in hours. */
type Move = [
  what: string,
  passed: { ahead: number; ran: number; doubted?: number; jumped?: true },
  moved: { at: number; doubted: number },
];

const start = 1_800_000_000_000;
/** The shortest doubt, 1 ms, in hours. */
const atOnce = 1 / hourMs;

test.each<Move>([
  ["follows the wall clock", { ahead: 1, ran: 1 }, { at: 1, doubted: 0 }],
  ["keeps up after days with a server", { ahead: 72, ran: 72 }, { at: 72, doubted: 0 }],
  ["follows the wall clock back a little", { ahead: -1, ran: 0 }, { at: -1, doubted: 0 }],
  ["stops if the wall clock is far ahead", { ahead: year, ran: 1 }, { at: 0, doubted: 1 }],
  ["stops at once", { ahead: year, ran: 0 }, { at: 0, doubted: atOnce }],
  ["is stopped for a day", { ahead: year, ran: 2, doubted: 22 }, { at: 0, doubted: 24 }],
  ["is stopped for a day after a jump", { ahead: 3, ran: 2, doubted: 1 }, { at: 0, doubted: 3 }],
  ["later runs 8 times as fast", { ahead: year, ran: 2, doubted: 23 }, { at: 8, doubted: 25 }],
  [
    "does not pass the wall clock",
    { ahead: 25, ran: 10, doubted: 48, jumped: true },
    { at: 25, doubted: 58 },
  ],
  ["ends the doubt when it is near", { ahead: 25, ran: 1, doubted: 30 }, { at: 25, doubted: 0 }],
  [
    "accepts the wall clock after a week",
    { ahead: year, ran: 1, doubted: 192 },
    { at: year, doubted: 0 },
  ],
  ["stops if the wall clock is far back", { ahead: -year, ran: 1 }, { at: 0, doubted: 1 }],
  [
    "accepts a wall clock that is far back after a day",
    { ahead: -year, ran: 1, doubted: 24 },
    { at: -year, doubted: 0 },
  ],
  ["doubts a small jump", { ahead: 2, ran: 0, jumped: true }, { at: 0, doubted: atOnce }],
])("the clock %s", (_what, { ahead, ran, doubted = 0, jumped = false }, moved) => {
  const now = start + ahead * hourMs;
  const movedAt = now - ran * hourMs - (jumped ? 1 : 0);
  const wall = { now, steadyMs: ran * hourMs, notForwardMs: jumped ? ran * hourMs : Infinity };
  const before = { at: start, doubtedMs: doubted * hourMs, movedAt };
  const { at, doubtedMs, ...rest } = moveRetentionClock(before, wall);
  expect({ at: (at - start) / hourMs, doubted: doubtedMs / hourMs }).toEqual(moved);
  expect(rest).toEqual({ movedAt: now });
});

/**
 * Returns a function that moves the clock to a wall time, as a process with this knowledge of the
 * wall clock would. All times are in hours.
 */
function moving(clock: RetentionClock) {
  return (now: number, known: { steady?: number; notForward?: number }) => {
    const { steady = Infinity, notForward = Infinity } = known;
    const wall = { steadyMs: steady * hourMs, notForwardMs: notForward * hourMs };
    clock = moveRetentionClock(clock, { now: start + now * hourMs, ...wall });
    return { at: (clock.at - start) / hourMs, doubted: Math.round(clock.doubtedMs / hourMs) };
  };
}

test("time counts once, however many servers move the clock", () => {
  const move = moving({ at: start, doubtedMs: 0, movedAt: start });
  expect(move(year, { steady: 0, notForward: 0 })).toEqual({ at: 0, doubted: 0 });
  // Two nodes noticed the jump. A third, which began before it, moves the clock for the first time.
  expect(move(year + 1, { steady: 1, notForward: 1 })).toEqual({ at: 0, doubted: 1 });
  expect(move(year + 2, { steady: 2, notForward: 2 })).toEqual({ at: 0, doubted: 2 });
  expect(move(year + 3, { steady: 500 })).toEqual({ at: 0, doubted: 3 });
});

test("a process that did not notice a jump leaves the clock stopped", () => {
  const move = moving({ at: start, doubtedMs: 0, movedAt: start });
  expect(move(20, { steady: 1, notForward: 1 })).toEqual({ at: 0, doubted: 1 });
  expect(move(21, { steady: 0 })).toEqual({ at: 0, doubted: 1 });
  expect(move(43, {})).toEqual({ at: 0, doubted: 23 });
});

test.each([
  ["near", { ahead: 24, doubted: 0 }, false],
  ["far ahead", { ahead: 25, doubted: 0 }, true],
  ["far behind", { ahead: -25, doubted: 0 }, true],
  [
    "near after the day for which a small jump has stopped this one",
    { ahead: 47, doubted: 23 },
    false,
  ],
  ["far after days", { ahead: 49, doubted: 48 }, true],
])("the wall clock is %s", (_what, { ahead, doubted }, isFar) => {
  const clock = { at: start, doubtedMs: doubted * hourMs, movedAt: start };
  expect(isFarFrom(clock, start + ahead * hourMs)).toBe(isFar);
});
