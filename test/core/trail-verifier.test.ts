// Verifications that are asked for at once: one walk at a time, each shared by all who asked before it began.

import { expect, test } from "vitest";
import type { Caller } from "../../src/core/caller.ts";
import { TrailVerifier } from "../../src/core/trail-verifier.ts";
import type { TrailWalk } from "../../src/domain/trail-walks.ts";
import { openTestApp } from "../helpers/app.ts";
import { addRows } from "./long-trail.ts";

/** Walks that end when they are told to; the answer's `checked` is the number of the walk. */
function walking() {
  const walks: { end(): void; fail(): void; signal: AbortSignal }[] = [];
  const verifier = new TrailVerifier((signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<TrailWalk>();
    const checked = walks.length + 1;
    signal.addEventListener("abort", () => reject(signal.reason));
    const none = { firstSeq: null, lastSeq: null, head: null, checkpoint: null, broken: null };
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
    ask: async (caller = present()) => (await verifier.walk(caller)).checked,
  };
}

interface TestCaller extends Caller {
  leave(): void;
}

function present(): TestCaller {
  const listeners = new Set<() => void>();
  let gone = false;
  return {
    get gone() {
      return gone;
    },
    onGone(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    leave() {
      gone = true;
      for (const listener of listeners) listener();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("forty at once are two walks, one after the other", async () => {
  const { walks, ask } = walking();
  const asked = Array.from({ length: 40 }, () => ask());
  await turn();
  expect(walks).toHaveLength(1);
  walks[0]!.end();
  await turn();
  expect(walks).toHaveLength(2);
  walks[1]!.end();
  expect(await Promise.all(asked)).toEqual([1, ...Array(39).fill(2)]);
  const later = ask();
  walks[2]!.end();
  expect(await later).toBe(3);
});

test("a walk that fails fails for its own callers", async () => {
  const { walks, ask } = walking();
  const first = ask();
  const second = ask();
  walks[0]!.fail();
  await expect(first).rejects.toThrow("on purpose");
  await turn();
  walks[1]!.end();
  expect(await second).toBe(2);
});

test("a walk ends when the last who waits for it has left, and not before", async () => {
  const { walks, ask } = walking();
  const [one, two, three] = [present(), present(), present()];
  const answers = Promise.allSettled([ask(one), ask(two), ask(three)]);
  one.leave();
  expect(walks[0]!.signal.aborted).toBe(true);
  await turn();
  two.leave();
  expect(walks[1]!.signal.aborted).toBe(false);
  walks[1]!.end();
  const outcomes = (await answers).map((each) => each.status);
  expect(outcomes).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

test("nobody waits for a walk that has not begun: it does not", async () => {
  const { walks, ask } = walking();
  const first = ask();
  const caller = present();
  const second = ask(caller);
  caller.leave();
  await turn();
  walks[0]!.end();
  expect(await first).toBe(1);
  await expect(second).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(walks).toHaveLength(1);
  const third = ask();
  await turn();
  walks[1]!.end();
  expect(await third).toBe(2);
});

test("a stop gives up what is walked, and starts nothing", async () => {
  const { walks, verifier, ask } = walking();
  const asked = Promise.allSettled([ask(), ask()]);
  await verifier.close();
  await turn();
  for (const each of await asked) {
    expect(each).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
  }
  await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(walks).toHaveLength(1);
});

test("each caller's anchor is held against the shared walk", async () => {
  const app = openTestApp();
  await addRows(app, 50);
  const rows = await app.as("viewer").call("audit-events.list", { query: { pageSize: 50 } });
  const hashOf = (seq: number) => rows.find((row) => row.seq === seq)!.hash;
  const asked = [
    { anchorSeq: 10, anchorHash: hashOf(10) },
    { anchorSeq: 20, anchorHash: "0".repeat(64) },
    { anchorSeq: 60, anchorHash: hashOf(10) },
    { anchorSeq: 50, anchorHash: hashOf(50) },
  ];
  const found = await Promise.all(
    asked.map((query) => app.as("viewer").call("audit-events.verify", { query })),
  );
  expect(found.map(({ anchor, checked }) => [anchor?.state, checked])).toEqual([
    ["FOUND", 50],
    ["MISSING", 19],
    ["MISSING", 50],
    ["FOUND", 50],
  ]);
});
