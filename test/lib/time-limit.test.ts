import { expect, test } from "vitest";
import { endsWithin, inTime, orAborted, withTimeLimit } from "../../src/lib/time-limit.ts";

const never = new AbortController().signal;

/** Resolves when the signal is aborted, as if nothing had happened. */
function ignoring(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("done"));
  });
}

test("withTimeLimit resolves in time, and rejects late work, whatever it returns", async () => {
  expect(await withTimeLimit(60_000, never, async () => "done")).toBe("done");
  await expect(withTimeLimit(10, never, ignoring)).rejects.toThrow("no answer within 0.01 s");
  const failing = withTimeLimit(60_000, never, async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
});

test("withTimeLimit rejects with the reason of the caller's signal, aborted before or during the work", async () => {
  const ender = new AbortController();
  const asked = withTimeLimit(60_000, ender.signal, ignoring);
  ender.abort(new Error("called off"));
  await expect(asked).rejects.toThrow("called off");
  await expect(withTimeLimit(60_000, ender.signal, ignoring)).rejects.toThrow("called off");
});

test("orAborted does not wait for work that ignores the signal", async () => {
  const endless = new Promise(() => undefined);
  const ender = new AbortController();
  const waiting = orAborted(endless, ender.signal);
  ender.abort(new Error("called off"));
  await expect(waiting).rejects.toThrow("called off");
  await expect(orAborted(endless, ender.signal)).rejects.toThrow("called off");
  expect(await orAborted(Promise.resolve("done"), never)).toBe("done");
  expect(await orAborted(Promise.resolve("done"), undefined)).toBe("done");
});

test("inTime does not wait for work that cannot be stopped", async () => {
  expect(await inTime(60_000, Promise.resolve("done"))).toBe("done");
  await expect(inTime(10, new Promise(() => undefined))).rejects.toThrow("no answer within 0.01 s");
});

test("endsWithin returns whether the work ends in time, and rejects as the work does", async () => {
  expect(await endsWithin(60_000, Promise.resolve())).toBe(true);
  expect(await endsWithin(10, new Promise(() => undefined))).toBe(false);
  await expect(endsWithin(60_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
