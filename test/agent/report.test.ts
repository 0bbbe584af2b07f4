// The program's functions may throw, be late, or never return.

import { afterEach, expect, test, vi } from "vitest";
import type { Service } from "../../src/agent/index.ts";
import { reportOf } from "../../src/agent/services/service-report.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { startAgent } from "./harness.ts";

afterEach(() => void vi.useRealTimers());

const plain: Service = { code: "notes", name: "Notes", version: "1.0.0" };
const never = new AbortController().signal;
const endless = () => new Promise<never>(() => undefined);

const parts = ["version", "manifest", "configs"] as const;

test.each(parts)(
  "a report fails after 10 s if the %s never resolves, and names that part",
  async (part) => {
    vi.useFakeTimers();
    const asked = expect(reportOf({ ...plain, [part]: endless }, never)).rejects.toThrow(
      new RegExp(`${part} of notes: no answer within 10 s`),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await asked;
  },
);

test("a part that throws is named; a health check that throws or is late counts as DOWN, and a long message is cut", async () => {
  const broken = () => {
    throw new Error("no such file");
  };
  const failing = reportOf({ ...plain, version: broken }, never);
  await expect(failing).rejects.toThrow("cannot get the version of notes: no such file");
  const long = () => Promise.reject(new Error("😀".repeat(400)));
  const { health } = await reportOf({ ...plain, health: long }, never);
  expect(health).toEqual({ status: "DOWN", message: `${"😀".repeat(249)}\ufffd…` });
  const wordy = reportOf(
    { ...plain, health: { status: "UP", message: "x".repeat(501), details: 1 } },
    never,
  );
  expect((await wordy).health).toEqual({
    status: "UP",
    message: `${"x".repeat(499)}…`,
    details: 1,
  });
  vi.useFakeTimers();
  const late = reportOf({ ...plain, health: endless }, never);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await late).toMatchObject({
    health: { status: "DOWN", message: "no answer within 10 s" },
  });
});

test.each([...parts, "health"])(
  "a %s that never resolves does not delay an abort",
  async (part) => {
    const ender = new AbortController();
    const asked = reportOf({ ...plain, [part]: endless }, ender.signal);
    ender.abort(new Error("called off"));
    await expect(asked).rejects.toThrow("called off");
  },
);

test("an agent that is waiting for a version stops immediately", async () => {
  const server = await listenTestApp();
  let isStuck = false;
  const version = () => (isStuck ? endless() : "1.0.0");
  const { agent } = await startAgent(server, [{ ...plain, version }]);
  isStuck = true;
  const reported = expect(agent.reportNow()).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
  await agent.stop({ graceSeconds: 0 });
  await reported;
});
