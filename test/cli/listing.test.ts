// Every page of a list that changes while it is read.

import { expect, test } from "vitest";
import { allPages } from "../../src/cli/listing.ts";

/** Rows from `count` down to 1, newest first; before each page but the first, `added` more. */
function growing(count: number, added: number) {
  const rows = Array.from({ length: count }, (_, at) => ({ id: String(count - at) }));
  const asked: number[] = [];
  const fetch = async ({ page, pageSize }: { page: number; pageSize: number }) => {
    asked.push(page);
    for (let more = 0; page > 1 && more < added; more++) {
      rows.unshift({ id: String(rows.length + 1) });
    }
    const data = rows.slice((page - 1) * pageSize, page * pageSize);
    return { data, pagination: { page, pageSize, total: rows.length } };
  };
  return { fetch, asked };
}

test.each([
  { count: 0, added: 0, pages: [1] },
  { count: 200, added: 0, pages: [1] },
  { count: 201, added: 0, pages: [1, 2] },
  { count: 500, added: 3, pages: [1, 2, 3] },
  { count: 300, added: 150, pages: [1, 2, 3] },
])("$count rows, $added more before each page: each once", async ({ count, added, pages }) => {
  const { fetch, asked } = growing(count, added);
  const ids: string[] = [];
  for await (const rows of allPages(fetch)) ids.push(...rows.map(({ id }) => id));
  expect(asked).toEqual(pages);
  expect(ids).toEqual(Array.from({ length: count }, (_, at) => String(count - at)));
});
