// Tests real reader processes, which start with the first read
// (docs/decisions/0021-reader-processes.md).

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startReaderChild } from "../../../src/cli/files/reader-child.ts";
import { ReaderPool } from "../../../src/store/engine/reader-pool.ts";
import { SqliteDatabase } from "../../../src/store/engine/sqlite/database.ts";
import { openWriter } from "../../../src/store/engine/sqlite/file.ts";
import { migrate } from "../../../src/store/engine/sqlite/migrate.ts";
import { until } from "../../helpers/process/process.ts";

const staying = { gone: false, onGone: () => () => undefined };
/** A query that runs for hours. */
const endless =
  "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n";

let folder: string;
let file: string;
let db: SqliteDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reader-processes-"));
  file = join(folder, "platform.db");
  const writer = openWriter({ file, busyTimeoutMs: 1000, create: true });
  migrate(writer, Date.now);
  const options = { busyTimeoutMs: 1000, now: Date.now, startReader: startReaderChild };
  db = new SqliteDatabase(writer, { ...options, smallBytes: 0 });
});

afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

/** The ids of the reader processes of `file`. */
function readers(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(`read-database\0--file=${file}`))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test.skipIf(process.platform !== "linux")(
  "a reader process reads what was just written, and is replaced after it was killed",
  async () => {
    // With the default limit, the read could end before the process has started.
    const pool = new ReaderPool(startReaderChild, file, { readMs: 120_000 });
    onTestFinished(() => pool.close());
    const reader = pool.readerFor(staying);
    const parameters = [1, 1.5, "é", null];
    expect(await reader.all("SELECT ? AS a, ? AS b, ? AS c, ? AS d", ...parameters)).toEqual([
      { a: 1, b: 1.5, c: "é", d: null },
    ]);
    await db.write((tx) => tx.run("UPDATE command_outcomes SET count = 7 WHERE status = 'FAILED'"));
    expect(await reader.get("SELECT count FROM command_outcomes WHERE status = 'FAILED'")).toEqual({
      count: 7,
    });
    expect(await reader.get("SELECT 1 FROM agents")).toBeUndefined();
    await expect(reader.all("SELECT missing")).rejects.toThrow("no such column: missing");
    await expect(reader.all("DELETE FROM agents RETURNING id")).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });

    const [first] = readers();
    process.kill(first as number, "SIGKILL");
    await until("no reader process", () => readers().length === 0);
    const answer = await reader.get<{ n: number }>("SELECT 1 AS n").catch(() => null);
    expect(answer ?? (await reader.get("SELECT 1 AS n"))).toEqual({ n: 1 });
    expect(readers()).not.toContain(first);
  },
);

test.skipIf(process.platform !== "linux")(
  "a read ends with its caller, and its process with the database",
  async () => {
    let leave: () => void = () => undefined;
    const leaving = {
      gone: false,
      onGone: (listener: () => void) => {
        leave = listener;
        return () => undefined;
      },
    };
    const abandoned = db.bulkReader(leaving).all(endless);
    abandoned.catch(() => undefined);
    await until("a reader process", () => readers().length === 1);
    leave();
    await expect(abandoned).rejects.toThrow("The read was stopped.");
    await until("no reader process", () => readers().length === 0);

    const unfinished = db.bulkReader(staying).all(endless);
    unfinished.catch(() => undefined);
    await until("a reader process", () => readers().length === 1);
    await db.close();
    await until("no reader process", () => readers().length === 0);
  },
);
