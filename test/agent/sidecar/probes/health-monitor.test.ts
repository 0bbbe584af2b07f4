// A fake probe and a fake clock show how a sequence of results becomes a status.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HealthMonitor } from "../../../../src/agent/sidecar/probes/health-monitor.ts";
import type { ProbeResult } from "../../../../src/agent/sidecar/probes/probes.ts";
import { healthConfig } from "../configs.ts";

const origin = { folder: "/", env: {} };
const intervalMs = 10_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/**
 * Each character is a probe: `+` succeeds, `-` fails, `?` hangs until it is aborted, `!` throws.
 */
function monitorOf(results: string, thresholds: object = {}) {
  let asked = 0;
  let running = 0;
  const statuses: string[] = [];
  const probe = async (signal: AbortSignal): Promise<ProbeResult> => {
    const kind = results[asked++] ?? "+";
    if (running > 0) throw new Error("two at once");
    if (kind === "!") throw new Error("broken");
    if (kind !== "?") return { ok: kind === "+", message: String(asked) };
    running++;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        running--;
        reject(signal.reason);
      });
    });
  };
  const config = healthConfig({ tcp: { port: 1 }, interval: intervalMs / 1000, ...thresholds });
  const onChange = (_: string, now: { status: string }) => void statuses.push(now.status);
  const monitor = new HealthMonitor({ config, origin, probe, onChange });
  return { monitor, statuses, asked: () => asked };
}

/** Longer than any randomized interval, and shorter than two. */
const anInterval = intervalMs * 1.2;

/** `a` is the end of an action, after which a probe begins at once. */
async function afterEachResult(sequence: string, thresholds: object): Promise<string> {
  const results = sequence.replaceAll("a", "");
  // Every interval has its maximum length, so that each step of the clock brings one result.
  vi.spyOn(Math, "random").mockReturnValue(0.999);
  const { monitor, asked } = monitorOf(results, thresholds);
  monitor.start();
  const seen: string[] = [];
  const note = () => {
    const { status, message } = monitor.current();
    seen.push(`${status} ${message}`);
  };
  for (const [at, kind] of [...sequence].entries()) {
    if (kind === "a") {
      monitor.actionEnded();
      note();
      continue;
    }
    const isAtOnce = at === 0 || sequence[at - 1] === "a";
    await vi.advanceTimersByTimeAsync(isAtOnce ? 0 : anInterval);
    expect(asked()).toBe(sequence.slice(0, at + 1).replaceAll("a", "").length);
    note();
  }
  await monitor.stop();
  return seen.join(", ");
}

test("a sequence of results determines the status", async () => {
  const atTwo = { failureThreshold: 2, successThreshold: 2 };
  const table: [results: string, thresholds: object, states: string][] = [
    ["+", {}, "UP 1"],
    ["-", {}, "DOWN 1"],
    ["!", {}, "DOWN broken"],
    ["-+", {}, "DOWN 1, UP 2"],
    ["+---+", {}, "UP 1, UP 1 of 3 failures: 2, UP 2 of 3 failures: 3, DOWN 4, UP 5"],
    ["+-+--", atTwo, "UP 1, UP 1 of 2 failures: 2, UP 3, UP 1 of 2 failures: 4, DOWN 5"],
    ["-+-++", atTwo, "DOWN 1, DOWN 1 of 2 successes: 2, DOWN 3, DOWN 1 of 2 successes: 4, UP 5"],
    ["+-", { failureThreshold: 1 }, "UP 1, DOWN 2"],
  ];
  for (const [results, thresholds, states] of table) {
    expect(await afterEachResult(results, thresholds), results).toBe(states);
  }
});

test("after an action, only probes that begin later decide whether the service is still UP", async () => {
  const doubt = "UNKNOWN not probed since an action";
  const table: [sequence: string, thresholds: object, states: string][] = [
    ["+a+", {}, `UP 1, ${doubt}, UP 2`],
    ["+a+", { successThreshold: 2 }, `UP 1, ${doubt}, UP 2`],
    ["+a-+", {}, `UP 1, ${doubt}, UNKNOWN 1 of 3 failures: 2, UP 3`],
    ["+a---", {}, `UP 1, ${doubt}, UNKNOWN 1 of 3 failures: 2, UNKNOWN 2 of 3 failures: 3, DOWN 4`],
    ["+a-", { failureThreshold: 1 }, `UP 1, ${doubt}, DOWN 2`],
    // A failure before the action does not count after it, but one between two actions does.
    [
      "+-a-",
      { failureThreshold: 2 },
      `UP 1, UP 1 of 2 failures: 2, ${doubt}, UNKNOWN 1 of 2 failures: 3`,
    ],
    [
      "+a-a-",
      { failureThreshold: 2 },
      `UP 1, ${doubt}, UNKNOWN 1 of 2 failures: 2, UNKNOWN 1 of 2 failures: 2, DOWN 3`,
    ],
    ["-a+", {}, "DOWN 1, DOWN 1, UP 2"],
    ["-a+", { successThreshold: 2 }, "DOWN 1, DOWN 1, DOWN 1 of 2 successes: 2"],
  ];
  for (const [sequence, thresholds, states] of table) {
    expect(await afterEachResult(sequence, thresholds), sequence).toBe(states);
  }
});

/** The test ends each probe, so that actions can end while a probe runs. */
function slowMonitorOf(thresholds: object = {}) {
  const running: ((result: ProbeResult) => void)[] = [];
  let asked = 0;
  const probe = () => {
    asked++;
    return new Promise<ProbeResult>((resolve) => running.push(resolve));
  };
  const config = healthConfig({ tcp: { port: 1 }, ...thresholds });
  const monitor = new HealthMonitor({ config, origin, probe, onChange: () => {} });
  /** Ends the running probe. If an action ended while it ran, the next probe begins at once. */
  const finish = async (ok: boolean) => {
    for (const end of running.splice(0)) end({ ok, message: String(asked) });
    await vi.advanceTimersByTimeAsync(0);
  };
  monitor.start();
  return { monitor, finish, asked: () => asked };
}

test("a probe that runs when an action ends has no effect, and the next one begins at once", async () => {
  for (const isFirstOk of [true, false]) {
    for (const ok of [true, false]) {
      const { monitor, finish, asked } = slowMonitorOf({ failureThreshold: 1 });
      await finish(isFirstOk);
      await vi.advanceTimersByTimeAsync(intervalMs);
      expect(asked()).toBe(2);
      monitor.actionEnded();
      await finish(ok);
      expect(asked()).toBe(3);
      expect(monitor.current()).toMatchObject(
        isFirstOk
          ? { status: "UNKNOWN", message: "not probed since an action" }
          : { status: "DOWN", message: "1" },
      );
      await finish(true);
      expect(monitor.current()).toMatchObject({ status: "UP", message: "3" });
    }
  }
});

test("actions that end during every probe hide neither an outage nor its end", async () => {
  const { monitor, finish, asked } = slowMonitorOf();
  await finish(true);
  monitor.actionEnded();
  const afterEachProbe = async (results: string) => {
    const seen: string[] = [];
    for (const result of results) {
      monitor.actionEnded();
      await finish(result === "+");
      seen.push(monitor.current().status);
    }
    return seen.join(" ");
  };
  await vi.advanceTimersByTimeAsync(0);
  expect(asked()).toBe(2);
  expect(await afterEachProbe("---")).toBe("UNKNOWN UNKNOWN DOWN");
  expect(await afterEachProbe("-+++")).toBe("DOWN UP UNKNOWN UP");
  expect(await afterEachProbe("----")).toBe("UNKNOWN UNKNOWN UNKNOWN DOWN");
  expect(asked()).toBe(13);
});

test("no probe begins after stop, even if an action ends", async () => {
  const { monitor, asked } = monitorOf("+");
  monitor.start();
  await monitor.stop();
  monitor.actionEnded();
  await vi.advanceTimersByTimeAsync(anInterval);
  expect(asked()).toBe(1);
});

test("only a change of the status is reported, and only once", async () => {
  const { monitor, statuses } = monitorOf("++----+++");
  expect(monitor.current()).toEqual({
    status: "UNKNOWN",
    message: "not probed yet",
    details: { probe: "tcp", address: "127.0.0.1:1" },
  });
  monitor.start();
  await monitor.first;
  expect(statuses).toEqual(["UP"]);
  await vi.advanceTimersByTimeAsync(anInterval * 10);
  expect(statuses).toEqual(["UP", "DOWN", "UP"]);
  await monitor.stop();
});

test("probes run at the interval: the first immediately, the second at a random time, never two together", async () => {
  const chance = vi.spyOn(Math, "random").mockReturnValue(0.5);
  const { monitor, asked } = monitorOf("+++?");
  monitor.start();
  await vi.advanceTimersByTimeAsync(intervalMs * 0.5 - 1);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toBe(2);
  chance.mockReturnValue(0);
  await vi.advanceTimersByTimeAsync(intervalMs - 1);
  expect(asked()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toBe(3);
  await vi.advanceTimersByTimeAsync(intervalMs * 20);
  expect(asked()).toBe(4);
  await monitor.stop();
});

test("stop ends a running probe without reporting a result", async () => {
  const { monitor, statuses, asked } = monitorOf("+?");
  monitor.start();
  await vi.advanceTimersByTimeAsync(anInterval);
  expect(asked()).toBe(2);
  await monitor.stop();
  expect(monitor.current()).toMatchObject({ status: "UP", message: "1" });
  await vi.advanceTimersByTimeAsync(anInterval * 10);
  expect([asked(), statuses]).toEqual([2, ["UP"]]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a stop before the first result ends the wait for that result", async () => {
  const { monitor } = monitorOf("?");
  monitor.start();
  const first = monitor.first;
  await monitor.stop();
  await first;
  expect(monitor.current().status).toBe("UNKNOWN");
});
