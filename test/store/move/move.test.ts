// Moves of all data: the round trip, what is refused, and what an interruption leaves.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { describe, expect, test, vi } from "vitest";
import { MoveRefused } from "../../../src/domain/storage/moves.ts";
import type { FilePlace, Place } from "../../../src/domain/storage/place.ts";
import { walkTrailOf } from "../../../src/store/audit/verification.ts";
import { shareDatabase } from "../../../src/store/engine/sqlite/database-lock.ts";
import { notMoved } from "../../../src/store/move/layout.ts";
import { findMarkNow } from "../../../src/store/move/mark.ts";
import { PostgresSource } from "../../../src/store/move/postgres-source.ts";
import { SqliteSource } from "../../../src/store/move/sqlite-source.ts";
import { SqliteTarget } from "../../../src/store/move/sqlite-target.ts";
import { openStore } from "../../../src/store/open.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";
import { cuttingProxy } from "../../helpers/cutting-proxy.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { migratedDatabase } from "../../helpers/migrated-database.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { rowsIn, writeKey } from "../../helpers/postgres-cluster.ts";
import {
  change,
  copyOf,
  furnishedFile,
  move,
  newFile,
  newServer,
  serverPlace,
  specialNumbers,
  specialTexts,
} from "./furnished.ts";

type Rows = Record<string, string[]>;

/** Every row of the moved tables as JSON, with exact numbers. */
async function rowsOf({ file }: FilePlace): Promise<Rows> {
  return change(file, (database) => {
    database.defaultSafeIntegers(true);
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all() as string[];
    const moved = names.filter((name) => !Object.hasOwn(notMoved, name));
    return Object.fromEntries(moved.map((name) => [name, linesOf(database, name)]));
  });
}

function linesOf(database: BetterSqlite3.Database, table: string): string[] {
  const rows = database.prepare(`SELECT * FROM ${table}`).raw().all() as unknown[][];
  const exact = (value: unknown) => (typeof value === "bigint" ? { number: `${value}` } : value);
  return rows.map((row) => JSON.stringify(row.map(exact))).sort();
}

/** The rows of a move in the trail, and the signed head, belong to the target. */
function withoutMoves(rows: Rows): Rows {
  const { audit_events: trail = [], settings = [], ...others } = rows;
  return {
    ...others,
    audit_events: trail.filter((line) => !line.includes('"database.moved"')),
    settings: settings.filter((line) => !line.startsWith('["auditHead"')),
  };
}

const open = (place: Place) =>
  openStore(place, { schema: "require", busyTimeoutMs: 0, now: () => Date.now() });

/** Describes the schema, which must be the same as in a file that migrations have created. */
const schemaOf = ({ file }: FilePlace) =>
  change(file, (database) => ({
    objects: database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all(),
    version: database.pragma("user_version"),
  }));

const markOf = ({ file }: FilePlace) => change(file, findMarkNow);

const refusedWith = (code: string, message: string | RegExp) =>
  expect.objectContaining({
    code,
    message:
      typeof message === "string"
        ? expect.stringContaining(message)
        : expect.stringMatching(message),
  });

const refusalOf = (moving: Promise<unknown>): Promise<unknown> =>
  moving.then(
    () => "nothing was refused",
    (error: unknown) => error,
  );

describe.skipIf(!hasPostgres)("a move", () => {
  const furnished = perFile(furnishedFile);
  const source = () => copyOf(furnished());

  test("to PostgreSQL and back keeps every row of every table, and adds only its own", async () => {
    const from = source();
    const before = await rowsOf(from);
    expect(Object.keys(before).filter((table) => before[table]?.length === 0)).toEqual([]);
    const server = await newServer(from);
    const there = await move(from, server);
    const rows = Object.values(before).flat().length;
    expect(there).toMatchObject({ from: from.file, to: server.name, rows, replacedTexts: 0 });
    expect(there.tables).toEqual(
      Object.fromEntries(Object.entries(before).map(([table, lines]) => [table, lines.length])),
    );
    expect(there.auditVerified).toBe(before.audit_events?.length);

    const counters = await rowsIn(server.url, "SELECT name, value FROM counters");
    for (const [at, text] of specialTexts.entries()) {
      expect(counters).toContainEqual([`special ${text}`, `${at}`]);
    }
    for (const number of specialNumbers)
      expect(counters).toContainEqual([`number ${number}`, number]);
    const walk = await walkTrailOf(
      { place: server, incremental: false },
      new AbortController().signal,
    );
    expect(walk).toMatchObject({ broken: null, head: there.auditHead });
    const [[metadata]] = (await rowsIn(
      server.url,
      "SELECT metadata FROM audit_events WHERE action = 'database.moved'",
    )) as [[string]];
    const { auditHead, ...facts } = there;
    expect(JSON.parse(metadata)).toEqual(facts);

    const file = newFile();
    const back = await move(server, file);
    expect(back.rows).toBe(rows + 1);
    const after = await rowsOf(file);
    expect(withoutMoves(after)).toEqual(withoutMoves(before));
    expect(after.audit_events?.length).toBe((before.audit_events?.length ?? 0) + 2);
    for (const name of ["audit.key", "session.key"]) {
      expect(readFileSync(join(file.folder, name))).toEqual(readFileSync(join(from.folder, name)));
    }
    expect(schemaOf(file)).toEqual(schemaOf(from));
    const { database } = await open(file);
    await database.close();
  });

  test("waits until no server uses the source, and leaves it as it was, but nobody can open it to write", async () => {
    const from = source();
    const before = await rowsOf(from);
    // A server has created the schema, but nobody has used it.
    const server = await newServer(from, migratedDatabase);
    const { moveId } = await move(from, server);
    const { settings, ...others } = await rowsOf(from);
    expect(others).toEqual({ ...before, settings: undefined, ...others });
    expect(settings?.filter((line) => !line.startsWith('["movedTo"'))).toEqual(before.settings);
    expect(markOf(from)).toMatchObject({ id: moveId, to: server.name, done: true });
    await expect(open(from)).rejects.toThrow(
      `Cannot open the database ${from.file}: its data was moved to ${server.name} on `,
    );
    await expect(move(from, newFile())).rejects.toThrow(MoveRefused);
    expect(server.name).not.toContain(new URL(server.url).password);

    const opened = await open(server);
    const seen = (agoMs: number) =>
      rowsIn(
        server.url,
        `INSERT INTO nodes VALUES ('nod_1', 'host-a', 'http://10.0.0.1:8080', '1', 0,
           extract(epoch FROM clock_timestamp()) * 1000 - ${agoMs}, 0)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      );
    await seen(10_000);
    expect(await refusalOf(move(server, newFile()))).toEqual(
      refusedWith("DATABASE_IN_USE", "servers use it (http://10.0.0.1:8080 on host-a)"),
    );
    await seen(20_000);
    await move(server, newFile());
    // This process opened the database before the move.
    const late = opened.database.write((tx) => tx.run("DELETE FROM counters"));
    await expect(late).rejects.toMatchObject({ cause: { reason: "MOVED" } });
    await opened.database.close();
    await expect(open(server)).rejects.toThrow(/its data was moved to .*platform\.db on /);
    expect(await rowsIn(server.url, "SELECT COUNT(*) FROM counters")).not.toEqual([["0"]]);
  });

  describe("is refused, and changes nothing,", () => {
    /** Returns the error, after checking that both databases are unchanged. */
    async function refused(from: FilePlace, to: Place, more = {}): Promise<unknown> {
      const before = await rowsOf(from);
      const error = await refusalOf(move(from, to, more));
      expect(await rowsOf(from)).toEqual(before);
      expect(markOf(from)).toBeNull();
      return error;
    }
    const tablesOf = (url: string) =>
      rowsIn(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");

    test("if the target has rows, or tables of another program", async () => {
      const from = source();
      const server = await newServer(from);
      await rowsIn(server.url, "CREATE TABLE theirs (x int)");
      expect(await refused(from, server)).toEqual(
        expect.objectContaining({ message: expect.stringContaining("another program") }),
      );
      await rowsIn(server.url, "DROP TABLE theirs");
      await move(copyOf(furnished()), server);
      expect(await refused(from, server)).toEqual(
        refusedWith("TARGET_NOT_EMPTY", /is not empty: the table \w+ has rows/),
      );
    });

    test("if the target's file exists, or has left a log, or another key is beside it", async () => {
      const from = source();
      const other = source();
      expect(await refused(from, other)).toEqual(
        refusedWith("TARGET_NOT_EMPTY", "the file exists"),
      );
      const beside = { ...other, file: join(other.folder, "other.db") };
      writeFileSync(`${beside.file}-wal`, "");
      expect(await refused(from, beside)).toEqual(refusedWith("TARGET_NOT_EMPTY", "other.db-wal"));
      rmSync(`${beside.file}-wal`);
      writeKey(other.folder, "session.key");
      expect(await refused(from, beside)).toMatchObject({
        message: expect.stringMatching(/session\.key: it contains another key/),
      });
      expect(existsSync(beside.file)).toBe(false);
    });

    test("if the audit key is not the key of the trail", async () => {
      const from = source();
      writeKey(from.folder, "audit.key");
      const file = newFile();
      expect(await refused(from, file)).toMatchObject({
        message: expect.stringContaining("it is not the key of the audit trail in"),
      });
      expect(existsSync(file.file)).toBe(false);
    });

    test("if the source is in use", async () => {
      const from = source();
      const lock = shareDatabase(from.file, 0);
      const error = await refusalOf(move(from, newFile()));
      lock.release();
      expect(error).toEqual(refusedWith("DATABASE_IN_USE", "is in use"));
    });

    test("if a schema is older, or there is none", async () => {
      const from = source();
      expect(await refusalOf(move(await newServer(from), newFile()))).toEqual(
        refusedWith("SCHEMA_NOT_CURRENT", "is empty, so there is nothing to move"),
      );
      change(from.file, (database) =>
        database.exec(
          "DELETE FROM schema_migrations WHERE version = (SELECT MAX(version) FROM schema_migrations)",
        ),
      );
      expect(await refused(from, newFile())).toEqual(
        refusedWith("SCHEMA_NOT_CURRENT", `run platform migrate --db ${from.file} first`),
      );
    });

    test("if the trail was changed, unless that is accepted", async () => {
      const from = source();
      change(from.file, (database) => {
        database.exec("DROP TRIGGER audit_events_never_change");
        database.exec("UPDATE audit_events SET message = 'x' WHERE action = 'api_key.created'");
      });
      const server = await newServer(from);
      expect(await refused(from, server)).toEqual(
        refusedWith("AUDIT_NOT_VERIFIED", /fails verification: row \d+: its hash does not match/),
      );
      expect(await tablesOf(server.url)).toEqual([]);
      const report = await move(from, server, { unverified: true });
      expect(report.auditProblem).toMatch(/^Audit trail, row \d+: its hash does not match/);
      const sql = "SELECT message FROM audit_events WHERE action = 'database.moved'";
      expect(await rowsIn(server.url, sql)).toEqual([[report.auditProblem]]);
    });

    test("if the end of the trail is missing, unless that is accepted", async () => {
      const from = source();
      change(from.file, (database) => {
        database.exec("DROP TRIGGER audit_events_pruned_after_checkpoint");
        database.exec("DELETE FROM audit_events WHERE seq = (SELECT MAX(seq) FROM audit_events)");
      });
      expect(await refused(from, newFile())).toEqual(
        refusedWith("AUDIT_NOT_VERIFIED", "which was signed as the trail's head"),
      );
      const file = newFile();
      await move(from, file, { unverified: true });
      // The old signature stays as evidence.
      const signed = (place: FilePlace) =>
        change(place.file, (database) =>
          database.prepare("SELECT value FROM settings WHERE key = 'auditHead'").get(),
        );
      expect(signed(file)).toEqual(signed(from));
    });

    test("if PostgreSQL refuses a row", async () => {
      const from = source();
      change(from.file, (database) => {
        database.pragma("foreign_keys = OFF");
        database.exec("UPDATE services SET agent_id = 'agt_missing'");
      });
      const server = await newServer(from);
      expect(await refused(from, server)).toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/nothing was changed: .*violates foreign key constraint/),
      });
      expect(await tablesOf(server.url)).toEqual([]);
      const file = newFile();
      await refused(from, file);
      expect(readdirSync(file.folder)).toEqual(["platform.db.lock"]);
    });

    test("if it is interrupted", async () => {
      const from = source();
      for (const to of [await newServer(from), newFile()]) {
        const interruption = new AbortController();
        let left = 20;
        const onProgress = () => left-- === 0 && interruption.abort(new Error("Ctrl-C"));
        const { signal } = interruption;
        expect(await refused(from, to, { signal, onProgress })).toEqual(new Error("Ctrl-C"));
        if (to.kind === "postgresql") expect(await tablesOf(to.url)).toEqual([]);
        else expect(readdirSync(to.folder)).toEqual(["platform.db.lock"]);
      }
    });
  });

  test("replaces what neither engine can keep, and says how often", async () => {
    const from = source();
    change(from.file, (database) =>
      database.exec("UPDATE users SET username = 'a' || char(0) || 'b' WHERE username = 'admin'"),
    );
    const file = newFile();
    expect((await move(from, file)).replacedTexts).toBe(1);
    const read = "SELECT username FROM users ORDER BY id LIMIT 1";
    expect(change(file.file, (database) => database.prepare(read).pluck().get())).toBe("a\ufffdb");
  });

  test("does not commit a target that differs from the source", async () => {
    const from = source();
    const { insert } = SqliteTarget.prototype;
    const spy = vi.spyOn(SqliteTarget.prototype, "insert").mockImplementation(async function (
      this: SqliteTarget,
      table,
      batches,
    ) {
      await insert.call(this, table, batches);
      if (table.name === "counters")
        await this.tx.run("UPDATE counters SET value = 9 WHERE value = 3");
    });
    const file = newFile();
    const error = await refusalOf(move(from, file));
    spy.mockRestore();
    expect(String(error)).toMatch(/the target's table counters differs from the source's/);
    expect([existsSync(file.file), markOf(from)]).toEqual([false, null]);
  });

  test("removes a key whose folder cannot be flushed", async () => {
    const from = source();
    const to = newFile();
    replaceBuiltin<typeof import("node:fs")>("node:fs", ({ openSync }) => ({
      openSync: (path, ...more) => {
        if (path === to.folder) throw new Error("on purpose");
        return openSync(path, ...more);
      },
    }));
    expect(String(await refusalOf(move(from, to)))).toMatch(/audit\.key: on purpose/);
    expect([existsSync(to.auditKeyFile), markOf(from)]).toEqual([false, null]);
  });

  describe("whose end is not known", () => {
    test.each(["before", "after"] as const)(
      "because the connection is lost %s the commit, is found out",
      async (when) => {
        const from = source();
        const server = await newServer(from);
        const proxy = await cuttingProxy(server.url);
        const through = serverPlace(proxy.url, from.folder);
        const cut = proxy.cutAtCommit(when);
        const moving = move(from, through).catch((error: unknown) => error);
        await cut;
        const ended = await moving;
        if (when === "after") {
          expect(ended).toMatchObject({ to: through.name });
          expect(markOf(from)).toMatchObject({ done: true });
        } else {
          expect(String(ended)).toContain("nothing was changed");
          expect(markOf(from)).toBeNull();
        }
      },
    );

    describe("because the target's folder cannot be flushed", () => {
      /** The folder cannot be flushed after the file got its name, until `mend` is called. */
      function breakFlush(to: FilePlace, onFailure: (mend: () => void) => void) {
        let isBroken = true;
        const mend = () => {
          isBroken = false;
        };
        replaceBuiltin<typeof import("node:fs")>("node:fs", ({ openSync }) => ({
          openSync: (path, ...more) => {
            if (isBroken && path === to.folder && existsSync(to.file)) {
              onFailure(mend);
              throw new Error("on purpose");
            }
            return openSync(path, ...more);
          },
        }));
        return mend;
      }

      test("is found out, once it can be flushed", async () => {
        const from = source();
        const to = newFile();
        breakFlush(to, (mend) => mend());
        const { moveId } = await move(from, to);
        expect(markOf(from)).toMatchObject({ id: moveId, done: true });
      });

      test("stays unknown, until the same command can flush it", async () => {
        const from = source();
        const to = newFile();
        const mend = breakFlush(to, () => undefined);
        replaceBuiltin<typeof import("node:timers/promises")>("node:timers/promises", () => ({
          setTimeout: async (_ms, value) => value as never,
        }));
        const unknown = refusedWith("OUTCOME_UNKNOWN", "not known whether");
        expect(await refusalOf(move(from, to))).toEqual(unknown);
        expect(markOf(from)).toMatchObject({ done: false });
        expect(await refusalOf(move(from, to))).toEqual(
          refusedWith(
            "OUTCOME_UNKNOWN",
            /not known whether .* no server opens .* find out\. Looking .* failed: on purpose$/,
          ),
        );
        expect(markOf(from)).toMatchObject({ done: false });
        mend();
        const { moveId } = await move(from, to);
        expect(markOf(from)).toMatchObject({ id: moveId, done: true });
      });
    });

    test("because the program was killed after the commit, is finished by the same command", async () => {
      const from = source();
      const server = await newServer(from, migratedDatabase);
      const { mark } = SqliteSource.prototype;
      const spy = vi.spyOn(SqliteSource.prototype, "mark").mockImplementation(async function (
        this: SqliteSource,
        wanted,
      ) {
        if (wanted?.done) throw new Error("killed");
        await mark.call(this, wanted);
      });
      const first = await move(from, server);
      spy.mockRestore();
      expect(markOf(from)).toMatchObject({ done: false });
      await expect(open(from)).rejects.toThrow(
        /did not report its end\. Run the same platform db move/,
      );
      expect(await refusalOf(move(from, newFile()))).toEqual(
        refusedWith("DATABASE_MOVED", "did not report its end"),
      );
      expect(await move(from, server)).toEqual(first);
      expect(markOf(from)).toMatchObject({ done: true });
    });

    test("because the program was killed before the commit, begins again", async () => {
      const from = source();
      const server = await newServer(from, migratedDatabase);
      change(from.file, (database) =>
        database
          .prepare("INSERT INTO settings VALUES ('movedTo', ?, 0)")
          .run(JSON.stringify({ id: "mov_1", to: server.name, at: 0, done: false })),
      );
      await expect(open(from)).rejects.toThrow(/did not report its end/);
      await move(from, server);
      const back = newFile();
      const { mark } = PostgresSource.prototype;
      const spy = vi.spyOn(PostgresSource.prototype, "mark").mockImplementation(async function (
        this: PostgresSource,
        wanted,
      ) {
        await mark.call(this, wanted);
        throw new Error("killed");
      });
      expect(await refusalOf(move(server, back))).toEqual(
        refusedWith(
          "OUTCOME_UNKNOWN",
          / or use postgres:.* platform db reactivate --db postgres:.* The error: killed$/,
        ),
      );
      spy.mockRestore();
      expect(existsSync(back.file)).toBe(false);
      await expect(open(server)).rejects.toThrow(/did not report its end/);
      await move(server, back);
      await expect(open(server)).rejects.toThrow(/its data was moved to/);
    });
  });
});
