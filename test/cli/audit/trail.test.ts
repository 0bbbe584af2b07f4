// Tests that following the trail reads every matching row even if a page is not full.

import { expect, test } from "vitest";
import { followTrail } from "../../../src/cli/commands/audit/trail.ts";
import type { Client } from "../../../src/client/client.ts";

test.each([
  ["the next request continues where the server's search ended", true],
  ["an older server, which does not say where its search ended, is asked only once", false],
])("%s", async (_, saysNext) => {
  const stop = new AbortController();
  const fitting = saysNext ? [25_000, 25_001, 31_000] : [3, 5];
  const head = 40_000;
  const asked: number[] = [];
  const page = async (_name: string, { query }: { query: { afterSeq: number } }) => {
    asked.push(query.afterSeq);
    const end = saysNext ? query.afterSeq + 10_000 : head;
    const data = fitting.filter((seq) => seq > query.afterSeq && seq <= end);
    const next = saysNext && end < head ? { next: String(end) } : {};
    return { data: data.map((seq) => ({ seq })), pagination: { page: 1, pageSize: 200, ...next } };
  };
  const api = {
    call: async () => [{ seq: head }],
    page,
    async watch() {
      return {
        close: () => undefined,
        // biome-ignore lint/correctness/useYield: it ends before its first message.
        async *[Symbol.asyncIterator]() {
          stop.abort();
          stop.signal.throwIfAborted();
        },
      };
    },
  } as unknown as Client;
  const taken: number[] = [];
  const take = async (rows: { seq: number }[]) => void taken.push(...rows.map(({ seq }) => seq));
  const io = { note: () => undefined } as never;
  const following = followTrail(api, {
    filters: {},
    last: undefined,
    take,
    io,
    signal: stop.signal,
  });
  await expect(following).rejects.toThrow();
  expect(taken).toEqual(fitting);
  expect(asked).toEqual(saysNext ? [0, 10_000, 20_000, 30_000] : [0]);
});
