import { describe, expect, test } from "vitest";
import { addressOf } from "../../../../src/store/engine/postgresql/connection/address.ts";
import { isLoss, isRetriable } from "../../../../src/store/engine/postgresql/connection/losses.ts";
import { numbered } from "../../../../src/store/engine/postgresql/connection/session.ts";
import { valueTypes } from "../../../../src/store/engine/postgresql/connection/values.ts";
import { parseNotice, payloadOf } from "../../../../src/store/engine/postgresql/notices.ts";
import { storageReasonOf } from "../../../../src/store/engine/storage-errors.ts";

test.each([
  ["SELECT ?, ?", "SELECT $1, $2"],
  ["SELECT '?', \"?\", ? -- ?\n, ?", "SELECT '?', \"?\", $1 -- ?\n, $2"],
  ["SELECT 'it''s ?' /* ? \n ? */, ?", "SELECT 'it''s ?' /* ? \n ? */, $1"],
])("placeholders are numbered: %j", (sql, wanted) => {
  expect(numbered(sql)).toBe(wanted);
});

test.each<[number, string, string | number]>([
  [20, "9007199254740991", 9007199254740991],
  [20, "9007199254740993", 9007199254740992],
  [1700, "0.25", 0.25],
  [701, "1e300", 1e300],
  [16, "t", 1],
  [16, "f", 0],
  [25, "12", "12"],
  [1184, "2026-01-01 00:00:00+00", "2026-01-01 00:00:00+00"],
])("a value of type %i arrives as in SQLite", (oid, text, wanted) => {
  expect(valueTypes.getTypeParser(oid, "text")(text)).toBe(wanted);
});

test.each([
  ["53300", "UNREACHABLE"],
  ["08006", "UNREACHABLE"],
  ["25P03", "UNREACHABLE"],
  ["55P03", "LOCKED"],
  ["53100", "DISK_FULL"],
  ["25006", "READ_ONLY"],
  ["XX001", "DAMAGED"],
  ["58030", "IO_ERROR"],
  ["23505", null],
  ["EPIPE", null],
])("PostgreSQL's code %s means %s", (code, reason) => {
  expect(storageReasonOf(Object.assign(new Error("x"), { code }))).toBe(reason);
});

test("a group runs again after conflicts and lost connections, and not after other errors", () => {
  const error = (code: string, message = "x") => Object.assign(new Error(message), { code });
  expect(
    ["40001", "40P01", "57P01", "23505", "53100"].map((code) => isRetriable(error(code))),
  ).toEqual([true, true, false, false, false]);
  expect(isRetriable(error("0A000", "cached plan must not change result type"))).toBe(true);
  expect(["57P01", "57P02", "25P03", "23505"].map((code) => isLoss(error(code)))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("a notification that would be too long concerns everything", () => {
  const short = payloadOf("node", 1, ["agent:a"]);
  expect(parseNotice(short)).toEqual({ node: "node", group: 1, keys: ["agent:a"] });
  const many = Array.from({ length: 1000 }, (_, index) => `agent:${index}`);
  const long = payloadOf("node", 2, many);
  expect(Buffer.byteLength(long)).toBeLessThan(8000);
  expect(parseNotice(long)).toEqual({ node: "node", group: 2, keys: null });
  expect(parseNotice("from another program")).toBeNull();
});

describe("the URL", () => {
  test("names the server, without the password in any message", () => {
    const address = addressOf("postgres://ada:p%40ss@db.example:6432/fleet?sslmode=require");
    expect(address.name).toBe("postgres://ada@db.example:6432/fleet");
    expect(address.config).toMatchObject({
      host: "db.example",
      port: 6432,
      user: "ada",
      password: "p@ss",
      database: "fleet",
    });
    expect(address).toMatchObject({ tls: { rejectUnauthorized: false }, plainAllowed: false });
  });

  test.each([
    ["postgres://h/d", { tls: { rejectUnauthorized: false }, plainAllowed: true }],
    ["postgres://h/d?sslmode=disable", { tls: null, plainAllowed: true }],
    ["postgres://h/d?sslmode=verify-full", { tls: {}, plainAllowed: false }],
    ["postgres:///d?host=/run/postgresql", { tls: null, name: "postgres:///run/postgresql/d" }],
    [
      "postgres://ada@/d?host=/run/postgresql",
      { config: { host: "/run/postgresql", user: "ada" } },
    ],
    ["postgresql://[::1]:5433/d", { config: { host: "::1", port: 5433 } }],
  ])("%s", (url, wanted) => {
    expect(addressOf(url)).toMatchObject(wanted);
  });

  // test/lib/postgres-url.test.ts tests what is wrong with a URL itself.
  test.each([
    ["mysql://ada:secret@h/d", "must look like postgres://user:password@host:5432/database"],
    ["postgres://ada:secret@h/d?sslmode=verify-full&sslrootcert=/missing", "cannot be read"],
  ])("%s is refused", (url, problem) => {
    try {
      addressOf(url);
    } catch (error) {
      expect((error as Error).message).toContain(problem);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("secret");
      return;
    }
    expect.unreachable();
  });
});
