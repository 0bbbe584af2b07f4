import { expect, test } from "vitest";
import { type PageNumber, wholeList } from "../../src/lib/whole-list.ts";

type Change = (rows: number[]) => unknown;

const remove = (rows: number[]) => rows.shift();
const removeMany = (rows: number[]) => rows.splice(0, 30);
const addAtStart = (rows: number[]) => rows.unshift(Math.min(...rows) - 1);
const exchange = (rows: number[]) => rows.push(100 + (rows.shift() ?? 0));

test.each<[what: string, count: number, changes: Change[]]>([
  ["nothing changes", 35, []],
  ["there are no rows", 0, []],
  ["the first row leaves", 15, [remove]],
  ["the first row leaves again and again", 35, [remove, remove, remove, remove]],
  ["most rows leave", 35, [removeMany]],
  ["all rows leave", 25, [removeMany]],
  ["rows are added", 35, [addAtStart, addAtStart, addAtStart]],
  ["the first row leaves, and another is added at the end", 15, [exchange]],
])("no row that stays is missed or repeated if %s", async (_what, count, changes) => {
  const left = [...changes];
  const rows = Array.from({ length: count }, (_, at) => at);
  const read = async ({ page, pageSize }: PageNumber) => {
    expect(pageSize).toBeLessThanOrEqual(10);
    const answer = { rows: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length };
    left.shift()?.(rows);
    return answer;
  };

  const found: number[] = [];
  const first = await read({ page: 1, pageSize: 10 });
  for await (const some of wholeList(first, 10, read, (row) => row)) found.push(...some);

  expect(left).toEqual([]);
  expect(found).toEqual([...new Set(found)].toSorted((one, other) => one - other));
  expect(found).toEqual(expect.arrayContaining(rows.filter((row) => row >= 0)));
});
