// `platform doctor`: all is well on a sound host, with a server and without one; and of whatever is broken,
// just that check fails, with what to do.

import {
  chmodSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { shareDatabase } from "../../../src/store/engine/database-lock.ts";
import { loadMigrations, migrate } from "../../../src/store/engine/migrate.ts";
import { openWriter } from "../../../src/store/engine/sqlite-file.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { caFile, certificateFiles } from "../../helpers/http/https.ts";
import { startServer } from "../../helpers/process/process.ts";
import { tamper } from "../../helpers/process/tamper.ts";
import { cli } from "../world.ts";

vi.mock(
  "../../../src/cli/files/child.ts",
  () => import("../../helpers/process/parts-in-process.ts"),
);

interface Finding {
  check: string;
  state: string;
  found: string;
  advice: string | null;
}

interface Diagnosed {
  status: number;
  stderr: string;
  findings: Finding[];
  /** The names of those that are neither OK nor skipped. */
  bad: string[];
}

async function diagnose(
  words: string[],
  options: Parameters<typeof cli>[1] = {},
): Promise<Diagnosed> {
  const env = { PORT: "0", ...options.env };
  const io = { program: "platform", ...options.io } as const;
  const ran = await cli(["doctor", ...words, "-o", "json"], { ...options, env, io });
  const findings: Finding[] = JSON.parse(ran.stdout);
  const bad = findings.filter(({ state }) => !/^(OK|SKIPPED)$/.test(state));
  return { ...ran, findings, bad: bad.map(({ check, state }) => `${check}: ${state}`) };
}

/** A sound database with an owner, and nobody at it. */
async function prepare(): Promise<{ folder: string; file: string }> {
  const test = openTestApp();
  test.clock.advance(Date.now() - test.clock.now());
  await test.app.welcomeOwner();
  await test.app.noteStarted([]);
  await test.registerAgent("edge-1");
  await test.app.close();
  await test.database.close();
  return { folder: dirname(test.file), file: test.file };
}

test("a sound host without a server: everything is in order", async () => {
  const { folder, file } = await prepare();
  const before = readFileSync(file);
  for (const words of [
    ["--data-dir", folder],
    ["--db", file, "--deep"],
  ]) {
    const { status, findings, stderr } = await diagnose(words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    expect(states).toEqual({
      program: "OK",
      configuration: "OK",
      certificate: "OK",
      "data folder": "OK",
      permissions: "OK",
      "disk space": "OK",
      "disk writes": "OK",
      keys: "OK",
      database: "OK",
      schema: "OK",
      "log size": "OK",
      users: "OK",
      credentials: "OK",
      integrity: "OK",
      "audit trail": "OK",
      server: "OK",
      version: "SKIPPED",
      clock: "OK",
    });
  }
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("beside a running server everything is in order, and it is asked", async () => {
  const server = await startServer();
  const { port } = new URL(server.url);
  const env = { DATA_DIR: server.dataDir, PORT: port };
  const { status, findings } = await diagnose([], { env });
  expect(findings.filter(({ state }) => state !== "OK")).toEqual([]);
  expect(status).toBe(0);
  const found = Object.fromEntries(findings.map(({ check, found }) => [check, found]));
  expect(found.server).toBe(`${server.url} is UP`);
  expect(found.version).toMatch(/^the server is .* as well$/);
  const table = await cli(["doctor"], { env });
  expect(table.stdout).toMatch(/^STATE +CHECK +FOUND$/m);
  expect(table.stderr).toBe("\nAll is well.\n");
});

interface Broken {
  breaks: (place: { folder: string; file: string }) => Diagnosis | Promise<Diagnosis>;
  bad: string[];
  found: RegExp;
  advice: RegExp;
}

type Diagnosis =
  | {
      words?: string[];
      env?: Record<string, string>;
      now?: () => number;
    }
  | undefined;

const sql =
  (text: string) =>
  ({ file }: { file: string }): undefined => {
    const connection = new BetterSqlite3(file);
    connection.exec(text);
    connection.close();
  };

const newest = loadMigrations().length;

/** As the program before made it, still empty. */
function makeOlder({ file }: { file: string }): undefined {
  const older = join(temporaryFolder(), "older.db");
  const connection = openWriter({ file: older, busyTimeoutMs: 0, create: true });
  migrate(connection, () => 5, loadMigrations().slice(0, -1));
  connection.close();
  copyFileSync(older, file);
}
const { certFile, keyFile } = certificateFiles("first");
const tls = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
const inDays = (days: number) => () => Date.now() + days * 24 * 60 * 60 * 1000;

const broken: Record<string, Broken> = {
  "a setting": {
    breaks: () => ({ env: { PORT: "eighty" } }),
    bad: ["configuration: FAILURE"],
    found: /PLATFORM_PORT: must be a whole number/,
    advice: /platform config/,
  },
  "a mistyped variable": {
    breaks: () => ({ env: { PROT: "80" } }),
    bad: ["configuration: WARNING"],
    found: /PLATFORM_PROT is not a setting/,
    advice: /Set the one that was meant/,
  },
  "a certificate that is not there": {
    breaks: () => ({ env: { TLS_CERT_FILE: "/no.crt", TLS_KEY_FILE: keyFile } }),
    bad: ["configuration: FAILURE"],
    found: /\/no\.crt cannot be read/,
    advice: /platform config/,
  },
  // The clock is found to be wrong as well: the certificates of the tests last long.
  "a certificate that has expired": {
    breaks: () => ({ env: tls, now: () => Date.UTC(2120, 5) }),
    bad: ["certificate: FAILURE", "clock: FAILURE"],
    found: /it has expired on 2120-01-01/,
    advice: /Renew .*first\.crt/,
  },
  "a certificate that expires soon": {
    breaks: () => ({ env: tls, now: () => Date.UTC(2119, 11, 25) }),
    bad: ["certificate: WARNING", "clock: FAILURE"],
    found: /valid until 2120-01-01 \(7 days\)/,
    advice: /Renew .*first\.crt/,
  },
  "a certificate that is not valid yet": {
    breaks: () => ({ env: tls, now: () => Date.UTC(2019, 5) }),
    bad: ["certificate: FAILURE", "clock: FAILURE"],
    found: /it is not valid before 2020-01-01/,
    advice: /Is the clock of this host right/,
  },
  "no folder": {
    breaks: ({ folder }) => {
      renameSync(folder, `${folder}-away`);
      onTestFinished(() => rmSync(`${folder}-away`, { recursive: true }));
      return undefined;
    },
    bad: ["data folder: FAILURE", "database: FAILURE"],
    found: /is not there/,
    advice: /Name it with --data-dir/,
  },
  "a file in the folder's place": {
    breaks: ({ folder }) => {
      const file = join(folder, "file");
      writeFileSync(file, "");
      return { words: ["--data-dir", file] };
    },
    bad: ["data folder: FAILURE", "disk writes: FAILURE", "database: FAILURE"],
    found: /is no folder/,
    advice: /Name one with --data-dir/,
  },
  "a folder that others look into": {
    breaks: ({ folder }) => chmodSync(folder, 0o755) as undefined,
    bad: ["permissions: WARNING"],
    found: /others may look into/,
    advice: /^chmod 700 \//,
  },
  "a key that others may read": {
    breaks: ({ folder }) => chmodSync(join(folder, "audit.key"), 0o640) as undefined,
    bad: ["permissions: FAILURE"],
    found: /others may open audit\.key/,
    advice: /^chmod 600 \/.*audit\.key$/,
  },
  "a database that others may read": {
    breaks: ({ file }) => chmodSync(file, 0o604) as undefined,
    bad: ["permissions: FAILURE"],
    found: /others may open platform\.db/,
    advice: /^chmod 600/,
  },
  "no audit key": {
    breaks: ({ folder }) => rmSync(join(folder, "audit.key")) as undefined,
    bad: ["keys: FAILURE"],
    found: /audit\.key is missing/,
    advice: /no server starts on this database/,
  },
  "half an audit key": {
    breaks: ({ folder }) => writeFileSync(join(folder, "audit.key"), "AAAA") as undefined,
    bad: ["keys: FAILURE"],
    found: /audit\.key does not hold a key of 32 bytes/,
    advice: /Bring it/,
  },
  "no session key": {
    breaks: ({ folder }) => rmSync(join(folder, "session.key")) as undefined,
    bad: ["keys: WARNING"],
    found: /session\.key is missing/,
    advice: /everybody signs in again/,
  },
  "another audit key": {
    breaks: ({ folder }) =>
      writeFileSync(join(folder, "audit.key"), Buffer.alloc(32, 7).toString("base64")) as undefined,
    bad: ["audit trail: FAILURE"],
    found: /audit\.key is not the key of this trail/,
    advice: /Bring the key/,
  },
  "no database": {
    breaks: ({ file }) => rmSync(file) as undefined,
    bad: ["database: FAILURE"],
    found: /there is no such file/,
    advice: /--data-dir, --db.*platform restore/,
  },
  "a file that is no database": {
    breaks: ({ file }) => writeFileSync(file, "hello ".repeat(100), { mode: 0o600 }) as undefined,
    bad: ["database: FAILURE"],
    found: /it is not a SQLite database/,
    advice: /platform restore/,
  },
  "a schema that is newer": {
    breaks: sql("INSERT INTO schema_migrations VALUES (99, 'x', 'x', 0)"),
    bad: ["schema: FAILURE"],
    found: new RegExp(`version ${newest + 1} is newer than this program`),
    advice: /Use the program that wrote it/,
  },
  "a schema that is older": {
    breaks: makeOlder,
    // Its trail is not that of the key and the signed head beside it.
    bad: ["schema: WARNING", "audit trail: FAILURE"],
    found: new RegExp(`version ${newest - 1}, 1 to apply`),
    advice: /platform migrate/,
  },
  "a schema of another program": {
    breaks: sql("UPDATE schema_migrations SET checksum = 'x' WHERE version = 2"),
    bad: ["schema: FAILURE"],
    found: /0002-command-outcomes\.sql was applied in another form/,
    advice: /Use the program that wrote it/,
  },
  "a log that is long": {
    breaks({ file }) {
      const log = openSync(`${file}-wal`, "w", 0o600);
      ftruncateSync(log, 129 * 1024 * 1024);
      closeSync(log);
      return undefined;
    },
    bad: ["log size: WARNING"],
    found: /129\.0 MiB of write-ahead log/,
    advice: /reads an old state for long/,
  },
  "no owner who is active": {
    breaks: sql("UPDATE users SET status = 'DISABLED'"),
    bad: ["users: FAILURE", "credentials: FAILURE"],
    found: /none of 1 users is an active owner/,
    advice: /platformctl users create/,
  },
  "a row that refers to nothing": {
    breaks: sql("PRAGMA foreign_keys = OFF; UPDATE agent_tokens SET agent_id = 'agt_x'"),
    bad: ["integrity: FAILURE"],
    found: /a row of agent_tokens refers to a row that does not exist/,
    advice: /platform restore FILE/,
  },
  "an audit row": {
    breaks: ({ file }) =>
      tamper(file, "UPDATE audit_events SET ip = 'x' WHERE seq = 2") as undefined,
    bad: ["audit trail: FAILURE"],
    found: /broken at row 2/,
    advice: /compare with a backup/,
  },
  "a trigger that somebody has added": {
    breaks: sql("CREATE TRIGGER helper AFTER INSERT ON agents BEGIN DELETE FROM users; END"),
    bad: ["schema: FAILURE"],
    found: /something else has changed the schema: it has a trigger helper that/,
    advice: /Find out who did/,
  },
  // Root is not let into it at all (test/root/ownership.test.ts).
  ...(process.geteuid?.() !== 0 && {
    "a folder that all may write": {
      breaks: ({ folder }) => chmodSync(folder, 0o777) as undefined,
      bad: ["permissions: FAILURE"],
      found: /every user of this host may write to/,
      advice: /chmod 700/,
    },
  }),
  "a server that is not there": {
    breaks: () => ({ words: ["--server", "http://127.0.0.1:1"] }),
    bad: ["server: FAILURE"],
    found: /cannot reach http:\/\/127\.0\.0\.1:1 \(connection refused\)/,
    advice: /platform serve/,
  },
  "a port that another program has": {
    async breaks() {
      const server = createServer((socket) => socket.end("hello\n"));
      const port = await new Promise<number>((resolve) =>
        server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
      );
      onTestFinished(() => void server.close());
      return { env: { PORT: String(port) } };
    },
    bad: ["server: FAILURE"],
    found: /cannot reach|Parse Error|HTTP/,
    advice: /Is it this program that listens there/,
  },
  "an address that this host has not": {
    breaks: () => ({ env: { HOST: "192.0.2.1" }, words: [] }),
    bad: ["configuration: WARNING", "server: FAILURE"],
    found: /unencrypted/,
    advice: /docs\/configuration\.md/,
  },
  "a server that is somewhere else": {
    breaks({ file }) {
      const lock = shareDatabase(file, 0);
      onTestFinished(() => lock.release());
      return undefined;
    },
    bad: ["server: WARNING"],
    found: /the database is in use, but no server answers at 127\.0\.0\.1:0/,
    advice: /name its address with --server URL/,
  },
  "a clock that stands in the past": {
    breaks: () => ({ now: () => Date.UTC(2001, 0) }),
    bad: ["clock: FAILURE"],
    found: /it is 2001-01-01/,
    advice: /Set the clock of this host/,
  },
  "a clock that was set back": {
    breaks: () => ({ now: inDays(-2) }),
    bad: ["clock: FAILURE"],
    found: /the newest audit event is from the future/,
    advice: /Set the clock of this host/,
  },
};

test.each(Object.entries(broken))(
  "%s is found, by that check alone",
  { timeout: 60_000 },
  async (_, { breaks, bad, found, advice }) => {
    const place = await prepare();
    const { words = ["--data-dir", place.folder], env = {}, now } = (await breaks(place)) ?? {};
    const at = words.some((word) => /^--(data-dir|db)$/.test(word))
      ? words
      : [...words, "--data-dir", place.folder];
    const diagnosed = await diagnose(at, { env, ...(now ? { io: { now } } : {}) });
    expect(diagnosed.bad).toEqual(bad);
    expect(diagnosed.status).toBe(bad.some((one) => one.endsWith("FAILURE")) ? 1 : 0);
    const [first] = diagnosed.findings.filter(({ advice }) => advice !== null);
    expect(first?.found).toMatch(found);
    expect(first?.advice).toMatch(advice);
  },
);

test("an index that lost its rows is found when it is looked at deeply", async () => {
  const { folder, file } = await prepare();
  const connection = new BetterSqlite3(file);
  // The index is away while its table changes.
  connection.unsafeMode();
  connection.pragma("writable_schema = ON");
  connection.exec(
    "CREATE TABLE away AS SELECT * FROM sqlite_schema WHERE name = 'agents_by_mode';" +
      "DELETE FROM sqlite_schema WHERE name = 'agents_by_mode'",
  );
  connection.close();
  const changing = new BetterSqlite3(file);
  changing.unsafeMode();
  changing.exec("UPDATE agents SET mode = 'embedded'");
  changing.pragma("writable_schema = ON");
  changing.exec("INSERT INTO sqlite_schema SELECT * FROM away; DROP TABLE away");
  changing.close();
  expect((await diagnose(["--data-dir", folder])).bad).toEqual([]);
  const deep = await diagnose(["--data-dir", folder, "--deep"]);
  expect(deep.bad).toEqual(["integrity: FAILURE"]);
});

test("a server of another version, and one whose clock is elsewhere, are warned of", async () => {
  const { folder } = await prepare();
  const other = await listenTestApp();
  other.clock.advance(Date.now() - other.clock.now() + 3_600_000);
  const words = ["--data-dir", folder, "--server", other.url];
  const { status, bad, findings } = await diagnose(words, { env: { VERSION: "9.9.9" } });
  expect(bad).toEqual(["version: WARNING", "clock: WARNING"]);
  expect(status).toBe(0);
  const found = Object.fromEntries(findings.map(({ check, found }) => [check, found]));
  expect(found.version).toMatch(/the server is .*, this program 9\.9\.9/);
  expect(found.clock).toMatch(/the server's clock is (3[56]\d\d) s ahead of this one/);
});

test("a server with HTTPS is asked with its own certificate, or with the CA that is named", async () => {
  const pair = certificateFiles("self-signed");
  const env = {
    PLATFORM_TLS_CERT_FILE: pair.certFile,
    PLATFORM_TLS_KEY_FILE: pair.keyFile,
  };
  const server = await startServer({ env });
  const port = new URL(server.url).port;
  const settings = {
    TLS_CERT_FILE: pair.certFile,
    TLS_KEY_FILE: pair.keyFile,
    DATA_DIR: server.dataDir,
    PORT: port,
    HOST: "localhost",
  };
  const asked = await diagnose([], { env: settings });
  const named = asked.findings.find(({ check }) => check === "server");
  expect(named).toMatchObject({ state: "OK", found: `https://localhost:${port} is UP` });
  const other = await diagnose(["--ca-file", caFile], { env: settings });
  expect(other.bad).toEqual(["server: FAILURE"]);
});

test("a person is told what to do, apart from the data; a secret is not", async () => {
  const { folder } = await prepare();
  rmSync(join(folder, "session.key"));
  chmodSync(folder, 0o755);
  const env = { PORT: "0" };
  const { status, stdout, stderr } = await cli(["doctor", "--data-dir", folder], { env });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^WARNING +permissions +others may look into/m);
  expect(stderr).toContain(`What to do:\n  permissions: chmod 700 ${folder}\n  keys: Bring it,`);
  const ownSecret = "x".repeat(40);
  const own = await diagnose(["--data-dir", folder], { env: { SESSION_SECRET: ownSecret } });
  expect(own.bad).toEqual(["permissions: WARNING"]);
  expect(JSON.stringify(own.findings)).not.toContain(ownSecret);
});

test.each([40, 80])("what was found is told whole at %d columns", async (width) => {
  const folder = join(temporaryFolder(), "long".repeat(30));
  mkdirSync(folder, { mode: 0o700 });
  const words = ["doctor", "--data-dir", folder];
  const { stdout, stderr } = await cli(words, { env: { PORT: "0" }, io: { width } });
  expect(stdout.split("\n")[0]).toMatch(/^STATE +CHECK +FOUND$/);
  expect(stdout.replaceAll(/\n +/g, "")).toContain(folder);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(stderr).not.toContain("Too narrow");
});

test.each([
  { words: ["--data-dir", "a", "--db", "b"], says: "give --data-dir or --db, not both" },
  { words: ["--ca-file", "/no/such.pem"], says: "--ca-file: /no/such.pem cannot be read" },
  { words: ["--data-dir", ""], says: "--data-dir: must have" },
])("wrong usage: $words", async ({ words, says }) => {
  const ran = await cli(["doctor", ...words]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain(says);
});

test("a new folder, before the first start", async () => {
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder, { mode: 0o700 });
  const { bad, status } = await diagnose(["--data-dir", folder]);
  expect(bad).toEqual(["database: FAILURE"]);
  expect(status).toBe(1);
  // A database that was copied here without its keys.
  const { file } = await prepare();
  copyFileSync(file, join(folder, "platform.db"));
  const copied = await diagnose(["--data-dir", folder]);
  expect(copied.bad).toEqual(["keys: FAILURE"]);
});

/** An owner, an operator with a key, and a key of a user who is gone. */
async function prepareUsers(): Promise<string> {
  const test = openTestApp();
  await test.app.welcomeOwner();
  const owner = test.as("owner");
  const password = "seven blue teapots";
  const body = { username: "ada", password, role: "viewer" } as const;
  const ada = await owner.call("users.create", { body });
  const params = { userId: ada.id };
  await owner.call("users.update", { params, body: { role: "operator" } });
  await owner.call("api-keys.create", { body: { name: "ci", role: "viewer" } });
  await test.registerAgent("edge-1");
  await test.app.close();
  await test.database.close();
  return test.file;
}

test.each<[title: string, change: string, state: string, found: RegExp]>([
  ["nothing", "SELECT 1", "OK", /as the audit trail says/],
  [
    "an owner who was added",
    `INSERT INTO users SELECT 'usr_1', 'eve', 'eve', 'owner', 'ACTIVE', password_hash, 1, created_at,
       updated_at, password_changed_at, NULL FROM users LIMIT 1`,
    "FAILURE",
    /user eve: the audit trail has no user.created/,
  ],
  [
    "another role",
    "UPDATE users SET role = 'owner' WHERE username = 'ada'",
    "FAILURE",
    /user ada: owner, but operator in the audit trail/,
  ],
  [
    "a user who was let in again",
    "UPDATE users SET status = 'DISABLED' WHERE username = 'ada'",
    "FAILURE",
    /user ada: DISABLED, but ACTIVE in the audit trail/,
  ],
  [
    "a row about a user that is no JSON",
    `DROP TRIGGER audit_events_never_change;
     UPDATE audit_events SET metadata = '{' WHERE action = 'user.updated'`,
    "FAILURE",
    /user ada: a row of the audit trail about it cannot be read/,
  ],
  [
    "a row about a key that is no object",
    `DROP TRIGGER audit_events_never_change;
     UPDATE audit_events SET metadata = 'null' WHERE action = 'api_key.created'`,
    "FAILURE",
    /API key ci: a row of the audit trail about it cannot be read/,
  ],
  [
    "a row about an agent that is no JSON",
    `DROP TRIGGER audit_events_never_change;
     UPDATE audit_events SET metadata = '' WHERE action = 'agent.registered'`,
    "FAILURE",
    /agent edge-1: a row of the audit trail about it cannot be read/,
  ],
  [
    "a key of another role",
    "UPDATE api_keys SET role = 'owner' WHERE name = 'ci'",
    "FAILURE",
    /API key ci: owner, but viewer in the audit trail/,
  ],
  [
    "a key whose user is gone",
    "UPDATE api_keys SET user_id = 'usr_gone' WHERE name = 'ci'",
    "WARNING",
    /still work: ci$/,
  ],
])("users and keys against the trail: %s", async (_, change, state, found) => {
  const file = await prepareUsers();
  sql(change)({ file });
  const { findings } = await diagnose(["--db", file]);
  const credentials = findings.find(({ check }) => check === "credentials");
  expect(credentials).toMatchObject({ state, found: expect.stringMatching(found) });
});

// Schema 1 is left out: its trails had no signed head yet.
test.each(["0002", "0003", "0004", "0005"])(
  "a database of schema %s that nobody has touched since: no more than that it is older",
  async (schema) => {
    const fixture = join("test/upgrades", `schema-${schema}`);
    const folder = join(temporaryFolder(), "data");
    mkdirSync(folder, { mode: 0o700 });
    const keep = (name: string, bytes: Buffer) =>
      writeFileSync(join(folder, name), bytes, { mode: 0o600 });
    keep("platform.db", gunzipSync(readFileSync(join(fixture, "platform.db.gz"))));
    for (const key of ["audit.key", "session.key"]) keep(key, readFileSync(join(fixture, key)));
    expect((await diagnose(["--data-dir", folder])).bad).toEqual(["schema: WARNING"]);
  },
);
