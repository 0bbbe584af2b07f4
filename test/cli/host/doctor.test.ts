// `platform doctor` finds no problems on a sound host, and identifies each kind of damage.

import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { adviceOnWriting } from "../../../src/cli/commands/host/doctor/files.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { loadMigrations } from "../../../src/store/engine/migrations.ts";
import { serveDatabase, shareDatabase } from "../../../src/store/engine/sqlite/database-lock.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { caFile, certificateFiles, certificatePair } from "../../helpers/http/https.ts";
import { listen, serveHttp } from "../../helpers/http/listen.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { createOldDatabase } from "../../helpers/old-database.ts";
import { tamper } from "../../helpers/process/tamper.ts";
import { withoutChildren } from "../../helpers/process/without-children.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { cli, failing } from "../world.ts";

sqliteOnly("postgresql.test.ts has the checks of a PostgreSQL database");

withoutChildren();

interface Finding {
  check: string;
  state: string;
  found: string;
  advice: string | null;
}

/** `bad` lists the checks that are neither OK nor skipped. */
async function diagnose(words: string[], options: Parameters<typeof cli>[1] = {}) {
  const env = { PORT: "0", ...options.env };
  const io = { program: "platform", ...options.io } as const;
  const ran = await cli(["doctor", ...words, "-o", "json"], { ...options, env, io });
  const findings: Finding[] = JSON.parse(ran.stdout);
  const bad = findings.filter(({ state }) => !/^(OK|SKIPPED)$/.test(state));
  return { ...ran, findings, bad: bad.map(({ check, state }) => `${check}: ${state}`) };
}

async function openStarted() {
  const test = openTestApp();
  test.clock.advance(Date.now() - test.clock.now());
  await test.app.welcomeOwner();
  await test.app.noteStarted();
  return test;
}

const sound = perFile(async () => {
  const test = await openStarted();
  const { call } = test.as("owner");
  const body = { username: "ada", password: "seven blue teapots", role: "viewer" } as const;
  await call("users.create", { body });
  await call("api-keys.create", { body: { name: "ci", role: "viewer" } });
  await test.registerAgent("edge-1");
  await test.app.close();
  await test.database.close();
  return dirname(test.file);
});

function prepare(): Place {
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder, { mode: 0o700 });
  cpSync(sound(), folder, { recursive: true });
  return { folder, file: join(folder, "platform.db") };
}

test("the doctor finds no problems on a sound host without a server", async () => {
  const { folder, file } = prepare();
  const before = readFileSync(file);
  for (const words of [
    ["--data-dir", folder],
    ["--db", file, "--deep"],
  ]) {
    const { status, findings, stderr } = await diagnose(words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const fine = findings.filter(({ state }) => state === "OK").map(({ check }) => check);
    expect(fine.join(", ")).toBe(
      "program, configuration, certificate, data folder, permissions, disk space, disk writes, " +
        "keys, database, schema, log size, users, credentials, integrity, audit trail, server, clock",
    );
    expect(findings.filter(({ state }) => state !== "OK")).toMatchObject([
      { check: "version", state: "SKIPPED" },
    ]);
  }
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("the doctor asks a running server, and finds no problems", async () => {
  const { app, file, clock } = await openStarted();
  const { server } = createHttpServer(app.httpOptions);
  const port = String(await listen(server));
  const env = { DATA_DIR: dirname(file), PORT: port, VERSION: "0.0.0-dev" };
  const io = { now: clock.now };
  const { status, findings } = await diagnose([], { env, io });
  expect(findings.filter(({ state }) => state !== "OK")).toEqual([]);
  expect(status).toBe(0);
  const found = Object.fromEntries(findings.map(({ check, found }) => [check, found]));
  expect(found.server).toBe(`http://127.0.0.1:${port} is UP`);
  expect(found.version).toMatch(/^the server is also /);
  const table = await cli(["doctor"], { env, io });
  expect(table.stdout).toMatch(/^STATE +CHECK +FOUND$/m);
  expect(table.stderr).toBe("\nNo problems found.\n");
});

interface Place {
  folder: string;
  file: string;
}

interface Run {
  words?: string[];
  env?: Record<string, string>;
  now?: () => number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: most functions only change files
type Break = (place: Place) => Run | void | Promise<Run | void>;

const sql =
  (text: string): Break =>
  ({ file }) => {
    const connection = new BetterSqlite3(file);
    connection.exec(text);
    connection.close();
  };
const chmod =
  (mode: number, name = ""): Break =>
  ({ folder }) =>
    chmodSync(join(folder, name), mode);
const remove =
  (name: string): Break =>
  ({ folder }) =>
    rmSync(join(folder, name));
const write =
  (name: string, text: string): Break =>
  ({ folder }) =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
/** Moves the audit key out of the folder. */
const keyOutside =
  (mode: number): Break =>
  ({ folder }) => {
    const key = join(temporaryFolder(), "audit.pem");
    renameSync(join(folder, "audit.key"), key);
    chmodSync(key, mode);
    return { env: { AUDIT_KEY_FILE: key } };
  };
const run = (options: Run) => () => options;
const freeSpace =
  (mebibytes: number): Break =>
  () =>
    replaceBuiltin<typeof import("node:fs/promises")>("node:fs/promises", () => ({
      statfs: async () => ({ bavail: mebibytes, bsize: 2 ** 20 }) as never,
    }));

const newest = loadMigrations().length;
const { certFile, keyFile } = certificateFiles("first");
const tls = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
const at = (...date: [number, number, number?]) => run({ env: tls, now: () => Date.UTC(...date) });

/** How to cause each kind of damage, the bad checks, and what the first of them finds. */
type Damage = [breaks: Break, bad: string, says: RegExp];

const broken: Record<string, Damage> = {
  "a setting": [
    run({ env: { PORT: "eighty" } }),
    "configuration: FAILURE",
    /PLATFORM_PORT: must be a whole number.*platform config/s,
  ],
  "a mistyped variable": [
    run({ env: { PROT: "80" } }),
    "configuration: WARNING",
    /PLATFORM_PROT is not a setting.*Correct the variable's name/s,
  ],
  // The certificates expire so late that the clock check also rejects these times.
  "an expired certificate": [
    at(2120, 5),
    "certificate: FAILURE, clock: FAILURE",
    /the certificate expired on 2120-01-01.*Renew .*first\.crt/s,
  ],
  "a certificate that expires soon": [
    at(2119, 11, 25),
    "certificate: WARNING, clock: FAILURE",
    /valid until 2120-01-01 \(7 days\).*Renew .*first\.crt/s,
  ],
  "a certificate that is not valid yet": [
    at(2019, 5),
    "certificate: FAILURE, clock: FAILURE",
    /the certificate is not valid before 2020-01-01.*Check the clock/s,
  ],
  "a missing folder": [
    ({ folder }) => {
      renameSync(folder, `${folder}-away`);
      onTestFinished(() => rmSync(`${folder}-away`, { recursive: true }));
    },
    "data folder: FAILURE, database: FAILURE",
    /does not exist.*Give the folder with --data-dir/s,
  ],
  "a file instead of the folder": [
    ({ file }) => ({ words: ["--data-dir", file] }),
    "data folder: FAILURE, disk writes: FAILURE, database: FAILURE",
    /is not a folder.*Give a folder with --data-dir/s,
  ],
  "a folder that others can list": [
    chmod(0o755),
    "permissions: WARNING",
    /others can list.*^chmod 700 \//ms,
  ],
  "a key that others can read": [
    chmod(0o640, "audit.key"),
    "permissions: FAILURE",
    /others can open audit\.key.*^chmod 600 \/.*audit\.key$/ms,
  ],
  // As root, the doctor refuses to run in this folder (test/root/ownership.test.ts).
  ...(process.geteuid?.() !== 0 && {
    "a folder that everybody can write to": [
      chmod(0o777),
      "permissions: FAILURE",
      /every user of this host can write to.*chmod 700/s,
    ],
  }),
  "a missing audit key": [
    remove("audit.key"),
    "keys: FAILURE",
    /audit\.key is missing.*no server starts on this database/s,
  ],
  "a database with another name that others can read": [
    ({ folder, file }) => {
      const moved = join(folder, "service.sqlite");
      renameSync(file, moved);
      chmodSync(moved, 0o644);
      const others = [".before-16", ".restoring-kept", ".csv", "ctl"];
      for (const other of others) writeFileSync(moved + other, "", { mode: 0o644 });
      return { words: ["--db", moved] };
    },
    "permissions: FAILURE",
    /others can open service\.sqlite, service\.sqlite\.before-16, service\.sqlite\.restoring-kept\nchmod 600 \/.*-kept$/,
  ],
  "a key outside the folder that others can read": [
    keyOutside(0o644),
    "permissions: WARNING",
    /others can open \/.*\/audit\.pem\nLet only the server's user read the keys/,
  ],
  "half an audit key": [
    write("audit.key", "AAAA"),
    "keys: FAILURE",
    /audit\.key does not hold a key of 32 bytes.*Restore it/s,
  ],
  "a missing session key": [
    remove("session.key"),
    "keys: WARNING",
    /session\.key is missing.*everyone must sign in again/s,
  ],
  "another audit key": [
    write("audit.key", Buffer.alloc(32, 7).toString("base64")),
    "audit trail: FAILURE",
    /audit\.key is not the key of this trail, or the first row was changed.*Use the key/s,
  ],
  "a missing database": [
    remove("platform.db"),
    "database: FAILURE",
    /there is no such file.*--data-dir, --db.*platform restore/s,
  ],
  "a newer schema": [
    sql(
      "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (99, 'x', 'x', 0)",
    ),
    "schema: FAILURE",
    /version 99 is newer than this program, which does not know x.*Use the program that wrote/s,
  ],
  "an older schema": [
    ({ file }) => {
      const older = join(temporaryFolder(), "older.db");
      createOldDatabase(older, -1);
      copyFileSync(older, file);
    },
    // The database's trail does not match the key and the signed head next to it.
    "schema: WARNING, audit trail: FAILURE",
    new RegExp(`version ${newest - 1}, pending migrations: 1.*platform migrate`, "s"),
  ],
  "an added trigger": [
    sql("CREATE TRIGGER helper AFTER INSERT ON agents BEGIN DELETE FROM users; END"),
    "schema: FAILURE",
    /another program has changed the schema: it has a trigger helper that.*Find out who made the change/s,
  ],
  "a long log": [
    ({ file }) => {
      const log = openSync(`${file}-wal`, "w", 0o600);
      ftruncateSync(log, 129 * 1024 * 1024);
      closeSync(log);
    },
    "log size: WARNING",
    /129\.0 MiB of write-ahead log.*reading an old state for a long time/s,
  ],
  "no active owner": [
    sql("UPDATE users SET status = 'DISABLED'"),
    "users: FAILURE, credentials: FAILURE",
    /no user is an active owner \(users: 2\).*platformctl users create/s,
  ],
  "a row that refers to a missing row": [
    sql("PRAGMA foreign_keys = OFF; UPDATE agent_tokens SET agent_id = 'agt_x'"),
    "integrity: FAILURE",
    /a row of agent_tokens refers to a row that does not exist.*platform restore FILE/s,
  ],
  "a changed audit row": [
    ({ file }) => tamper(file, "UPDATE audit_events SET ip = 'x' WHERE seq = 2"),
    "audit trail: FAILURE",
    /broken at row 2.*compare it with a backup/s,
  ],
  // store/audit/unaccounted.test.ts has the other differences.
  "an added owner": [
    sql(`INSERT INTO users (id, username, username_key, role, status, password_hash, created_at,
           updated_at, password_changed_at)
         SELECT 'usr_1', 'eve', 'eve', 'owner', 'ACTIVE', password_hash, created_at, updated_at,
           password_changed_at FROM users LIMIT 1`),
    "credentials: FAILURE",
    /user eve: the audit trail has no user.created/,
  ],
  "a key of a deleted user": [
    sql("UPDATE api_keys SET user_id = 'usr_gone' WHERE name = 'ci'"),
    "credentials: WARNING",
    /still work: ci\n/,
  ],
  "a server that is not running": [
    run({ words: ["--server", "http://127.0.0.1:1"] }),
    "server: FAILURE",
    /cannot reach http:\/\/127\.0\.0\.1:1 \(connection refused\).*platform serve/s,
  ],
  "a port that another program uses": [
    async () => {
      const url = await serveHttp((_, response) => response.end("hello\n"));
      return { env: { PORT: new URL(url).port } };
    },
    "server: FAILURE",
    /Check that a platform server responds at this address/,
  ],
  "a schema of another program": [
    sql("UPDATE schema_migrations SET checksum = 'x' WHERE version = 2"),
    "schema: FAILURE",
    /in a form that differs.*Use the program that applied the migration/s,
  ],
  "an address of another host": [
    run({ env: { HOST: "192.0.2.1" }, words: [] }),
    "configuration: WARNING, server: FAILURE",
    /unencrypted.*docs\/reference\/configuration\.md/s,
  ],
  "a server at another address": [
    ({ file }) => {
      const lock = shareDatabase(file, 0);
      onTestFinished(() => lock.release());
    },
    "server: WARNING",
    /the database is in use, but no server responds at 127\.0\.0\.1:0.*with --port,.*with --server URL/s,
  ],
  "a server that was killed": [
    ({ file }) => {
      writeFileSync(`${file}.lock`, "", { mode: 0o600 });
      writeFileSync(`${file}.server`, "process 4711 on ward-3\n", { mode: 0o600 });
    },
    "server: WARNING",
    /no server is running; process 4711 on ward-3 ended without a shutdown at about 2\S+Z\n.*platform serve/,
  ],
  "a disk that is nearly full": [
    freeSpace(63),
    "disk space: FAILURE",
    /^63\.0 MiB free; the database uses [\d.]+ [KM]iB; at least 64\.0 MiB must be free\nFree some space: when/,
  ],
  "a disk without space for a backup": [
    freeSpace(64),
    "disk space: WARNING",
    /^64\.0 MiB free; the database uses [\d.]+ [KM]iB; at least 6[4-9]\.\d MiB should be free\nFree some space: a backup/,
  ],
  "a clock in the past": [
    run({ now: () => Date.UTC(2001, 0) }),
    "clock: FAILURE",
    /this host's clock says 2001-01-01.*Set the clock of this host/s,
  ],
  "a clock that was set back": [
    run({ now: () => Date.now() - 2 * 24 * 60 * 60 * 1000 }),
    "clock: FAILURE",
    /the newest audit event has a future time.*Set the clock of this host/s,
  ],
};

/** Each host has several kinds of damage that do not hide each other. */
const hosts = [
  ["a setting", "a key that others can read", "another audit key", "no active owner"],
  ["a mistyped variable", "a folder that others can list", "a certificate that expires soon"],
  ["an expired certificate", "half an audit key", "a server that is not running"],
  ["a certificate that is not valid yet", "an added trigger", "a port that another program uses"],
  ["a missing folder"],
  ["a database with another name that others can read"],
  ["a file instead of the folder"],
  ["a missing audit key", "a newer schema", "a long log"],
  [
    "a missing session key",
    "a schema of another program",
    "a clock in the past",
    "a disk that is nearly full",
  ],
  ["a missing database", "an address of another host"],
  ["an older schema"],
  ["a server that was killed", "a disk without space for a backup", "an added owner"],
  ["a key of a deleted user", "a key outside the folder that others can read"],
  ["a row that refers to a missing row", "a server at another address"],
  ["a changed audit row", "a clock that was set back"],
  ...("a folder that everybody can write to" in broken
    ? [["a folder that everybody can write to"]]
    : []),
];

test("each kind of damage is on a host", () => {
  expect(hosts.flat().sort()).toEqual(Object.keys(broken).sort());
});

test.each(hosts.map((kinds) => ({ kinds })))(
  "$kinds: only the related checks fail",
  async (host) => {
    const place = prepare();
    const damage = host.kinds.map((kind) => broken[kind] as Damage);
    const all: Run = { words: [], env: {} };
    for (const [breaks] of damage) {
      const { words = [], env, now = all.now } = (await breaks(place)) ?? {};
      Object.assign(all, {
        words: [...(all.words ?? []), ...words],
        env: { ...all.env, ...env },
        now,
      });
    }
    const { words = [], env = {}, now } = all;
    const where = words.some((word) => /^--(data-dir|db)$/.test(word))
      ? []
      : ["--data-dir", place.folder];
    const options = { env, ...(now ? { io: { now } } : {}) };
    const { bad, status, findings } = await diagnose([...words, ...where], options);
    const wanted = damage.flatMap(([, checks]) => checks.split(", "));
    expect(bad.toSorted()).toEqual(wanted.toSorted());
    expect(status).toBe(wanted.some((check) => check.endsWith("FAILURE")) ? 1 : 0);
    for (const [, checks, says] of damage) {
      const found = findings.find(({ check }) => checks.startsWith(`${check}: `));
      expect(`${found?.found}\n${found?.advice}`).toMatch(says);
    }
  },
);

test("a check that fails unexpectedly does not hide the findings of the others", async () => {
  const { folder } = prepare();
  let looks = 0;
  replaceBuiltin<typeof import("node:fs/promises")>("node:fs/promises", ({ stat }) => ({
    stat: (async (path: string, ...more: []) => {
      if (path === folder && ++looks > 1) throw new Error("the disk does not respond");
      return stat(path, ...more);
    }) as typeof stat,
  }));
  const { status, findings, bad } = await diagnose(["--data-dir", folder]);
  expect([status, bad]).toEqual([1, ["permissions: FAILURE"]]);
  expect(findings.find(({ check }) => check === "permissions")).toMatchObject({
    found: "the disk does not respond",
  });
});

test("--deep finds an index that lost its rows", async () => {
  const { folder, file } = prepare();
  // Hides the index while its table is changed.
  for (const statements of [
    `CREATE TABLE away AS SELECT * FROM sqlite_schema WHERE name = 'agents_by_mode';
     DELETE FROM sqlite_schema WHERE name = 'agents_by_mode'`,
    `UPDATE agents SET mode = 'embedded';
     INSERT INTO sqlite_schema SELECT * FROM away; DROP TABLE away`,
  ]) {
    const connection = new BetterSqlite3(file).unsafeMode();
    connection.exec(`PRAGMA writable_schema = ON; ${statements}`);
    connection.close();
  }
  expect((await diagnose(["--data-dir", folder])).bad).toEqual([]);
  const deep = await diagnose(["--data-dir", folder, "--deep"]);
  expect(deep.bad).toEqual(["integrity: FAILURE"]);
});

test("a port that only the unit may use is no failure", async () => {
  const { folder } = prepare();
  const refused = Object.assign(new Error("permission denied"), { code: "EACCES" });
  replaceBuiltin<typeof import("node:net")>("node:net", ({ createServer }) => ({
    createServer: (() => {
      const server = createServer();
      server.listen = () => {
        queueMicrotask(() => server.emit("error", refused));
        return server;
      };
      return server;
    }) as typeof createServer,
  }));
  expect(await serverCheckOf(folder)).toMatchObject({
    state: "WARNING",
    found: "no server is running; this user may not listen at 127.0.0.1:0",
    advice: expect.stringContaining("needs a capability"),
  });
});

test("the doctor does not warn about a server that starts while it looks", async () => {
  const { folder, file } = prepare();
  writeFileSync(`${file}.lock`, "", { mode: 0o600 });
  const startServer = vi.fn(() => serveDatabase(file, 0));
  replaceBuiltin<typeof import("node:fs")>("node:fs", ({ readFileSync: read }) => ({
    readFileSync: ((path: string, ...more: []) => {
      if (path === `${file}.server`) startServer();
      return read(path, ...more);
    }) as typeof read,
  }));
  expect(await serverCheckOf(folder)).toMatchObject({ state: "OK" });
  expect(startServer).toHaveBeenCalledTimes(1);
});

test("after a restore, the doctor does not warn that the server of the replaced database was killed", async () => {
  const { folder, file } = prepare();
  const backup = join(temporaryFolder(), "backup.db");
  expect((await cli(["backup", backup, "--db", file])).status).toBe(0);
  writeFileSync(`${file}.server`, "process 4711 on ward-3\n", { mode: 0o600 });
  expect(await serverCheckOf(folder)).toMatchObject({ state: "WARNING" });
  expect((await cli(["restore", backup, "--db", file, "--yes"])).status).toBe(0);
  expect(await serverCheckOf(folder)).toMatchObject({ state: "OK" });
});

test("the doctor finds out when a server was killed on a schema without nodes", async () => {
  const { folder, file } = prepare();
  const older = join(temporaryFolder(), "older.db");
  createOldDatabase(older);
  tamper(older, `INSERT INTO settings VALUES ('retentionClock', '{}', ${Date.UTC(2026, 0)})`);
  copyFileSync(older, file);
  writeFileSync(`${file}.lock`, "", { mode: 0o600 });
  writeFileSync(`${file}.server`, "process 4711 on ward-3\n", { mode: 0o600 });
  expect((await serverCheckOf(folder))?.found).toMatch(
    /ended without a shutdown at about 2026-01-01T00:00/,
  );
});

async function serverCheckOf(folder: string): Promise<Finding | undefined> {
  const { findings } = await diagnose(["--data-dir", folder]);
  return findings.find(({ check }) => check === "server");
}

test("the doctor warns about a server with another version or another time", async () => {
  const { folder } = prepare();
  const other = await listenTestApp();
  other.clock.advance(Date.now() - other.clock.now() + 3_600_000);
  const words = ["--data-dir", folder, "--server", new URL(other.url).host];
  const { status, bad, findings } = await diagnose(words, { env: { VERSION: "9.9.9" } });
  expect(bad).toEqual(["server: WARNING", "version: WARNING", "clock: WARNING"]);
  expect(status).toBe(0);
  const found = Object.fromEntries(findings.map(({ check, found }) => [check, found]));
  expect(found.server).toBe(
    `${other.url} responds, but it has another audit key, so it uses another database`,
  );
  expect(found.version).toMatch(/the server has version .*, but this program has 9\.9\.9/);
  expect(found.clock).toMatch(/the server's clock is (3[56]\d\d) s ahead of this one/);
});

test("the advice for a folder that cannot be written depends on the reason", () => {
  expect(adviceOnWriting("ENOSPC")).toMatch(/^Free some space/);
  expect(adviceOnWriting("EDQUOT")).toMatch(/quota/);
  for (const code of ["EACCES", "EPERM"]) {
    expect(adviceOnWriting(code)).toMatch(/^Make this user the owner/);
  }
  expect(adviceOnWriting("EROFS")).toMatch(/read-only/);
  expect(adviceOnWriting("EIO")).toMatch(/replace the disk/);
});

test("the doctor trusts an HTTPS server with its own certificate or the CA of --ca-file", async () => {
  const pair = certificateFiles("self-signed");
  const { app, file } = await openStarted();
  const tls = certificatePair("self-signed");
  const { server } = createHttpServer({ ...app.httpOptions, tls });
  const port = String(await listen(server));
  const own = { TLS_CERT_FILE: pair.certFile, TLS_KEY_FILE: pair.keyFile };
  const settings = { ...own, DATA_DIR: dirname(file), PORT: port, HOST: "localhost" };
  const asked = await diagnose([], { env: settings });
  const named = asked.findings.find(({ check }) => check === "server");
  expect(named).toMatchObject({ state: "OK", found: `https://localhost:${port} is UP` });
  const other = await diagnose(["--ca-file", caFile], { env: settings });
  expect(other.bad).toEqual(["server: FAILURE"]);
});

test("the advice follows the table, and no secrets are printed", async () => {
  const { folder } = prepare();
  rmSync(join(folder, "session.key"));
  chmodSync(folder, 0o755);
  const env = { PORT: "0" };
  const { status, stdout, stderr } = await cli(["doctor", "--data-dir", folder], { env });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^WARNING +permissions +others can list/m);
  expect(stderr).toContain(`What to do:\n  permissions: chmod 700 ${folder}\n  keys: Restore it.`);
  const ownSecret = "x".repeat(40);
  const own = await diagnose(["--data-dir", folder], { env: { SESSION_SECRET: ownSecret } });
  expect(own.bad).toEqual(["permissions: WARNING"]);
  expect(JSON.stringify(own.findings)).not.toContain(ownSecret);
});

test("commands in the advice quote paths that contain spaces", async () => {
  const { folder } = prepare();
  const spaced = join(folder, "my data");
  mkdirSync(spaced, { mode: 0o755 });
  const { findings } = await diagnose(["--data-dir", spaced]);
  expect(findings.find(({ check }) => check === "permissions")?.advice).toBe(
    `chmod 700 '${spaced}'`,
  );
  writeFileSync(join(spaced, "audit.key"), "", { mode: 0o644 });
  const open = await diagnose(["--data-dir", spaced]);
  expect(open.findings.find(({ check }) => check === "permissions")?.advice).toBe(
    `chmod 600 '${join(spaced, "audit.key")}'`,
  );
});

test("findings and advice wrap at the width of the terminal, and are not cut at 40 columns", async () => {
  const folder = join(temporaryFolder(), "long".repeat(30));
  const io = { width: 40, noteWidth: 80 };
  const words = ["doctor", "--data-dir", folder];
  const { stdout, stderr } = await cli(words, { env: { PORT: "0" }, io });
  const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));
  expect(stdout.split("\n")[0]).toMatch(/^STATE +CHECK +FOUND$/);
  expect(stdout.replaceAll(/\n +/g, "")).toContain(folder);
  expect(widest(stdout)).toBeLessThanOrEqual(io.width);
  expect(stderr).toMatch(/^ {2}data folder: Give the folder .*\n {4}serve` creates a new one\.$/m);
  expect(widest(stderr)).toBeLessThanOrEqual(io.noteWidth);
  expect(stderr).not.toContain("Too narrow");
});

test.each([
  { words: ["--data-dir", "a", "--db", "b"], says: "give --data-dir or --db, not both" },
  { words: ["--ca-file", "/no/such.pem"], says: "--ca-file: /no/such.pem cannot be read" },
  { words: ["--data-dir", ""], says: "--data-dir: must have" },
  { words: ["--server", "http://ada:secret@h"], says: "without user, ? or #" },
])("$words is a usage error", async ({ words, says }) => {
  const ran = await cli(["doctor", ...words]);
  expect(ran).toMatchObject(failing(2, says));
});

// Schema 1 is omitted, because its trails had no signed head yet.
test("the only problem of an untouched database with an older schema is its age", async () => {
  const fixture = "test/upgrades/schema-0002";
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder, { mode: 0o700 });
  const keep = (name: string, bytes: Buffer) =>
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  keep("platform.db", gunzipSync(readFileSync(join(fixture, "platform.db.gz"))));
  for (const key of ["audit.key", "session.key"]) keep(key, readFileSync(join(fixture, key)));
  expect((await diagnose(["--data-dir", folder])).bad).toEqual(["schema: WARNING"]);
});
