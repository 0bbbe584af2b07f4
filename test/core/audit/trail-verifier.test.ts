// Verifications that are requested during a walk share the next one.

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
  const walks: { end(): void; fail(): void; signal: AbortSignal }[] = [];
  const verifier = new TrailVerifier((signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<TrailWalk>();
    const checked = walks.length + 1;
    signal.addEventListener("abort", () => reject(signal.reason));
    const rows = { firstSeq: null, lastSeq: null, head: null, checkpoint: null, broken: null };
    const none = { verified: null, since: null, ...rows };
    walks.push({
      end: () => resolve({ checked, ...none }),
      fail: () => reject(new Error("on purpose")),
      signal,
    });
    return promise;
  });
  return {
    walks,
    verifier,
    ask: async (caller = presentCaller) => (await verifier.walk(caller)).checked,
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("calls during a walk share the next one", async ({ walking: { walks, ask } }) => {
  const first = ask();
  const asked = Array.from({ length: 40 }, () => ask());
  await turn();
  expect(walks).toHaveLength(1);
  walks[0]!.end();
  expect(await first).toBe(1);
  expect(walks).toHaveLength(2);
  walks[1]!.end();
  expect(await Promise.all(asked)).toEqual(Array(40).fill(2));
  const later = ask();
  walks[2]!.end();
  expect(await later).toBe(3);
});

test("a failed walk rejects only its callers", async ({ walking: { walks, ask } }) => {
  const first = ask();
  const second = ask();
  walks[0]!.fail();
  await expect(first).rejects.toThrow("on purpose");
  await turn();
  walks[1]!.end();
  expect(await second).toBe(2);
});

test("a walk ends when its last caller leaves", async ({ walking: { walks, ask } }) => {
  const first = ask();
  const [one, two] = [leavingCaller(), leavingCaller()];
  const answers = Promise.all(
    [ask(one.caller), ask(two.caller)].map((each) => expect(each).rejects.toThrow()),
  );
  walks[0]!.end();
  await first;
  one.leave();
  expect(walks[1]!.signal.aborted).toBe(false);
  two.leave();
  expect(walks[1]!.signal.aborted).toBe(true);
  await answers;
});

test("remaining callers get the result", async ({ walking: { walks, ask } }) => {
  const first = ask();
  const { caller, leave } = leavingCaller();
  const [gone, there] = [ask(caller), ask()];
  walks[0]!.end();
  await first;
  leave();
  walks[1]!.end();
  expect(await there).toBe(2);
  expect(await gone).toBe(2);
});

test("a walk without callers does not start", async ({ walking: { walks, ask } }) => {
  const first = ask();
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
  ["the running walk", false],
] as const)(
  "a call after %s was aborted gets a result",
  async ([_, isNext], { walking: { walks, ask } }) => {
    const first = isNext ? ask() : null;
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

test("close() aborts all walks", async ({ walking: { walks, verifier, ask } }) => {
  const asked = Promise.allSettled([ask(), ask()]);
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
