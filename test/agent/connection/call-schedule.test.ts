import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { CallSchedule, type RecurringCall } from "../../../src/agent/connection/call-schedule.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // With this value, intervals are not jittered.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  return () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

/** Repeats the call until the test ends. Returns the times of the calls, in seconds. */
function repeated(call: RecurringCall, seconds: number, work?: () => Promise<unknown>) {
  const start = performance.now();
  const at: number[] = [];
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const made = async () => {
    at.push((performance.now() - start) / 1000);
    await work?.();
  };
  void call.repeat(() => seconds * 1000, made, end.signal);
  return at;
}

function pass(seconds: number) {
  return vi.advanceTimersByTimeAsync(seconds * 1000);
}

const never = new AbortController().signal;

test("without a poll, calls are made at their intervals", async () => {
  const at = repeated(new CallSchedule().add(), 30);
  await pass(95);
  expect(at).toEqual([30, 60, 90]);
});

test("a poll waits until the next call is due, and calls that are almost due are made after it", async () => {
  const rounds = new CallSchedule();
  const heartbeats = repeated(rounds.add(), 30);
  const reports = repeated(rounds.add(), 32.4);
  const sparse = repeated(rounds.add(), 60);
  expect(rounds.secondsLeft()).toBe(30);
  await rounds.poll(() => pass(25));
  await rounds.makeCalls(never);
  expect([heartbeats, reports]).toEqual([[], []]);
  expect(rounds.secondsLeft()).toBe(5);
  await rounds.poll(() => pass(4.5));
  await rounds.makeCalls(never);
  expect([heartbeats, reports, sparse]).toEqual([[29.5], [29.5], []]);
  expect(rounds.secondsLeft()).toBe(30);
});

test("a call is at most a tenth of its interval and half a second early", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const rounds = new CallSchedule();
  const at = repeated(rounds.add(), 30);
  while (at.length === 0) {
    await rounds.poll(() => pass(0.1));
    await rounds.makeCalls(never);
  }
  expect(at[0]).toBeCloseTo(26.5, 1);
});

test("a poll that does not end delays a call by a second", async () => {
  const rounds = new CallSchedule();
  const at = repeated(rounds.add(), 10);
  void rounds.poll(() => new Promise(() => undefined));
  await pass(24);
  expect(at).toEqual([11, 22]);
});

test("calls that do not end hold up the next poll for a second, and do not shorten it", async () => {
  const rounds = new CallSchedule();
  const at = repeated(rounds.add(), 10, () => new Promise(() => undefined));
  const later = repeated(rounds.add(), 10, () => new Promise(() => undefined));
  await rounds.poll(() => pass(9.5));
  const before = performance.now();
  const held = rounds.makeCalls(never).then(() => performance.now() - before);
  await pass(2);
  expect([at, later, await held]).toEqual([[9.5], [10], 1000]);
  expect(rounds.secondsLeft()).toBe(Number.POSITIVE_INFINITY);
});

test("a call can let the next poll begin", async () => {
  const rounds = new CallSchedule();
  const call = rounds.add();
  const at = repeated(call, 10, async () => {
    setTimeout(() => call.letPollBegin(), 200);
    await new Promise(() => undefined);
  });
  await rounds.poll(() => pass(10));
  const before = performance.now();
  const held = rounds.makeCalls(never).then(() => performance.now() - before);
  await pass(2);
  expect([at, await held]).toEqual([[10], 200]);
});

test("an urgent call does not wait for a poll, and one during a call follows it", async () => {
  const rounds = new CallSchedule();
  const call = rounds.add();
  const at = repeated(call, 10, () => new Promise((resolve) => setTimeout(resolve, 1000)));
  void rounds.poll(() => new Promise(() => undefined));
  await pass(3);
  call.soon();
  await pass(0.5);
  call.soon();
  await pass(3);
  expect(at).toEqual([3, 4]);
});

test("an interval shorter than the shortest poll is kept", async () => {
  const rounds = new CallSchedule();
  const at = repeated(rounds.add(), 0.5);
  void rounds.poll(() => new Promise(() => undefined));
  expect(rounds.secondsLeft()).toBe(Number.POSITIVE_INFINITY);
  await pass(1.2);
  await rounds.makeCalls(never);
  expect(at).toEqual([0.5, 1]);
});

test("a stop does not wait for calls", async () => {
  const rounds = new CallSchedule();
  repeated(rounds.add(), 10, () => new Promise(() => undefined));
  await rounds.poll(() => pass(10));
  const stop = new AbortController();
  const held = rounds.makeCalls(stop.signal);
  stop.abort();
  await held;
});
