// The random part of each delay is fixed.

import { expect, test } from "vitest";
import { backoffMs, jittered, retryMs } from "../../../src/agent/connection/backoff.ts";
import { ServerError } from "../../../src/client/failures.ts";
import { Unreachable } from "../../../src/client/unreachable.ts";
import { AppError } from "../../../src/domain/errors.ts";

const limits = { minMs: 500, maxMs: 30_000 };

test.each([
  [1, 500],
  [2, 1000],
  [3, 2000],
  [6, 16_000],
  [7, 30_000],
  [8, 30_000],
  [10_000, 30_000],
])("the delay before attempt %i is 0 to %i ms", (attempt, most) => {
  const at = (random: number) => backoffMs(attempt, limits, () => random);
  expect([at(0), at(0.5), at(1)]).toEqual([0, most / 2, most]);
});

test("an interval varies by at most 10 %", () => {
  const at = (random: number) => Math.round(jittered(1000, () => random));
  expect([at(0), at(0.5), at(1)]).toEqual([900, 1000, 1100]);
});

const away = new Unreachable("http://a", "connection refused");
const unavailable = (retryAfterSeconds: number) =>
  new AppError("UNAVAILABLE", "Not now.", { retryAfterSeconds });
const newer = new ServerError("X", "x", { status: 429, retryAfterSeconds: 3 });

test.each<[string, unknown, number, number]>([
  ["an unreachable server", away, 0, 500],
  ["no Retry-After", new AppError("UNAVAILABLE", "Not now."), 0, 500],
  ["Retry-After: 0", unavailable(0), 0, 500],
  ["Retry-After: 7", unavailable(7), 7000, 7500],
  ["a Retry-After of one day, which is too long", unavailable(86_400), 300_000, 300_500],
  ["the Retry-After of a newer server's error", newer, 3000, 3500],
])("the delay after %s", (_, error, least, most) => {
  const at = (random: number) => retryMs(error, 1, limits, { random: () => random });
  expect([at(0), at(1)]).toEqual([least, most]);
});

test.each<[string, unknown, number, number, number]>([
  ["an unreachable server, 1st attempt", away, 1, 0, 5000],
  ["an unreachable server, 30th attempt", away, 30, 0, 300_000],
  ["Retry-After: 30, 1st attempt", unavailable(30), 1, 30_000, 35_000],
  ["Retry-After: 30, 30th attempt", unavailable(30), 30, 30_000, 330_000],
  ["Retry-After: 300, 30th attempt", unavailable(300), 30, 300_000, 330_000],
])(
  "slowness lengthens only the agent's own part of the delay, up to a limit: %s",
  (_, error, attempt, ...bounds) => {
    const at = (random: number) =>
      retryMs(error, attempt, limits, { slowness: 10, random: () => random });
    expect([at(0), at(1)]).toEqual(bounds);
  },
);
