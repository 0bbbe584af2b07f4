import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { setRealTimer, TimerWheel } from "../../src/lib/timer-wheel.ts";

const tickMs = 100;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

function wheel() {
  const started = performance.now();
  const now = () => performance.now() - started;
  const timers = new TimerWheel(tickMs, { monotonic: now, setTimer: setRealTimer });
  const ended: { name: string; at: number }[] = [];
  const wait = (name: string) => ({ timeIsUp: () => void ended.push({ name, at: now() }) });
  return { timers, now, ended, wait, names: () => ended.map(({ name }) => name) };
}

test.each([1, 50, 99, 100, 101, 250, 999.5, 60_000])(
  "a wait of %d ms ends neither early nor more than a tick late",
  (ms) => {
    const { timers, ended, wait } = wheel();
    // Begins between two ticks.
    vi.advanceTimersByTime(37);
    timers.add(wait("only"), ms);
    vi.advanceTimersByTime(120_000);
    expect(ended).toHaveLength(1);
    const waited = (ended[0]?.at ?? 0) - 37;
    expect(waited).toBeGreaterThanOrEqual(ms);
    // Node's timers count whole milliseconds.
    expect(waited).toBeLessThanOrEqual(ms + tickMs + 2);
  },
);

test("a shorter wait ends first, whenever it began", () => {
  const { timers, wait, names } = wheel();
  timers.add(wait("long"), 5_000);
  timers.add(wait("short"), 300);
  vi.advanceTimersByTime(1_000);
  timers.add(wait("later"), 300);
  expect(names()).toEqual(["short"]);
  vi.advanceTimersByTime(1_000);
  expect(names()).toEqual(["short", "later"]);
  vi.advanceTimersByTime(5_000);
  expect(names()).toEqual(["short", "later", "long"]);
});

test("thousands of waits share one timer, and none is lost", () => {
  const { timers, now, ended, wait } = wheel();
  const due = new Map<string, number>();
  for (let number = 0; number < 2_000; number++) {
    const ms = (number * 7_919) % 60_000;
    due.set(String(number), now() + ms);
    timers.add(wait(String(number)), ms);
    expect(vi.getTimerCount()).toBe(1);
    if (number % 500 === 0) vi.advanceTimersByTime(13);
  }
  vi.advanceTimersByTime(61_000);
  expect(new Set(ended.map(({ name }) => name)).size).toBe(2_000);
  expect(ended).toHaveLength(2_000);
  for (const { name, at } of ended) {
    const late = at - (due.get(name) ?? 0);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThanOrEqual(tickMs + 2);
  }
  expect(vi.getTimerCount()).toBe(0);
});

describe("a cancelled wait", () => {
  test("does not end, and the others of its tick do", () => {
    const { timers, wait, names } = wheel();
    const cancelled = wait("cancelled");
    const tick = timers.add(cancelled, 500);
    timers.add(wait("other"), 500);
    timers.cancel(cancelled, tick);
    timers.cancel(cancelled, tick);
    vi.advanceTimersByTime(1_000);
    expect(names()).toEqual(["other"]);
  });

  test("leaves no timer if it was the last one", () => {
    const { timers, wait, names } = wheel();
    const last = wait("last");
    timers.cancel(last, timers.add(last, 500));
    expect(vi.getTimerCount()).toBe(0);
    timers.add(wait("next"), 500);
    vi.advanceTimersByTime(1_000);
    expect(names()).toEqual(["next"]);
  });

  test("can be cancelled by another that ends, or begin again when it ends", () => {
    const { timers, wait, names } = wheel();
    const later = wait("later");
    const laterTick = timers.add(later, 900);
    const again = wait("again");
    timers.add(
      {
        timeIsUp: () => {
          timers.cancel(later, laterTick);
          timers.add(again, 200);
        },
      },
      300,
    );
    vi.advanceTimersByTime(2_000);
    expect(names()).toEqual(["again"]);
  });
});

test("after a pause of the process, everything that is due ends at once", () => {
  const { timers, wait, names } = wheel();
  for (const ms of [100, 2_000, 30_000]) timers.add(wait(String(ms)), ms);
  const shifted = performance.now() + 10_000;
  const later = vi.spyOn(performance, "now").mockImplementation(() => shifted);
  vi.advanceTimersByTime(150);
  expect(names()).toEqual(["100", "2000"]);
  later.mockRestore();
});
