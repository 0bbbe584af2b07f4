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

test("frequently used statements stay prepared, and others are dropped when there are too many", () => {
  const { statements, prepared } = counting();
  const inUse = Array.from({ length: 100 }, (_, n) => `in use ${n}`);
  for (const sql of inUse) statements.of(sql);
  for (let n = 0; n < 10 * mostStatements; n++) {
    statements.of(`once ${n}`);
    for (const sql of inUse) statements.of(sql);
  }
  expect(inUse.map((sql) => prepared.get(sql))).toEqual(inUse.map(() => 1));
  const isKept = (n: number) => {
    const before = prepared.get(`once ${n}`);
    statements.of(`once ${n}`);
    return prepared.get(`once ${n}`) === before;
  };
  expect(isKept(10 * mostStatements - 1)).toBe(true);
  expect(isKept(10 * mostStatements - mostStatements)).toBe(false);
});
