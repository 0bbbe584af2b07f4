import { expect, test } from "vitest";
import { BadPostgresUrl, isPostgresUrl, parsePostgresUrl } from "../../src/lib/postgres-url.ts";

test.each([
  ["postgres://h/d", "postgres://h/d", "postgres://h/d"],
  [
    "postgresql://ada:p%40ss@h:6432/d?sslmode=require",
    "postgres://ada@h:6432/d",
    "postgresql://ada@h:6432/d?sslmode=require",
  ],
  ["postgres://ada:secret@[::1]:1/d", "postgres://ada@[::1]:1/d", "postgres://ada@[::1]:1/d"],
  [
    "postgres://ada:secret@/d?host=/run/postgresql",
    "postgres://ada@/run/postgresql/d",
    "postgres://ada@localhost/d?host=/run/postgresql",
  ],
  ["postgres://h/d?host=other", "postgres://other/d", "postgres://h/d?host=other"],
  ["postgres:///d", "postgres://localhost/d", "postgres:///d"],
])("%s is shown as %s", (url, name, withoutPassword) => {
  expect(parsePostgresUrl(url)).toMatchObject({ name, withoutPassword });
});

test("encoded characters are part of the user name, the password and the database", () => {
  expect(parsePostgresUrl("postgres://a%20b:%2F%3F%23%40%25@h/my%2Fdb")).toMatchObject({
    user: "a b",
    password: "/?#@%",
    database: "my/db",
    port: "",
  });
});

test.each([
  ["postgres:d", "must look like"],
  ["postgres://ada:sec/ret@h/d", "must look like"],
  ["postgres://ada:1/secret@h/d", "is not written as %2F, %3F, %23 or %40"],
  ["postgres://ada:1?secret@h/d", "is not written as %2F, %3F, %23 or %40"],
  ["postgres://ada:1#secret@h/d", "is not written as %2F, %3F, %23 or %40"],
  ["postgres://ada:secret%@h/d", "is a URL, so write % as %25"],
  ["postgres://ada:secret@h/", "names no database"],
  ["postgres://ada:secret@h/d?sslmod=require", "has an unknown parameter sslmod"],
  ["postgres://ada:secret@h/d?sslmode=secure", "must have an sslmode of disable, prefer, require,"],
  ["postgres://ada:secret@h/d?sslmode=verify-ca", "needs sslrootcert for sslmode=verify-ca"],
])("%s is refused without showing a part of the password", (url, problem) => {
  expect(isPostgresUrl(url)).toBe(true);
  const refused = () => parsePostgresUrl(url);
  expect(refused).toThrow(BadPostgresUrl);
  expect(refused).toThrow(problem);
  expect(refused).not.toThrow(/secret|ada/);
});

test.each(["file:a.db", "/a/postgres://b", "mysql://h/d", ""])(
  "%j is not of PostgreSQL",
  (text) => {
    expect(isPostgresUrl(text)).toBe(false);
  },
);
