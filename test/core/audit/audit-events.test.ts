// Lists audit rows after a known row.

import { expect, test } from "vitest";
import { openTestApp } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { addRows } from "./long-trail.ts";

async function mixedTrail() {
  const app = openTestApp();
  for (let i = 0; i < 5; i++) {
    await addRows(app, 2);
    await addRows(app, 1, { action: "agent.online", targetType: "agent", result: "FAILURE" });
  }
  return app;
}

const mixed = perFile(mixedTrail);

const at = (ms: number) => new Date(ms).toISOString();

test.each([
  { query: {}, seqs: [12, 13, 14, 15] },
  { query: { action: "agent.online" }, seqs: [12, 15] },
  { query: { action: "command.*" }, seqs: [13, 14] },
  { query: { result: "SUCCESS" as const }, seqs: [13, 14] },
  { query: { targetType: "command" }, seqs: [13, 14] },
  { query: { actorType: "SYSTEM" as const, from: at(0), to: at(4e12) }, seqs: [12, 13, 14, 15] },
])("a list with $query contains only rows after row 11", async ({ query, seqs }) => {
  const viewer = mixed().as("viewer");
  const { data, pagination } = await viewer.page("audit-events.list", {
    query: { ...query, afterSeq: 11 },
  });
  expect(data.map(({ seq }) => seq)).toEqual(seqs);
  expect(pagination.total).toBe(seqs.length);
});

test("pages lead to the end, and the page after the end is empty", async () => {
  const viewer = mixed().as("viewer");
  const page = (afterSeq: number, number = 1) =>
    viewer.page("audit-events.list", { query: { afterSeq, pageSize: 4, page: number } });
  expect((await page(0)).data.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect((await page(0, 4)).data.map(({ seq }) => seq)).toEqual([13, 14, 15]);
  expect((await page(0)).pagination.total).toBe(15);
  expect((await page(13)).pagination.total).toBe(2);
  expect(await page(15)).toMatchObject({ data: [], pagination: { total: 0 } });
  expect(await page(99)).toMatchObject({ data: [], pagination: { total: 0 } });
});
