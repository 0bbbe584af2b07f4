import { expect, test, vi } from "vitest";
import { flushPresence } from "../../../src/core/memory/flush.ts";
import { PendingWrites } from "../../../src/core/memory/pending-writes.ts";
import { openTestApp } from "../../helpers/app.ts";

const sums = () => new PendingWrites<string, number>((older, newer) => older + newer);

test("a flush takes the oldest values, and the rest stays for the next one", () => {
  const writes = sums();
  for (const key of ["a", "b", "c"]) writes.add(key, 1);
  const first = writes.take(2);
  expect([...first.values]).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  writes.add("a", 5);
  expect([writes.size, writes.get("a"), writes.get("b"), writes.get("c")]).toEqual([2, 6, 1, 1]);
  first.restore();
  expect([...writes.take().values]).toEqual([
    ["a", 6],
    ["b", 1],
    ["c", 1],
  ]);
  expect(writes.dirty).toBe(false);
});

test("the calls of a large fleet are flushed in several transactions", async () => {
  const { core } = openTestApp().app;
  for (let n = 0; n < 1_100; n++) core.presence.agents.add(`agt_${n}`, n);
  const write = vi.spyOn(core.db, "write");
  await flushPresence(core);
  expect(write).toHaveBeenCalledTimes(3);
  expect(core.presence.dirty).toBe(false);
});
