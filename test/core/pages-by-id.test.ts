import { expect, test } from "vitest";
import { pagesById } from "../../src/core/pages-by-id.ts";

test.each<[what: string, ids: string, pages: string[]]>([
  ["no rows", "", [""]],
  ["less than a page", "a", ["a"]],
  ["exactly one page", "ab", ["ab", ""]],
  ["several pages", "abcde", ["ab", "cd", "e"]],
])("a list with %s is read page by page", async (_what, ids, pages) => {
  const read = async ({ after, limit }: { after: string; limit: number }) =>
    [...ids].filter((id) => id > after).slice(0, limit);
  const found: string[] = [];
  for await (const page of pagesById(2, read, (id) => id)) found.push(page.join(""));
  expect(found).toEqual(pages);
});
