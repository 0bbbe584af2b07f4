// Due times of random expressions in zones with different rules, compared with a search minute by
// minute.

import { expect, test } from "vitest";
import { nextDue } from "../../../src/domain/schedules/due-times.ts";
import { randomNumbers } from "../../helpers/random.ts";
import { size } from "../../helpers/size.ts";
import { offsetAt, walkToNext } from "./walk.ts";

const cases = size(15, 10_000);
const day = 86_400_000;
const [from, to] = [Date.UTC(2024, 0, 1), Date.UTC(size(2025, 2034), 0, 1)];

const zones = [
  ...["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/New_York", "America/Santiago"],
  ...["Asia/Kolkata", "Pacific/Auckland", "America/St_Johns", "Africa/Casablanca", "Africa/Cairo"],
  ...["Asia/Tehran", "Asia/Kathmandu", "Pacific/Chatham", "Atlantic/Azores"],
];

/**
 * Returns the times at which the clocks of a zone change, at most six hours late. Assumes that they
 * change at most once in eight days.
 */
function changesOf(zone: string): number[] {
  const changes: number[] = [];
  for (let at = from; at < to; at += 8 * day) {
    let [before, after] = [at, at + 8 * day];
    if (offsetAt(zone, before) === offsetAt(zone, after)) continue;
    while (after - before > day / 4) {
      const middle = (before + after) / 2;
      if (offsetAt(zone, middle) === offsetAt(zone, at)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

test(`${cases} due times equal those of a search minute by minute`, () => {
  const below = randomNumbers(20);
  const changes = new Map<string, number[]>();
  const field = (min: number, max: number): string => {
    const value = () => min + below(max - min + 1);
    const [one, other] = [value(), value()];
    const range = `${Math.min(one, other)}-${Math.max(one, other)}`;
    const step = 1 + below(Math.min(20, max - min));
    const kinds = ["*", "*", `*/${step}`, `${one}`, range, `${range}/${step}`, `${one},${other}`];
    return kinds[below(kinds.length)] ?? "*";
  };
  const wrong: string[] = [];
  for (let n = 0; n < cases; n++) {
    const zone = zones[below(zones.length)] ?? "UTC";
    const near = changes.get(zone) ?? changesOf(zone);
    changes.set(zone, near);
    const isNear = near.length > 0 && below(3) > 0;
    const after = isNear
      ? (near[below(near.length)] ?? 0) + day / 4 - below(2 * day)
      : from + below((to - from) / 1000) * 1000;
    const hour = isNear && below(2) === 0 ? `${below(4)}` : field(0, 23);
    const days = [below(2) ? "*" : field(1, 31), below(2) ? "*" : field(1, 12)];
    const cron = [field(0, 59), hour, ...days, below(2) ? "*" : field(0, 6)].join(" ");
    const limit = after + 40 * day;
    const expected = walkToNext(cron, zone, after, limit);
    const due = nextDue({ cron, timezone: zone }, after);
    if ((due !== null && due < limit ? due : null) === expected) continue;
    wrong.push(`${cron} in ${zone} after ${new Date(after).toISOString()}: ${due}, ${expected}`);
  }
  expect(wrong).toEqual([]);
});
