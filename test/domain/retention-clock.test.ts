// The clock by which things are deleted: beside a wall clock that is far ahead it stands still for a day,
// gains a week a day, and believes it after a week.

import { expect, test } from "vitest";
import { heldBackMs, moveRetentionClock } from "../../src/domain/retention-clock.ts";

const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;

test.each([
  { what: "goes with the wall clock", ahead: hour, ran: hour, gives: { at: hour, doubted: 0 } },
  { what: "and after hours of rest", ahead: 24 * hour, ran: 0, gives: { at: day, doubted: 0 } },
  {
    what: "and after days of running",
    ahead: 3 * day,
    ran: 3 * day,
    gives: { at: 3 * day, doubted: 0 },
  },
  { what: "back a little", ahead: -hour, ran: 0, gives: { at: -hour, doubted: 0 } },
  {
    what: "stands still beside one far ahead",
    ahead: year,
    ran: hour,
    gives: { at: 0, doubted: hour },
  },
  {
    what: "for a day",
    ahead: year,
    ran: 2 * hour,
    doubted: 22 * hour,
    gives: { at: 0, doubted: day },
  },
  {
    what: "then goes eight times as fast",
    ahead: year,
    ran: 2 * hour,
    doubted: day - hour,
    gives: { at: 8 * hour, doubted: day + hour },
  },
  {
    what: "not past it",
    ahead: 25 * hour,
    ran: 10 * hour,
    doubted: 2 * day,
    jumped: true,
    gives: { at: 25 * hour, doubted: 2 * day + 10 * hour },
  },
  {
    what: "and believes it after a week",
    ahead: year,
    ran: hour,
    doubted: 8 * day,
    gives: { at: year, doubted: 0 },
  },
  { what: "stands beside one far back", ahead: -year, ran: hour, gives: { at: 0, doubted: hour } },
  {
    what: "and believes that after a day",
    ahead: -year,
    ran: hour,
    doubted: day,
    gives: { at: -year, doubted: 0 },
  },
  {
    what: "doubts a small jump",
    ahead: 2 * hour,
    ran: 0,
    jumped: true,
    gives: { at: 0, doubted: 0 },
  },
])("$what", ({ ahead, ran, doubted = 0, jumped = false, gives }) => {
  const start = 1_800_000_000_000;
  const passed = { wall: start + ahead, ranMs: ran, hasJumped: jumped };
  expect(moveRetentionClock({ at: start, doubtedMs: doubted }, passed)).toEqual({
    at: start + gives.at,
    doubtedMs: gives.doubted,
  });
});

test("after a small jump it stands still for a day, which is not how far the wall clock is ahead", () => {
  const at = 1_800_000_000_000;
  expect(heldBackMs({ at, doubtedMs: day - hour }, at + day)).toBe(hour);
  expect(heldBackMs({ at, doubtedMs: hour }, at + year)).toBe(year - hour);
  expect(heldBackMs({ at, doubtedMs: 2 * day }, at + year)).toBe(year - day);
});
