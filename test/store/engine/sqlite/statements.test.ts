import { expect, test } from "vitest";
import type { SqliteConnection } from "../../../../src/store/engine/sqlite/file.ts";
import { mostStatements, Statements } from "../../../../src/store/engine/sqlite/statements.ts";

function counting() {
  const prepared = new Map<string, number>();
  const prepare = (sql: string) => {
    prepared.set(sql, (prepared.get(sql) ?? 0) + 1);
    return { sql };
  };
  return { statements: new Statements({ prepare } as unknown as SqliteConnection), prepared };
}

test("statements stay prepared until there are too many, and then all of them are dropped", () => {
  const { statements, prepared } = counting();
  const names = Array.from({ length: mostStatements }, (_, n) => `statement ${n}`);
  for (const sql of [...names, ...names]) statements.of(sql);
  expect(names.map((sql) => prepared.get(sql))).toEqual(names.map(() => 1));
  statements.of("one more");
  for (const sql of names.slice(1)) statements.of(sql);
  expect(names.map((sql) => prepared.get(sql))).toEqual([1, ...names.slice(1).map(() => 2)]);
  statements.of("one more");
  expect(prepared.get("one more")).toBe(1);
});
