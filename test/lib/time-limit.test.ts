// Work that must end in time, and work that does not listen.

import { expect, test } from "vitest";
import { inTime, orAborted, withTimeLimit } from "../../src/lib/time-limit.ts";

const never = new AbortController().signal;

/** Ends when it is told to, but as if nothing had happened. */
function deaf(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("done"));
  });
}

test("what ends in time is answered; what ends late is late, whatever it answers", async () => {
  expect(await withTimeLimit(60_000, never, async () => "done")).toBe("done");
  await expect(withTimeLimit(10, never, deaf)).rejects.toThrow("no answer within 0.01 s");
  const failing = withTimeLimit(60_000, never, async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
});

test("the caller's signal ends it with its reason, before or meanwhile", async () => {
  const ender = new AbortController();
  const asked = withTimeLimit(60_000, ender.signal, deaf);
  ender.abort(new Error("called off"));
  await expect(asked).rejects.toThrow("called off");
  await expect(withTimeLimit(60_000, ender.signal, deaf)).rejects.toThrow("called off");
});

test("who waits with a signal does not wait for work that does not listen", async () => {
  const endless = new Promise(() => undefined);
  const ender = new AbortController();
  const waiting = orAborted(endless, ender.signal);
  ender.abort(new Error("called off"));
  await expect(waiting).rejects.toThrow("called off");
  await expect(orAborted(endless, ender.signal)).rejects.toThrow("called off");
  expect(await orAborted(Promise.resolve("done"), never)).toBe("done");
  expect(await orAborted(Promise.resolve("done"), undefined)).toBe("done");
});

test("work that cannot be ended is not waited for", async () => {
  expect(await inTime(60_000, Promise.resolve("done"))).toBe("done");
  await expect(inTime(10, new Promise(() => undefined))).rejects.toThrow("no answer within 0.01 s");
});
