// Concurrent verifications share a walk until it begins to read.

import { expect } from "vitest";
import { TrailVerifier } from "../../../src/core/audit/trail-verifier.ts";
import { presentCaller } from "../../../src/core/caller.ts";
import type { TrailWalk, WalkTrail } from "../../../src/domain/audit/trail-walks.ts";
import { openTestApp } from "../../helpers/app.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectRefused } from "../refusals.ts";
import { test as base } from "../scene.ts";
import { addRows } from "./long-trail.ts";

const test = base.extend("walking", () => walking());

/** Creates walks that end on demand. `checked` is the number of the walk. */
function walking() {
  const walks: { read(): void; end(): void; fail(): void; signal: AbortSignal }[] = [];
  const verifier = new TrailVerifier((signal, onReading) => {
    const { promise, resolve, reject } = Promise.withResolvers<TrailWalk>();
    const checked = walks.length + 1;
    signal.addEventListener("abort", () => reject(signal.reason));
    const rows = { firstSeq: null, lastSeq: null, head: null, checkpoint: null, broken: null };
    const none = { verified: null, since: null, ...rows };
    walks.push({
      read: onReading,
      end: () => resolve({ checked, ...none }),
      fail: () => reject(new Error("on purpose")),
      signal,
    });
    return promise;
  });
  return {
    walks,
    verifier,
    /** Requests a verification, and makes its walk begin to read. */
    askAndRead: async () => {
      const asked = verifier.walk(presentCaller);
      walks.at(-1)!.read();
      return (await asked).checked;
    },
    ask: async (caller = presentCaller) => (await verifier.walk(caller)).checked,
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("forty concurrent calls share one walk", async ({ walking: { walks, ask } }) => {
  const asked = Array.from({ length: 40 }, () => ask());
  await turn();
  walks[0]!.read();
  walks[0]!.end();
  expect(await Promise.all(asked)).toEqual(Array(40).fill(1));
  const later = ask();
  walks[1]!.end();
  expect(await later).toBe(2);
});

test("calls during a walk share the next one", async ({ walking: { walks, ask, askAndRead } }) => {
  const first = askAndRead();
  const asked = Array.from({ length: 40 }, () => ask());
  await turn();
  expect(walks).toHaveLength(1);
  walks[0]!.end();
  expect(await first).toBe(1);
  expect(walks).toHaveLength(2);
  walks[1]!.end();
  expect(await Promise.all(asked)).toEqual(Array(40).fill(2));
});

test("a failed walk rejects only its callers", async ({ walking: { walks, ask, askAndRead } }) => {
  const first = askAndRead();
  const second = ask();
  walks[0]!.fail();
  await expect(first).rejects.toThrow("on purpose");
  await turn();
  walks[1]!.end();
  expect(await second).toBe(2);
});

test("a walk ends when its last caller leaves", async ({ walking: { walks, ask } }) => {
  const [one, two] = [leavingCaller(), leavingCaller()];
  const answers = Promise.all(
    [ask(one.caller), ask(two.caller)].map((each) => expect(each).rejects.toThrow()),
  );
  one.leave();
  expect(walks[0]!.signal.aborted).toBe(false);
  two.leave();
  expect(walks[0]!.signal.aborted).toBe(true);
  await answers;
});

test("remaining callers get the result", async ({ walking: { walks, ask } }) => {
  const { caller, leave } = leavingCaller();
  const [gone, there] = [ask(caller), ask()];
  leave();
  walks[0]!.end();
  expect(await there).toBe(1);
  expect(await gone).toBe(1);
});

test("a walk without callers does not start", async ({ walking: { walks, ask, askAndRead } }) => {
  const first = askAndRead();
  const { caller, leave } = leavingCaller();
  const second = ask(caller);
  leave();
  await expectRefused(second, "UNAVAILABLE");
  walks[0]!.end();
  expect(await first).toBe(1);
  await turn();
  expect(walks).toHaveLength(1);
  const third = ask();
  await turn();
  walks[1]!.end();
  expect(await third).toBe(2);
});

test.for([
  ["the next walk", true],
  ["an unread walk", false],
] as const)(
  "a call after %s was aborted gets a result",
  async ([_, isReading], { walking: { walks, ask, askAndRead } }) => {
    const first = isReading ? askAndRead() : null;
    const { caller, leave } = leavingCaller();
    const left = expect(ask(caller)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    leave();
    const asked = ask();
    await left;
    walks[0]!.end();
    await first;
    await turn();
    expect(walks).toHaveLength(2);
    walks[1]!.end();
    expect(await asked).toBe(2);
  },
);

test("close() aborts all walks", async ({ walking: { walks, verifier, ask, askAndRead } }) => {
  const asked = Promise.allSettled([askAndRead(), ask()]);
  await verifier.close();
  await turn();
  for (const each of await asked) {
    expect(each).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
  }
  await expectRefused(ask(), "UNAVAILABLE");
  expect(walks).toHaveLength(1);
});

test("callers are rejected as soon as the service stops", async () => {
  const walkTrail: WalkTrail = (_, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const app = openTestApp({}, { walkTrail });
  const asked = app.as("viewer").call("audit-events.verify");
  await turn();
  app.app.beginToStop();
  const stopping = { code: "UNAVAILABLE", message: "The service is stopping." };
  await expect(asked).rejects.toMatchObject(stopping);
});

test("each caller's anchor is checked against the shared walk", async ({ app }) => {
  await addRows(app, 50);
  const rows = await app.as("viewer").call("audit-events.list", { query: { pageSize: 50 } });
  const hashOf = (seq: number) => rows.find((row) => row.seq === seq)!.hash;
  const asked = [
    { anchorSeq: 10, anchorHash: hashOf(10) },
    { anchorSeq: 20, anchorHash: "0".repeat(64) },
    { anchorSeq: 60, anchorHash: hashOf(10) },
    { anchorSeq: 50, anchorHash: hashOf(50) },
  ];
  const verify = (query: object) => app.as("viewer").call("audit-events.verify", { query });
  const found = await Promise.all(asked.map(verify));
  expect(found.map(({ anchor, checked }) => [anchor?.state, checked])).toEqual([
    ["FOUND", 50],
    ["MISSING", 19],
    ["MISSING", 50],
    ["FOUND", 50],
  ]);
});
