// Tests a real reader process (docs/decisions/0021-reader-processes.md). store/reader-pool.test.ts
// tests when the pool starts and stops one.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startReaderChild } from "../../../src/cli/files/reader-child.ts";
import { ReaderPool } from "../../../src/store/engine/reader-pool.ts";
import { openWriter } from "../../../src/store/engine/sqlite/file.ts";
import { migrate } from "../../../src/store/engine/sqlite/migrate.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { until } from "../../helpers/process/process.ts";

/** A query that runs for hours. */
const endless =
  "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n";

/** The ids of the reader processes of the file. */
function readersOf(file: string): number[] {
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
  "a reader process reads what was just written and changes nothing, is replaced after it was killed, and ends with its caller and with the pool",
  async () => {
    const file = join(temporaryFolder(), "platform.db");
    const writer = openWriter({ file, busyTimeoutMs: 1000, create: true });
    onTestFinished(() => void writer.close());
    migrate(writer, Date.now);
    // With the default limit, the read could end before the process has started.
    const pool = new ReaderPool(startReaderChild, file, { readMs: 120_000 });
    onTestFinished(() => pool.close());
    let leave: () => void = () => undefined;
    const onGone = (listener: () => void) => {
      leave = listener;
      return () => undefined;
    };
    const reader = pool.readerFor({ gone: false, onGone });
    const parameters = [1, 1.5, "é", null];
    expect(await reader.all("SELECT ? AS a, ? AS b, ? AS c, ? AS d", ...parameters)).toEqual([
      { a: 1, b: 1.5, c: "é", d: null },
    ]);
    writer.exec("UPDATE command_outcomes SET count = 7 WHERE status = 'FAILED'");
    expect(await reader.get("SELECT count FROM command_outcomes WHERE status = 'FAILED'")).toEqual({
      count: 7,
    });
    expect(await reader.get("SELECT 1 FROM agents")).toBeUndefined();
    await expect(reader.all("SELECT missing")).rejects.toThrow("no such column: missing");
    await expect(reader.all("DELETE FROM agents RETURNING id")).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });

    const [first] = readersOf(file);
    process.kill(first as number, "SIGKILL");
    await until("no reader process", () => readersOf(file).length === 0);
    const answer = await reader.get<{ n: number }>("SELECT 1 AS n").catch(() => null);
    expect(answer ?? (await reader.get("SELECT 1 AS n"))).toEqual({ n: 1 });
    expect(readersOf(file)).not.toContain(first);

    const abandoned = reader.all(endless);
    abandoned.catch(() => undefined);
    leave();
    await expect(abandoned).rejects.toThrow("The read was stopped.");
    await until("no reader process", () => readersOf(file).length === 0);
    reader.all(endless).catch(() => undefined);
    await until("a reader process", () => readersOf(file).length === 1);
    await pool.close();
    await until("no reader process", () => readersOf(file).length === 0);
  },
);
