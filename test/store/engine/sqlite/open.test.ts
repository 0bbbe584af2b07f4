import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, inject, onTestFinished, test } from "vitest";
import { loadMigrations } from "../../../../src/store/engine/migrations.ts";
import {
  applicationId,
  compareVersions,
  openWriter,
} from "../../../../src/store/engine/sqlite/file.ts";
import { openDatabase } from "../../../../src/store/engine/sqlite/open.ts";
import { temporaryFolder } from "../../../helpers/app.ts";

const newest = loadMigrations().length;

function newFile(): string {
  return join(temporaryFolder(), "platform.db");
}

function open(file: string, schema: "apply" | "require" = "apply") {
  const opened = openDatabase({ file, busyTimeoutMs: 0, schema, now: () => 1000 });
  onTestFinished(() => opened.database.close());
  return opened;
}

/** Creates a migrated file that no process has open, changed by `sql`. */
async function migratedFile(sql = ""): Promise<string> {
  const file = newFile();
  copyFileSync(inject("templateDatabase"), file);
  const connection = new BetterSqlite3(file);
  connection.exec(sql);
  connection.close();
  return file;
}

test("a new file has mode 0600, a folder with mode 0700, the newest schema and our application id", async () => {
  const file = join(temporaryFolder(), "data", "platform.db");
  const { database, migrated } = open(file);
  expect(migrated.map(({ version }) => version)).toEqual(loadMigrations().map((m) => m.version));
  expect(await database.read.all("SELECT name, applied_at FROM schema_migrations")).toEqual(
    loadMigrations().map(({ name }) => ({ name, applied_at: 1000 })),
  );
  await database.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  const header = readFileSync(file);
  expect([header.readUInt32BE(60), header.readUInt32BE(68)]).toEqual([newest, applicationId]);
});

test.each(["apply", "require"] as const)(
  "a file that is up to date can be opened with the schema option '%s'",
  async (mode) => {
    const file = await migratedFile();
    const before = readFileSync(file);
    const { database, migrated } = open(file, mode);
    expect(migrated).toEqual([]);
    await database.close();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file))).toEqual([basename(file), `${basename(file)}.lock`]);
  },
);

const recorded = "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES";

const refused: Record<string, { make: () => Promise<string>; says: RegExp }> = {
  "a schema newer than the program": {
    make: () => migratedFile(`${recorded} (${newest + 1}, '9999-later.sql', 'x', 0)`),
    says: /version \d+\) is newer than this program \(version \d+\)/,
  },
  "a migration that was changed": {
    make: () => migratedFile("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1"),
    says: /its migration 0001-\S+ differs from this program's/,
  },
  "another program's database": {
    make: () => fileWith(otherDatabase("CREATE TABLE theirs (x)")),
    says: /belongs to another program/,
  },
  "our application id without our migrations": {
    make: () => migratedFile("DROP TABLE schema_migrations"),
    says: /belongs to another program/,
  },
  text: { make: () => fileWith(Buffer.from("not a database\n")), says: /not an SQLite database/ },
  "half a file": {
    make: () => damaged((bytes) => bytes.subarray(0, bytes.length / 2)),
    says: /truncated: \d+ of \d+ bytes/,
  },
  "half a file beside an empty log": {
    make: async () => {
      const file = await damaged((bytes) => bytes.subarray(0, bytes.length / 2));
      writeFileSync(`${file}-wal`, "");
      return file;
    },
    says: /malformed|truncated/,
  },
  "garbage after a valid header": {
    make: () => damaged((bytes) => bytes.fill(0xab, 100)),
    says: /malformed/,
  },
};

test.each(Object.entries(refused))(
  "%s is refused and left unchanged",
  async (_, { make, says }) => {
    const file = await make();
    const before = readFileSync(file);
    const beside = readdirSync(dirname(file));
    for (const schema of ["apply", "require"] as const) {
      const refusal = expect.objectContaining({
        code: "UNAVAILABLE",
        message: expect.stringMatching(new RegExp(`${file}: .*${says.source}`)),
      });
      expect(() => open(file, schema)).toThrow(refusal);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
    const left = readdirSync(dirname(file)).filter((name) => !beside.includes(name));
    expect(left.filter((name) => name !== `${basename(file)}.lock`)).toEqual([]);
  },
);

function otherDatabase(sql: string): Buffer {
  const connection = new BetterSqlite3(":memory:");
  connection.exec(sql);
  const bytes = connection.serialize();
  connection.close();
  return bytes;
}

async function fileWith(bytes: Buffer): Promise<string> {
  const file = newFile();
  writeFileSync(file, bytes);
  return file;
}

async function damaged(spoil: (bytes: Buffer) => Buffer): Promise<string> {
  return fileWith(spoil(readFileSync(await migratedFile())));
}

test("a folder is refused", () => {
  expect(() => open(temporaryFolder())).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
});

test.each([
  ["absent", () => undefined, /there is no such file/],
  ["empty", (file: string) => writeFileSync(file, ""), /it is empty \(0 bytes\)/],
  [
    "older",
    (file: string) => openWriter({ file, busyTimeoutMs: 0, create: true }).close(),
    /older/,
  ],
])("a file that is %s is not migrated if the caller does not allow it", (_title, make, says) => {
  const file = newFile();
  make(file);
  expect(() => open(file, "require")).toThrow(says);
  expect(existsSync(file)).toBe(make.length > 0);
  if (existsSync(file)) expect(tablesOf(file)).toEqual([]);
});

function tablesOf(file: string): unknown[] {
  const connection = new BetterSqlite3(file, { readonly: true });
  const tables = connection.prepare("SELECT name FROM sqlite_schema").all();
  connection.close();
  return tables;
}

test("a lock that another program holds is reported with our own message", () => {
  const file = newFile();
  openWriter({ file, busyTimeoutMs: 0, create: true }).close();
  const other = new BetterSqlite3(file);
  other.exec("BEGIN IMMEDIATE");
  const refusal = expect.objectContaining({
    code: "UNAVAILABLE",
    message: expect.stringContaining("locked"),
  });
  expect(() => open(file)).toThrow(refusal);
  other.close();
  expect(open(file).migrated).toHaveLength(newest);
});

test.each([
  ["3.51.2", "3.51.3", -1],
  ["3.9.9", "3.51.3", -1],
  ["3.51.10", "3.51.3", 1],
  ["3.51", "3.51.0", 0],
])("compareVersions orders %s and %s", (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});
