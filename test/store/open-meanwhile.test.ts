import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { applicationId, checkHeader, openWriter } from "../../src/store/engine/sqlite/file.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { replaceBuiltin } from "../helpers/builtin.ts";

/** Calls `act` before each access to a file. */
function beforeEachLook(act: () => void): void {
  type Look = (...args: unknown[]) => unknown;
  replaceBuiltin<Record<string, Look>>("node:fs", (fs) => {
    const looks = ["openSync", "readSync", "existsSync", "statSync"];
    const watched = looks.map((name) => {
      const watchedLook: Look = (...args) => {
        act();
        return fs[name]!(...args);
      };
      return [name, watchedLook];
    });
    return Object.fromEntries(watched);
  });
}

/** Another program has created the file, which is not in WAL mode yet. */
function openOther() {
  const file = join(temporaryFolder(), "platform.db");
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.pragma(`application_id = ${applicationId}`);
  return { file, other };
}

test("a program that finds the file locked during its creation waits until it exists", () => {
  const { file, other } = openOther();
  other.exec("BEGIN IMMEDIATE");
  const { pragma } = BetterSqlite3.prototype;
  const answers = vi.spyOn(BetterSqlite3.prototype, "pragma").mockImplementation(function (
    this: BetterSqlite3.Database,
    ...args
  ) {
    try {
      return pragma.apply(this, args);
    } finally {
      other.close();
    }
  });
  onTestFinished(() => answers.mockRestore());
  const connection = openWriter({ file, busyTimeoutMs: 0, create: false });
  expect(answers.mock.results[0]).toMatchObject({ type: "throw" });
  expect(connection.pragma("journal_mode", { simple: true })).toBe("wal");
  connection.close();
});

test.each([1, 2, 3, 4])(
  "a program that closes the file just before access %i does not make it look damaged",
  (when) => {
    const { file, other } = openOther();
    other.pragma("journal_mode = WAL");
    other.exec("CREATE TABLE things (name TEXT)");
    other.exec("INSERT INTO things VALUES (hex(randomblob(100000)))");
    let looks = 0;
    beforeEachLook(() => {
      looks++;
      if (looks === when) other.close();
    });
    expect(() => checkHeader(file)).not.toThrow();
    expect(looks).toBe(4);
    expect(other.open).toBe(false);
  },
);
