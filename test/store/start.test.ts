import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { placeOf } from "../../src/domain/storage/place.ts";
import { headCopyOf } from "../../src/store/audit/head-copy.ts";
import { requireAuditKey } from "../../src/store/audit/key-check.ts";
import { loadMigrations } from "../../src/store/engine/migrations.ts";
import {
  claimDatabase,
  serveDatabase,
  shareDatabase,
} from "../../src/store/engine/sqlite/database-lock.ts";
import { copyBefore } from "../../src/store/engine/sqlite/migrate.ts";
import { openDatabase } from "../../src/store/engine/sqlite/open.ts";
import {
  foldersOf,
  groupWarnings,
  mayGroupWrite,
  openKeyWarnings,
  refuseOpenFolder,
  refuseOpenKeys,
} from "../../src/store/files/ownership.ts";
import { openTestApp, temporaryFolder } from "../helpers/app.ts";
import { createOldDatabase } from "../helpers/old-database.ts";

/** The database is closed and has an audit trail. */
async function prepare(): Promise<{ folder: string; file: string; auditKey: string }> {
  const { app, database, file } = openTestApp();
  await app.noteStarted();
  await app.close();
  await app.noteStopped();
  await database.close();
  const folder = dirname(file);
  return { folder, file, auditKey: join(folder, "audit.key") };
}

function open(file: string, role?: "server") {
  const options = { file, busyTimeoutMs: 0, schema: "apply", now: () => 1000 } as const;
  const opened = openDatabase(role ? { ...options, role } : options);
  onTestFinished(() => opened.database.close());
  return opened.database;
}

interface Loss {
  lose: (place: { folder: string; file: string }) => void;
  says: RegExp;
}

const headName = (file: string) => basename(headCopyOf(file));

function remove(folder: string, ...names: string[]): void {
  for (const name of names) rmSync(join(folder, name));
}

const losses: Record<string, Loss> = {
  "a database of 0 bytes beside its keys": {
    lose: ({ file }) => truncateSync(file, 0),
    says: /it is empty \(0 bytes\), but \S+audit.key and \S+session.key and \S+audit-head show that a database existed/,
  },
  "no database beside its keys": {
    lose: ({ file }) => rmSync(file),
    says: /there is no such file, but .* platform restore FILE/,
  },
  "no database beside one key": {
    lose: ({ folder, file }) => remove(folder, basename(file), "session.key", headName(file)),
    says: /audit.key shows that a database existed.* move that file away/,
  },
  "no database beside its log": {
    lose({ folder, file }) {
      remove(folder, basename(file), "audit.key", "session.key", headName(file));
      writeFileSync(`${file}-wal`, "its log");
    },
    says: /platform.db-wal shows that a database existed/,
  },
  "no database beside the copy of its trail's head": {
    lose: ({ folder, file }) => remove(folder, basename(file), "audit.key", "session.key"),
    says: /platform.db.audit-head shows that a database existed/,
  },
};

test.each(Object.entries(losses))("%s is not replaced by a new one", async (_, { lose, says }) => {
  const place = await prepare();
  lose(place);
  const before = readdirSync(place.folder).sort();
  expect(() => open(place.file, "server")).toThrow(says);
  expect(readdirSync(place.folder).sort()).toEqual(before);
});

test("a first start that was killed before it created the database can be repeated", () => {
  const file = join(temporaryFolder(), "platform.db");
  writeFileSync(file, "");
  open(file, "server");
  expect(statSync(file).size).toBeGreaterThan(0);
});

const keyOfAnother = `${Buffer.alloc(32, 7).toString("base64")}\n`;

test("another trail's key is refused, no matter which part of the trail reveals the mismatch", async () => {
  const { file, auditKey } = await prepare();
  const check = () => requireAuditKey(file, auditKey, 0);
  await check();
  const own = readFileSync(auditKey);
  writeFileSync(auditKey, keyOfAnother);
  await expect(check()).rejects.toThrow(/it is not the key of the audit trail in \S+platform.db/);

  // Without the signed head, the rows identify the key, even if the newest row was changed.
  const connection = new BetterSqlite3(file);
  connection.exec("DELETE FROM settings WHERE key = 'auditHead'");
  await expect(check()).rejects.toThrow("is not the key");
  connection.exec("DROP TRIGGER audit_events_never_change");
  const change =
    "UPDATE audit_events SET message = 'x' WHERE seq = (SELECT MAX(seq) FROM audit_events)";
  connection.exec(change);
  connection.close();
  writeFileSync(auditKey, own);
  await check();
  expect(readdirSync(dirname(file)).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
});

test("a trail of one row identifies the right key, and an empty trail accepts any key", async () => {
  const { app, database, file } = openTestApp();
  const auditKey = join(dirname(file), "audit.key");
  const own = readFileSync(auditKey);
  writeFileSync(auditKey, keyOfAnother);
  await requireAuditKey(file, auditKey, 0);
  writeFileSync(auditKey, own);
  await app.noteStarted();
  await database.write((tx) => tx.run("DELETE FROM settings WHERE key = 'auditHead'"));
  await requireAuditKey(file, auditKey, 0);
  writeFileSync(auditKey, keyOfAnother);
  await expect(requireAuditKey(file, auditKey, 0)).rejects.toThrow("is not the key");
});

test("keys in another folder that all users can write to are refused, unless it has the sticky bit", () => {
  const folder = temporaryFolder();
  for (const [mode, isRefused] of [
    [0o755, false],
    [0o770, false],
    [0o777, true],
    [0o1777, false],
  ] as const) {
    chmodSync(folder, mode);
    if (isRefused) expect(() => refuseOpenKeys(folder)).toThrow(/\(mode 777\).*chmod o-w/);
    else refuseOpenKeys(folder);
  }
});

test("a key that every user can open is named", () => {
  const folder = temporaryFolder();
  const named = { auditKeyFile: join(folder, "a"), sessionSecretFile: join(folder, "s") };
  const database = { kind: "file", file: join(folder, "platform.db") } as const;
  const place = placeOf({ database, dataDir: folder, ...named });
  writeFileSync(place.auditKeyFile, "");
  chmodSync(place.auditKeyFile, 0o640);
  expect(openKeyWarnings(place)).toEqual([]);
  chmodSync(place.auditKeyFile, 0o644);
  expect(openKeyWarnings(place)).toEqual([
    `every user of this host can open the key ${place.auditKeyFile}: chmod 600`,
  ]);
});

test("the folders that a group can write to are named with what it can replace", () => {
  const [data, keys] = [temporaryFolder(), temporaryFolder()];
  const named = { auditKeyFile: join(keys, "a"), sessionSecretFile: join(data, "s") };
  const database = { kind: "file", file: join(data, "platform.db") } as const;
  const place = placeOf({ database, dataDir: data, ...named });
  expect(foldersOf(place)).toEqual({ data, keys: [keys] });
  expect(groupWarnings(place)).toEqual([]);
  for (const folder of [data, keys]) chmodSync(folder, 0o770);
  expect(groupWarnings(place)).toEqual([
    `the group of ${data} can replace the database and its keys: chmod g-w`,
    `the group of ${keys} can replace the keys in it: chmod g-w`,
  ]);
});

test("a data folder that all users can write to is refused, and one that a group can write to is reported", () => {
  const folder = temporaryFolder();
  for (const [mode, isRefused, isTold] of [
    [0o700, false, false],
    [0o755, false, false],
    [0o770, false, true],
    [0o777, true, true],
    [0o1777, true, true],
  ] as const) {
    chmodSync(folder, mode);
    if (isRefused) expect(() => refuseOpenFolder(folder)).toThrow(/\(mode 1?777\).*chmod 700/);
    else refuseOpenFolder(folder);
    expect(mayGroupWrite(folder)).toBe(isTold);
  }
  refuseOpenFolder(join(folder, "not", "there"));
});

test("a second server is refused and learns which one uses the file; other commands can share it", async () => {
  const { file } = await prepare();
  const first = serveDatabase(file, 0);
  const inUse = `another server is using it \\(process ${process.pid} on \\S+\\)\\. Stop that server`;
  expect(() => serveDatabase(file, 0)).toThrow(new RegExp(inUse));
  shareDatabase(file, 0).release();
  expect(claimDatabase(file)).toBeNull();
  first.release();
  expect(existsSync(`${file}.server`)).toBe(false);
  const alone = claimDatabase(file);
  expect(() => serveDatabase(file, 0)).toThrow("it is being restored, migrated or moved");
  alone?.release();
  // A file left by a crash has no effect: only the lock counts.
  writeFileSync(`${file}.server`, "process 1 on elsewhere\n");
  const shared = shareDatabase(file, 0);
  serveDatabase(file, 0).release();
  shared.release();
});

test("the next start removes the files of killed migrations and processes, and nothing else", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "platform.db");
  createOldDatabase(file);
  mkdirSync(`${file}.before-0002.draft-aB3dEf`);
  writeFileSync(`${file}.before-0002.draft-aB3dEf/copy.db`, "half");
  for (const suffix of ["", "-journal", "-wal"]) {
    writeFileSync(`${file}.before-0002.4711${suffix}`, "half");
  }
  writeFileSync(`${file}.audit-head.4711.new`, "half");
  const kept = [
    "other.db.before-0002.12",
    "other.db.audit-head.4711.new",
    "platform.db.before-0001",
    "platform.db.before-restore-1",
  ];
  for (const name of kept) writeFileSync(join(folder, name), "kept");
  // While other processes have the file open and may be copying, nothing is removed.
  await open(join(folder, "beside.db")).close();
  const database = open(file, "server");
  await database.close();
  const second = loadMigrations()[1];
  const copy = second ? [basename(copyBefore(file, second))] : [];
  const expected = [
    ...kept,
    ...copy,
    "beside.db",
    "beside.db.lock",
    "platform.db",
    "platform.db.lock",
  ];
  expect(readdirSync(folder).sort()).toEqual(expected.sort());
});

test("without its database, a command that finds the keys says what a server says", async () => {
  const { file } = await prepare();
  rmSync(file);
  const options = { file, busyTimeoutMs: 0, schema: "require", now: () => 1000 } as const;
  expect(() => openDatabase(options)).toThrow(
    /there is no such file, but .* platform restore FILE/,
  );
});

test("a mistyped name beside a database is reported as missing, not as lost", async () => {
  const { folder } = await prepare();
  const file = join(folder, "none.db");
  const options = { file, busyTimeoutMs: 0, schema: "require", now: () => 1000 } as const;
  expect(() => openDatabase(options)).toThrow(
    "there is no such file; `platform serve` creates one",
  );
});
