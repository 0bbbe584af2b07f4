import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { Reader } from "../../../../src/store/database.ts";
import {
  type OpenPostgresOptions,
  openPostgres,
} from "../../../../src/store/engine/postgresql/open.ts";
import { takeMigrationNote } from "../../../../src/store/files/migration-note.ts";
import { atEnd } from "../../../helpers/lifetime.ts";
import { hasPostgres, postgresDatabase } from "../../../helpers/postgres.ts";
import { migrationsFrom } from "../migrations-from.ts";
import { connectTo } from "./engine.ts";
import { transactionPooler } from "./transaction-pooler.ts";

const first = `CREATE TABLE audit_events (seq BIGINT PRIMARY KEY);
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT, updated_at BIGINT);
  CREATE TABLE users (id TEXT PRIMARY KEY);`;
const second = "ALTER TABLE users ADD COLUMN name TEXT NOT NULL DEFAULT ''";

function migrationsWith(...texts: string[]) {
  const named = texts.map((text, index) => [`000${index + 1}-change.sql`, text]);
  return migrationsFrom(Object.fromEntries(named));
}

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await postgresDatabase();
  atEnd(drop);
  return url;
}

async function open(url: string, options: Partial<OpenPostgresOptions> = {}) {
  const opened = await openPostgres({
    url,
    schema: "apply",
    migrations: migrationsWith(first, second),
    ...options,
  });
  atEnd(() => opened.database.close());
  return { ...opened, versions: opened.migrated.map(({ version }) => version) };
}

/** Starts a proxy that refuses the first connections with this error. Returns the proxy's URL. */
async function refusingFirst(url: string, count: number, { code, says }: Record<string, string>) {
  const { hostname, port } = new URL(url);
  let left = count;
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (left-- > 0) {
      const fields = Buffer.from(`SFATAL\0C${code}\0M${says}\0\0`);
      const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
      client.once("data", () => client.end(Buffer.concat([head, fields])));
      return;
    }
    const upstream = connect(Number(port), hostname);
    upstream.on("error", () => undefined);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => void server.close());
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String((server.address() as AddressInfo).port);
  through.searchParams.set("sslmode", "disable");
  return through.href;
}

describe.skipIf(!hasPostgres)("opening a database", () => {
  test("creates the schema, and finds it up to date later", async () => {
    const url = await emptyDatabase();
    const created = await open(url, { now: () => 5 });
    expect(created).toMatchObject({ versions: [1, 2], hasHistory: false, isNew: true });
    const { migrations } = await created.database.stats();
    expect(migrations.map(({ version, appliedAt }) => [version, appliedAt])).toEqual([
      [1, 5],
      [2, 5],
    ]);
    const names = await created.database.write(takeMigrationNote);
    expect(names).toEqual(["0001-change.sql", "0002-change.sql"]);
    expect(await created.database.write(takeMigrationNote)).toEqual([]);
    await created.database.write((tx) => tx.run("INSERT INTO audit_events VALUES (1)"));
    const found = await open(url, { schema: "require" });
    expect(found).toMatchObject({ versions: [], hasHistory: true, isNew: false });
  });

  test("several programs at once apply each migration once", async () => {
    const url = await emptyDatabase();
    const opened = await Promise.all([1, 2, 3].map(() => open(url)));
    expect(opened.flatMap(({ versions }) => versions).toSorted()).toEqual([1, 2]);
  });

  test.each([
    ["57P03", "the database system is starting up"],
    ["53300", "sorry, too many clients already"],
  ])(
    "a server waits for a database that answers %s, and a command does not",
    async (code, says) => {
      const url = await refusingFirst(await emptyDatabase(), 4, { code, says });
      await expect(open(url)).rejects.toThrow(says);
      expect((await open(url, { patienceMs: 60_000 })).versions).toEqual([1, 2]);
    },
  );

  test("a check that fails prevents the migration", async () => {
    const url = await emptyDatabase();
    await open(url, { migrations: migrationsWith(first) });
    const check = async (db: Reader) => {
      const found = await db.get("SELECT id FROM users WHERE id = ?", "x");
      throw new Error(`found ${found}`);
    };
    await expect(open(url, { check })).rejects.toThrow("found undefined");
    expect((await open(url)).versions).toEqual([2]);
  });

  test("a migration that fails leaves the schema before it", async () => {
    const url = await emptyDatabase();
    const broken = migrationsWith(first, "CREATE TABLE more (id TEXT); SELECT nonsense");
    await expect(open(url, { migrations: broken })).rejects.toThrow(
      /column "nonsense" does not exist/,
    );
    expect((await open(url)).versions).toEqual([2]);
  });

  test.each<[string, string, Partial<OpenPostgresOptions>, string]>([
    [
      "belongs to another program",
      "CREATE TABLE theirs (id TEXT)",
      {},
      "belongs to another program",
    ],
    [
      "is empty, if it must be up to date",
      "",
      { schema: "require" },
      "start `platform serve` once",
    ],
  ])("a database that %s is refused", async (_, sql, options, problem) => {
    const url = await emptyDatabase();
    await (await connectTo(url)).query(sql);
    await expect(open(url, options)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining(problem),
    });
  });

  test("a schema that differs is refused, and a newer one is accepted only if it allows this program", async () => {
    const url = await emptyDatabase();
    await open(url);
    const different = open(url, { migrations: migrationsWith(first, `${second};`) });
    await expect(different).rejects.toThrow("its migration 0002-change.sql differs");
    const olderProgram = () => open(url, { migrations: migrationsWith(first) });
    const newer = "its schema (version 2) is newer than this program (version 1)";
    await expect(olderProgram()).rejects.toThrow(newer);
    const other = await connectTo(url);
    await other.query("ALTER TABLE schema_migrations ADD COLUMN minimum_version BIGINT DEFAULT 1");
    await olderProgram();
    await other.query("UPDATE schema_migrations SET minimum_version = 2");
    await expect(olderProgram()).rejects.toThrow(newer);
  });

  test("an encoding that cannot store all text is refused", async () => {
    const admin = await connectTo(await emptyDatabase());
    const name = `ascii_${process.pid}`;
    await admin.query(`CREATE DATABASE ${name} ENCODING SQL_ASCII TEMPLATE template0`);
    atEnd(() => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
    const url = new URL(await emptyDatabase());
    url.pathname = `/${name}`;
    await expect(open(url.href)).rejects.toThrow("its encoding is SQL_ASCII, but must be UTF8");
  });

  test("a URL that cannot be opened is refused with the reason, without the password", async () => {
    const right = await emptyDatabase();
    const { password } = new URL(right);
    const wrong: [change: (url: URL) => void, reason: RegExp][] = [
      [
        (url) => (url.password = "wrong"),
        /password authentication failed for .*; check the user name and the password/,
      ],
      [
        (url) => (url.pathname = "/missing"),
        /database "missing" does not exist; create it: CREATE DATABASE "missing"/,
      ],
      [(url) => (url.port = "1"), /ECONNREFUSED/],
      [(url) => url.searchParams.set("sslmode", "require"), /does not support SSL/],
    ];
    for (const [change, reason] of wrong) {
      const url = new URL(right);
      change(url);
      const error = await open(url.href).catch((each: Error) => each);
      expect(error).toMatchObject({ code: "UNAVAILABLE", message: expect.stringMatching(reason) });
      const { message, stack, cause } = error as Error;
      const texts = [message, stack, String(cause), JSON.stringify(cause)].join("\n");
      expect(texts).not.toContain(decodeURIComponent(password));
      expect(texts).not.toContain("wrong");
    }
  });

  test("a user who may not create tables is refused with advice", async () => {
    const url = new URL(await emptyDatabase());
    const admin = await connectTo(url.href);
    const role = `reader_${process.pid}`;
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    atEnd(() => admin.query(`DROP ROLE ${role}`));
    Object.assign(url, { username: role, password: "x" });
    await expect(open(url.href)).rejects.toThrow(
      `permission denied for schema public; let this user create tables: ALTER DATABASE ` +
        `"${url.pathname.slice(1)}" OWNER TO "${role}"`,
    );
  });

  test("a pooler in transaction mode is refused", async () => {
    const url = await emptyDatabase();
    await open(url);
    await expect(open(await transactionPooler(url))).rejects.toThrow(
      "it is behind a pooler in transaction mode",
    );
  });
});
