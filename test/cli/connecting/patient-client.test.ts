// A patient client repeats calls that the server has refused because of its limit on requests.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Invocation } from "../../../src/cli/command.ts";
import { patientClient } from "../../../src/cli/connecting/patient-client.ts";
import type { Client } from "../../../src/client/client.ts";
import { AppError, type ErrorCode } from "../../../src/domain/errors.ts";

/** A client whose calls fail until `refusals` is empty, and its notes. */
function open(refusals: [code: ErrorCode, retryAfterSeconds?: number][]) {
  const ender = new AbortController();
  const notes: string[] = [];
  const call = async () => {
    const [code, retryAfterSeconds] = refusals.shift() ?? [];
    if (code === undefined) return "done";
    throw new AppError(
      code,
      "refused",
      retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    );
  };
  const io = { note: (text: string) => notes.push(text) };
  const invocation = { io, options: {}, signal: ender.signal } as unknown as Invocation;
  const client = patientClient(invocation, { call, page: call } as unknown as Client);
  return {
    ...{ ender, notes, refusals },
    call: () => client.call("agents.list"),
    page: () => client.page("agents.list"),
  };
}

test("it repeats calls and pages, and says so once", async () => {
  const { notes, call, page } = open([
    ["RATE_LIMITED", 0],
    ["RATE_LIMITED", 0],
  ]);
  expect([await call(), await page()]).toEqual(["done", "done"]);
  expect(notes).toHaveLength(1);
});

test.each<[ErrorCode, number?]>([["RATE_LIMITED", 61], ["RATE_LIMITED"], ["UNAVAILABLE", 0]])(
  "it does not wait for longer than a minute, or after another refusal: %s, %s",
  async (...refusal) => {
    const { notes, call } = open([refusal]);
    await expect(call()).rejects.toThrow("refused");
    expect(notes).toEqual([]);
  },
);

test("it does not repeat calls after a minute in which all were refused", async () => {
  const uptime = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => uptime.mockRestore());
  const { call, refusals } = open([["RATE_LIMITED", 61]]);
  await expect(call()).rejects.toThrow("refused");
  uptime.mockReturnValue(61_000);
  refusals.push(["RATE_LIMITED", 0]);
  await expect(call()).rejects.toThrow("refused");
  expect(await call()).toBe("done");
  refusals.push(["RATE_LIMITED", 0]);
  expect(await call()).toBe("done");
});

test("after another refusal, it is patient again", async () => {
  const uptime = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => uptime.mockRestore());
  const { call, refusals } = open([["RATE_LIMITED", 61], ["FORBIDDEN"]]);
  await expect(call()).rejects.toThrow("refused");
  await expect(call()).rejects.toThrow("refused");
  uptime.mockReturnValue(61_000);
  refusals.push(["RATE_LIMITED", 0]);
  expect(await call()).toBe("done");
});

test("Ctrl-C ends the pause", async () => {
  const { call, notes, ender } = open([["RATE_LIMITED", 59]]);
  const ended = expect(call()).rejects.toThrow("interrupted");
  await nextTurn();
  expect(notes).toHaveLength(1);
  ender.abort(new Error("interrupted"));
  await ended;
});
