// If the wall clock is far ahead, this clock stops for a day, then gains a week per day, and
// accepts the wall clock after a week.

import { expect, test } from "vitest";
import { heldBackMs, moveRetentionClock } from "../../src/domain/retention-clock.ts";
import { hourMs } from "../../src/lib/duration.ts";

const year = 365 * 24;

/** How far the wall clock is ahead, and how long the server ran since the last move, in hours. */
type Move = [
  what: string,
  passed: { ahead: number; ran: number; doubted?: number; jumped?: true },
  moved: { at: number; doubted: number },
];

test.each<Move>([
  ["follows the wall clock", { ahead: 1, ran: 1 }, { at: 1, doubted: 0 }],
  ["keeps up after hours without a server", { ahead: 24, ran: 0 }, { at: 24, doubted: 0 }],
  ["keeps up after days with a server", { ahead: 72, ran: 72 }, { at: 72, doubted: 0 }],
  ["follows the wall clock back a little", { ahead: -1, ran: 0 }, { at: -1, doubted: 0 }],
  ["stops if the wall clock is far ahead", { ahead: year, ran: 1 }, { at: 0, doubted: 1 }],
  ["is stopped for a day", { ahead: year, ran: 2, doubted: 22 }, { at: 0, doubted: 24 }],
  ["later runs 8 times as fast", { ahead: year, ran: 2, doubted: 23 }, { at: 8, doubted: 25 }],
  [
    "does not pass the wall clock",
    { ahead: 25, ran: 10, doubted: 48, jumped: true },
    { at: 25, doubted: 58 },
  ],
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
  ["doubts a small jump", { ahead: 2, ran: 0, jumped: true }, { at: 0, doubted: 0 }],
])("the clock %s", (_what, { ahead, ran, doubted = 0, jumped = false }, moved) => {
  const start = 1_800_000_000_000;
  const passed = { wall: start + ahead * hourMs, ranMs: ran * hourMs, hasJumped: jumped };
  expect(moveRetentionClock({ at: start, doubtedMs: doubted * hourMs }, passed)).toEqual({
    at: start + moved.at * hourMs,
    doubtedMs: moved.doubted * hourMs,
  });
});

test("after a small jump, the clock stops for a day, however far the wall clock is ahead", () => {
  const at = 1_800_000_000_000;
  const heldBack = (doubted: number, ahead: number) =>
    heldBackMs({ at, doubtedMs: doubted * hourMs }, at + ahead * hourMs) / hourMs;
  expect(heldBack(23, 24)).toBe(1);
  expect(heldBack(1, year)).toBe(year - 1);
  expect(heldBack(48, year)).toBe(year - 24);
});
