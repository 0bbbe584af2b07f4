import { describe, expect, test } from "vitest";
import { RateWindow, tooMany } from "../../../src/core/limits/rate-window.ts";

function windowOf(limit: number, seconds: number) {
  const clock = { now: 1000 };
  const window = new RateWindow(limit, seconds, () => clock.now);
  const refusal = (key: string) => {
    const waitMs = window.waitMs(key);
    return waitMs > 0 ? tooMany("things", waitMs) : null;
  };
  return { clock, window, refusal };
}

test("a window allows as many events as its limit, and one more for each that expires", () => {
  const { clock, window, refusal } = windowOf(3, 10);
  for (const pause of [0, 4000, 2000]) {
    clock.now += pause;
    expect(refusal("a")).toBeNull();
    window.note("a");
  }
  expect(refusal("a")).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 4 });
  expect(refusal("a")?.message).toBe("Too many things: try again later.");
  clock.now += 3999;
  expect(refusal("a")).toMatchObject({ retryAfterSeconds: 1 });
  clock.now += 1;
  expect(refusal("a")).toBeNull();
  window.note("a");
  expect(refusal("a")).toMatchObject({ retryAfterSeconds: 4 });
});

test("keys are independent", () => {
  const { window, refusal } = windowOf(1, 10);
  window.note("a");
  expect(refusal("a")).not.toBeNull();
  expect(refusal("b")).toBeNull();
});

test("a window reports once that its limit is reached", () => {
  const { clock, window } = windowOf(2, 10);
  expect([1, 2, 3, 4].map(() => window.note("a"))).toEqual([false, true, false, false]);
  clock.now += 10_000;
  expect([1, 2].map(() => window.note("a"))).toEqual([false, true]);
});

test("events above the limit replace the oldest", () => {
  const { clock, window, refusal } = windowOf(2, 10);
  for (let n = 0; n < 1000; n++) window.note("a");
  expect(refusal("a")).toMatchObject({ retryAfterSeconds: 10 });
  clock.now += 5000;
  window.note("a");
  expect(refusal("a")).toMatchObject({ retryAfterSeconds: 5 });
  clock.now += 5000;
  expect(refusal("a")).toBeNull();
  window.note("a");
  expect(refusal("a")).toMatchObject({ retryAfterSeconds: 5 });
});

describe("with very many keys", () => {
  const maxKeys = 50_000;

  test("expired ones are dropped", () => {
    const { clock, window, refusal } = windowOf(1, 10);
    for (let n = 0; n < maxKeys - 1; n++) window.note(`old ${n}`);
    clock.now += 10_000;
    window.note("young");
    window.note("newest");
    expect(refusal("young")).not.toBeNull();
    expect(refusal("newest")).not.toBeNull();
  });

  test("the oldest is dropped if none has expired", () => {
    const { window, refusal } = windowOf(1, 10);
    for (let n = 0; n <= maxKeys; n++) window.note(`key ${n}`);
    expect(refusal("key 0")).toBeNull();
    expect(refusal("key 1")).not.toBeNull();
    expect(refusal(`key ${maxKeys}`)).not.toBeNull();
  });
});
