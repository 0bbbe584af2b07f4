// A patient client repeats calls that the server has refused because of its limit on requests.

import { expect, test } from "vitest";
import type { Invocation } from "../../../src/cli/command.ts";
import { patientClient } from "../../../src/cli/connecting/patient-client.ts";
import type { Client } from "../../../src/client/client.ts";
import { AppError, type ErrorCode } from "../../../src/domain/errors.ts";

/** A client whose calls fail until `refusals` is empty, and its notes. */
function open(refusals: [code: ErrorCode, retryAfterSeconds?: number][], aborted?: Error) {
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
  const signal = aborted ? AbortSignal.abort(aborted) : new AbortController().signal;
  const invocation = { io, options: {}, signal } as unknown as Invocation;
  const client = patientClient(invocation, { call, page: call } as unknown as Client);
  return { notes, call: () => client.call("agents.list"), page: () => client.page("agents.list") };
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

test("Ctrl-C ends the pause", async () => {
  const { call } = open([["RATE_LIMITED", 59]], new Error("interrupted"));
  await expect(call()).rejects.toThrow("interrupted");
});
