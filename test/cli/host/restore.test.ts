// `platform restore` checks the backup first, and keeps the replaced database.

import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { loadMigrations } from "../../../src/store/engine/migrations.ts";
import { claimDatabase } from "../../../src/store/engine/sqlite/database-lock.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { createOldDatabase } from "../../helpers/old-database.ts";
import { tamper } from "../../helpers/process/tamper.ts";
import { withoutChildren } from "../../helpers/process/without-children.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { cli, failing } from "../world.ts";

sqliteOnly("PostgreSQL is restored with its own tools");

withoutChildren();

const run = (words: string[]) => cli(["restore", ...words], { io: { program: "platform" } });

type Prepared = ReturnType<typeof prepare>;

const sound = perFile(create);

function prepare() {
  const from = sound();
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder, { mode: 0o700 });
  cpSync(from.folder, folder, { recursive: true });
  const backup = join(temporaryFolder(), "backup.db");
  copyFileSync(from.backup, backup);
  copyFileSync(`${from.backup}.sha256`, `${backup}.digest`);
  return { folder, file: join(folder, "platform.db"), backup };
}

/** Creates a database and an older backup. */
async function create() {
  const test = openTestApp();
  test.clock.advance(Date.now() - test.clock.now());
  await test.registerAgent("edge-1");
  await test.as("viewer").call("audit-events.verify");
  const backup = join(temporaryFolder(), "backup.db");
  expect(await cli(["backup", backup, "--db", test.file])).toMatchObject({ status: 0 });
  await test.registerAgent("edge-2");
  await test.app.close();
  await test.database.close();
  return { folder: dirname(test.file), backup };
}

function codesIn(file: string): unknown[] {
  const connection = new BetterSqlite3(file);
  try {
    return connection.prepare("SELECT code FROM agents ORDER BY code").pluck().all();
  } finally {
    connection.close();
  }
}

/** Returns the contents of the folder's files, without the lock and the index of the log. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !/\.lock$|-shm$/.test(name));
  const files = names.map((name) => [name, readFileSync(join(folder, name)).toString("latin1")]);
  // An empty log counts as no log.
  return Object.fromEntries(files.filter(([name, text]) => text !== "" || !name?.endsWith("-wal")));
}

test("a server continues from the backup: its agents and keys work, and the trail is valid", async () => {
  const dataDir = join(temporaryFolder(), "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const replaced = openTestApp({ DATA_DIR: dataDir });
  const { file } = replaced;
  const key = await replaced.apiKey("owner");
  const first = await replaced.registerAgent("edge-1");
  const backup = join(temporaryFolder(), "backup.db");
  const made = JSON.parse((await cli(["backup", backup, "--db", file, "-o", "json"])).stdout);
  const second = await replaced.registerAgent("edge-2");

  const words = ["restore", backup, "--data-dir", dataDir, "--yes", "-o", "json"];
  const refused = await cli(words);
  expect(refused).toMatchObject({ status: 5, stdout: "" });
  expect(JSON.parse(refused.stderr).error).toMatchObject({ code: "DATABASE_IN_USE" });
  await second.client.call("agent.heartbeat", { body: {} });

  await replaced.app.close();
  await replaced.database.close();
  // The copy of the signed head names a row that the backup cannot have.
  writeFileSync(`${file}.audit-head`, "of the replaced trail");
  const restored = await cli(words);
  expect(restored).toMatchObject({ status: 0, stderr: "" });
  const report = JSON.parse(restored.stdout);
  expect(report).toMatchObject({
    restored: true,
    sha256: made.sha256,
    agents: 1,
    auditProblem: null,
    replaced: { agents: 2, problem: null },
  });
  expect(report.auditHead).toEqual(made.auditHead);
  expect(codesIn(report.replaced.keptAs)).toEqual(["edge-1", "edge-2"]);
  const { mode } = statSync(file);
  expect([mode & 0o777, statSync(report.replaced.keptAs).mode & 0o777]).toEqual([0o600, 0o600]);

  // A second start does not record the restore again.
  for (const _start of ["first", "second"]) {
    const { app, database, as } = openTestApp({ DATA_DIR: dataDir });
    await app.noteStarted();
    const { credentials } = app.core;
    expect(await credentials.agent(first.agentToken)).toMatchObject({ agentCode: "edge-1" });
    await expect(credentials.agent(second.agentToken)).rejects.toMatchObject(unauthorized);
    expect(await credentials.apiKey(key)).toMatchObject({ role: "owner" });
    const viewer = as("viewer");
    expect(await viewer.call("audit-events.verify")).toMatchObject({ ok: true, broken: null });
    const query = { action: "backup.restored" };
    expect((await viewer.page("audit-events.list", { query })).data).toMatchObject([
      {
        actorType: "LOCAL",
        seq: made.auditHead.seq + 1,
        metadata: { sha256: made.sha256, replacedHead: report.replaced.auditHead },
      },
    ]);
    await app.close();
    await database.close();
  }
});

const unauthorized = { code: "UNAUTHORIZED" };

test("no verification continues from one that was made before the backup", async () => {
  const { folder, file, backup } = prepare();
  const verify = async (place: string) => {
    const words = ["audit", "verify", "--incremental", "--db", place, "-o", "json"];
    return JSON.parse((await cli(words)).stdout).since;
  };
  expect(await verify(file)).toMatchObject({ seq: expect.any(Number) });
  expect(await run([backup, "--data-dir", folder, "-y"])).toMatchObject({ status: 0 });
  expect(await verify(file)).toBeNull();
});

/** Starts a server, which writes rows to the trail, and stops it. */
async function start(folder: string): Promise<void> {
  const { app, database, as } = openTestApp({ DATA_DIR: folder });
  await app.noteStarted();
  await as("owner").call("registration-tokens.create", { body: {} });
  await app.close();
  await database.close();
}

const verify = (file: string, ...flags: string[]) =>
  cli(["audit", "verify", "--db", file, ...flags]);

const verified = async (file: string) => JSON.parse((await verify(file, "-o", "json")).stdout);

function anchorFile(row: { seq: number; hash: string }): string {
  const anchor = join(temporaryFolder(), "anchor.json");
  writeFileSync(anchor, JSON.stringify(row));
  return anchor;
}

test("every replaced trail stays visible, over several restores and with or without a start between", async () => {
  const { folder, file, backup } = prepare();
  const keep = async () => (await verified(file)).head;
  const restore = () => run([backup, "--data-dir", folder, "--yes", "-o", "json"]);
  const first = await keep();
  await restore();
  await start(folder);
  const second = await keep();
  const { replaced } = JSON.parse((await restore()).stdout);
  // This restore loses no rows of the trail, because no server has written any.
  await restore();
  await start(folder);
  const found = await verified(file);
  const ends = found.restores.map((one: { replacedHead: unknown }) => one.replacedHead);
  const auditHead = found.restores[0].auditHead;
  expect(ends).toEqual([auditHead, second, first]);
  expect(new Set(found.restores.map(({ seq }: { seq: number }) => seq)).size).toBe(1);
  const { stdout } = await verify(file);
  expect(stdout.match(/restored up to/g)).toHaveLength(2);
  for (const { seq, hash } of [first, second])
    expect(stdout).toContain(`replaced rows up to ${seq}:\n    ${hash}\n`);

  const anchor = anchorFile(second);
  const missing = await verify(file, "--anchor", anchor);
  const says = `replaced row ${second.seq}, so this anchor no longer matches`;
  expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
  expect(missing.stderr).toContain("Everything else in it verifies.");
  expect(missing.stdout).toMatch(
    /^verdict +SOUND except for the anchor, whose row a restore has replaced/,
  );
  expect(await verify(replaced.keptAs, "--anchor", anchor)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/FOUND$/m),
  });
});

test("an anchor from after a restore is not said to be replaced", async () => {
  const { folder, file, backup } = prepare();
  await run([backup, "--data-dir", folder, "--yes"]);
  await start(folder);
  const { restores, head } = await verified(file);
  const [{ replacedHead, restoredAt }] = restores;
  tamper(file, `DELETE FROM audit_events WHERE seq = ${head.seq}`);
  const { stdout, stderr } = await verify(file, "--anchor", anchorFile(head));
  expect(stdout).toMatch(/^verdict +BROKEN$/m);
  expect(stderr).toContain(
    `A restore at ${restoredAt} may have replaced row ${head.seq}. If this anchor is from before`,
  );
  // Only the replaced row with this number had the hash that the trail records.
  const other = anchorFile({ seq: replacedHead.seq, hash: head.hash });
  const later = await verify(file, "--anchor", other);
  expect(later).toMatchObject({ status: 1, stdout: expect.stringMatching(/MISSING$/m) });
  expect(later.stderr).not.toContain("restore");
});

/** Makes a row of the trail look like that of a restore. */
function plantRestore(file: string, metadata: string): void {
  tamper(
    file,
    `UPDATE audit_events SET action = 'backup.restored', metadata = '${metadata}' WHERE seq = 2`,
  );
}

const everyDay = Array.from({ length: 365 }, (_, day) => {
  const restoredAt = new Date(Date.UTC(2025, 0, day + 1)).toISOString();
  return { restoredAt, by: "ada", auditHead: null, replacedHead: null };
});

test("of many restores, the newest are kept, also those that replaced nothing readable", async () => {
  const { folder, file, backup } = prepare();
  plantRestore(file, JSON.stringify({ earlierRestores: everyDay }));
  await run([backup, "--data-dir", folder, "--yes"]);
  await start(folder);
  const { restores } = await verified(file);
  expect(restores).toHaveLength(100);
  expect(restores.slice(1)).toMatchObject(everyDay.toReversed().slice(0, 99));
  const rows = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void rows.close());
  const recorded = "SELECT metadata FROM audit_events WHERE action = 'backup.restored'";
  const metadata = JSON.parse(String(rows.prepare(recorded).pluck().get()));
  expect(metadata.earlierRestores).toHaveLength(100);
});

// domain/audit/past-restores.test.ts has the other values that are not those of a restore.
test("a row of a restore that was changed to not JSON stops no command", async () => {
  const { folder, file, backup } = prepare();
  plantRestore(file, "not JSON");
  plantRestore(backup, "not JSON");
  const brokenAt2 = { ok: false, broken: { seq: 2 } };
  expect(await verified(file)).toMatchObject(brokenAt2);
  const copy = join(temporaryFolder(), "copy.db");
  const made = await cli(["backup", copy, "--db", file, "--unverified", "-o", "json"]);
  expect(JSON.parse(made.stdout)).toMatchObject({ auditChain: "broken" });
  const doctor = await cli(["doctor", "--db", file, "-o", "json"], { env: { PORT: "0" } });
  const findings: { check: string; state: string; found: string }[] = JSON.parse(doctor.stdout);
  const stateOf = (name: string) => findings.find(({ check }) => check === name);
  expect(stateOf("database")).toMatchObject({ state: "OK" });
  expect(stateOf("audit trail")?.found).toContain("row 2");
  const words = [backup, "--data-dir", folder, "--yes", "--unverified", "-o", "json"];
  const { restored, replaced } = JSON.parse((await run(words)).stdout);
  expect([restored, replaced]).toMatchObject([true, { agents: 2, problem: null }]);
  expect(await verified(file)).toMatchObject(brokenAt2);
});

test("people are asked, and see what was replaced and how to undo the restore", async () => {
  const { folder, file, backup } = prepare();
  const before = contentOf(folder);
  expect(await run([backup, "--data-dir", folder])).toMatchObject(
    failing(5, /Replace .* \(2 agents, last event .*\) with the backup \(1 agent, .*--yes/),
  );
  expect(contentOf(folder)).toEqual(before);
  const ran = await run([backup, "--data-dir", folder, "-y"]);
  expect(ran.status).toBe(0);
  const kept = /^replaced +(\S+)$/m.exec(ran.stdout)?.[1] ?? "";
  expect(ran.stderr).toContain(`platform restore ${kept} --db ${file}`);
  expect(ran.stderr).toContain(`platform serve --data-dir ${folder}`);
  expect(codesIn(file)).toEqual(["edge-1"]);
  expect(await run([kept, "--db", file, "--yes"])).toMatchObject({ status: 0 });
  expect(codesIn(file)).toEqual(["edge-1", "edge-2"]);
});

test("says how to start the server on the restored file", async () => {
  const { folder, backup } = prepare();
  const spaced = join(dirname(folder), "my data");
  renameSync(folder, spaced);
  const file = join(spaced, "platform.db");
  const byFile = await run([backup, "--db", file, "-y"]);
  expect(byFile.stderr).toContain(
    `Now start the server: PLATFORM_DATABASE_URL='${file}' platform serve\n`,
  );
  const byFolder = await run([backup, "--data-dir", spaced, "-y"]);
  expect(byFolder.stderr).toContain(
    `Now start the server: platform serve --data-dir '${spaced}'\n`,
  );
});

test("a dry run reports the same and changes nothing", async () => {
  const { folder, file, backup } = prepare();
  const before = contentOf(folder);
  const ran = await run([backup, "--db", file, "--dry-run", "-o", "json"]);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    restored: false,
    agents: 1,
    replaced: { agents: 2, keptAs: null },
  });
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(contentOf(folder)).toEqual(before);

  const nowhere = join(temporaryFolder(), "new", "data");
  const rehearsed = await run([backup, "--data-dir", nowhere, "--dry-run", "--unverified"]);
  expect(rehearsed.status).toBe(0);
  expect(rehearsed.stderr).toContain("nothing was changed");
  expect(existsSync(dirname(nowhere))).toBe(false);
});

test("after the database was lost, its log and the head of its trail are kept", async () => {
  const { folder, file, backup } = prepare();
  const head = { seq: 4711, hash: "f".repeat(64), at: 1, signature: "x" };
  writeFileSync(`${file}.audit-head`, JSON.stringify(head));
  writeFileSync(`${file}-wal`, "what was not in the file yet");
  rmSync(file);
  const ran = await run([backup, "--data-dir", folder, "-o", "json"]);
  const { replaced, replacedHead, keptFiles } = JSON.parse(ran.stdout);
  expect(replaced).toBeNull();
  expect(replacedHead).toEqual({ seq: 4711, hash: head.hash });
  expect(keptFiles.map((path: string) => path.replace(/before-restore-[-\d]*\d/, "…"))).toEqual([
    `${file}.…-wal`,
    `${file}.….audit-head`,
  ]);
  expect(readFileSync(keptFiles[0], "utf8")).toBe("what was not in the file yet");
  expect(JSON.parse(readFileSync(keptFiles[1], "utf8"))).toEqual(head);
});

test("on a new machine, the audit key is required first", async () => {
  const { folder, backup } = prepare();
  const dataDir = join(temporaryFolder(), "data");
  const early = await run([backup, "--data-dir", dataDir]);
  expect(early).toMatchObject(failing(1, "audit.key does not exist"));
  expect(existsSync(dataDir)).toBe(false);
  mkdirSync(dataDir, { mode: 0o700 });
  copyFileSync(join(folder, "audit.key"), join(dataDir, "audit.key"));
  // The restore replaces nothing, so it does not ask.
  const ran = await run([backup, "--data-dir", dataDir, "-o", "json"]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ restored: true, replaced: null });
  expect(codesIn(join(dataDir, "platform.db"))).toEqual(["edge-1"]);
});

/** Returns the words to run, if they are not the usual ones. */
// biome-ignore lint/suspicious/noConfusingVoidType: most functions only change files
type Spoil = (prepared: Prepared) => string[] | void;

const sql =
  (text: string): Spoil =>
  ({ backup }) => {
    const connection = new BetterSqlite3(backup);
    connection.pragma("journal_mode = DELETE");
    connection.exec(text);
    connection.close();
  };
const write =
  (name: string, text: string): Spoil =>
  ({ folder }) =>
    writeFileSync(join(folder, name), text);

const refusals: Record<string, [spoil: Spoil, status: number, says: RegExp]> = {
  "a missing file": [
    ({ folder }) => ["/no/such.db", "--data-dir", folder, "--yes"],
    6,
    /\/no\/such\.db: there is no such file/,
  ],
  "another program's database": [sql("PRAGMA application_id = 7"), 6, /belongs to another program/],
  "half a backup": [
    ({ backup }) => truncateSync(backup, statSync(backup).size / 2),
    6,
    /it is truncated/,
  ],
  "a backup from a newer program": [
    sql(
      "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, '9999-x.sql', 'x', 0)",
    ),
    6,
    /backup\.db: its schema \(version \d+\) is newer than this program \(version \d+\)/,
  ],
  "a migration history from another program": [
    sql("UPDATE schema_migrations SET checksum = 'x' WHERE version = 2"),
    6,
    /its migration 0002-command-outcomes\.sql differs from this program's/,
  ],
  "a page of garbage": [
    ({ backup }) => {
      const bytes = readFileSync(backup);
      const connection = new BetterSqlite3(backup, { readonly: true });
      const root = "SELECT rootpage FROM sqlite_schema WHERE name = 'commands_by_run'";
      const page = connection.prepare(root).pluck().get() as number;
      connection.close();
      bytes.fill(0xab, (page - 1) * 4096, page * 4096);
      writeFileSync(backup, bytes);
    },
    1,
    /nothing was changed: the backup is damaged: .*commands_by_run|malformed|btree/i,
  ],
  "a row that refers to a missing row": [
    sql("PRAGMA foreign_keys = OFF; UPDATE agent_tokens SET agent_id = 'agt_x'"),
    1,
    /the backup is damaged: a row of agent_tokens refers to a row that does not exist/,
  ],
  "a changed audit row": [
    ({ backup }) => tamper(backup, "UPDATE audit_events SET ip = 'x' WHERE seq = 2"),
    1,
    /audit trail is broken at row 2: .*--unverified/,
  ],
  "another audit key": [
    write("audit.key", Buffer.alloc(32, 7).toString("base64")),
    1,
    /audit\.key is not the key of the backup's audit trail/,
  ],
  "no audit key": [
    ({ folder }) => rmSync(join(folder, "audit.key")),
    1,
    /audit\.key does not exist, so the backup's audit trail cannot be verified/,
  ],
  "a database with its log next to it": [
    ({ folder, backup }) => {
      const spaced = backup.replace(/backup\.db$/, "a backup.db");
      copyFileSync(backup, spaced);
      writeFileSync(`${spaced}-wal`, "log");
      return [spaced, "--data-dir", folder, "--yes"];
    },
    6,
    /there is a log beside it \(a backup\.db-wal\).*make a backup of it with platform backup FILE --db '.*a backup\.db' first/,
  ],
  "the database itself": [
    ({ folder, file }) => [file, "--data-dir", folder, "--yes"],
    2,
    /is the database itself/,
  ],
  "two targets": [
    ({ backup, folder, file }) => [backup, "--data-dir", folder, "--db", file],
    2,
    /give --data-dir or --db, not both/,
  ],
  "a database that another program has open": [
    ({ file }) => {
      // A refused restore leaves this copy of the signed head unchanged, too.
      writeFileSync(`${file}.audit-head`, "its trail's head");
      const other = new BetterSqlite3(file);
      other.exec("BEGIN; SELECT COUNT(*) FROM agents");
      other.prepare("SELECT COUNT(*) FROM agents").get();
      onTestFinished(() => void other.close());
    },
    5,
    /platform\.db is in use: stop its server/,
  ],
};

const accepted = ["a changed audit row", "another audit key", "no audit key"];

test.each(Object.entries(refusals))(
  "%s is refused and nothing is changed, unless --unverified accepts it",
  async (what, [spoil, status, says]) => {
    const prepared = prepare();
    const words = spoil(prepared);
    const before = contentOf(prepared.folder);
    const ran = await run(words ?? [prepared.backup, "--data-dir", prepared.folder, "--yes"]);
    expect(ran).toMatchObject({ status, stdout: "" });
    expect(ran.stderr).toMatch(says);
    expect(contentOf(prepared.folder)).toEqual(before);
    if (!accepted.includes(what)) return;
    const usual = [prepared.backup, "--data-dir", prepared.folder, "--yes"];
    const { stdout, stderr } = await run([...usual, "--unverified"]);
    expect(stdout).toMatch(/^audit +not verified$/m);
    expect(stderr).toContain("Not verified: ");
    expect(codesIn(prepared.file)).toEqual(["edge-1"]);
  },
);

test("a damaged database is replaced, and all its files are kept, including its log", async () => {
  const { folder, file, backup } = prepare();
  writeFileSync(file, "broken ".repeat(1000));
  writeFileSync(`${file}-wal`, "its log");
  const ran = await run([backup, "--data-dir", folder, "--yes", "-o", "json"]);
  expect(ran.status).toBe(0);
  const { replaced } = JSON.parse(ran.stdout);
  expect(replaced).toMatchObject({
    agents: null,
    problem: expect.stringContaining("not an SQLite"),
  });
  expect(readFileSync(replaced.keptAs, "utf8")).toContain("broken");
  expect(readFileSync(`${replaced.keptAs}-wal`, "utf8")).toBe("its log");
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(codesIn(file)).toEqual(["edge-1"]);
});

test("changes in the log of the replaced database are kept too", async () => {
  const { folder, file, backup } = prepare();
  const writer = new BetterSqlite3(file);
  writer.pragma("journal_mode = WAL");
  writer.exec("UPDATE agents SET name = 'in the log'");
  copyFileSync(file, join(folder, "crashed.db"));
  copyFileSync(`${file}-wal`, join(folder, "crashed.db-wal"));
  writer.close();
  const crashed = join(folder, "crashed.db");
  const ran = await run([backup, "--db", crashed, "--yes", "-o", "json"]);
  const { keptAs } = JSON.parse(ran.stdout).replaced;
  const kept = new BetterSqlite3(keptAs, { readonly: true });
  onTestFinished(() => void kept.close());
  expect(kept.prepare("SELECT DISTINCT name FROM agents").pluck().all()).toEqual(["in the log"]);
  expect(readdirSync(folder).filter((name) => name.startsWith("crashed.db-"))).toEqual([]);
});

const known = loadMigrations();

test.each([
  { words: [], schemaVersion: 1, pendingMigrations: known.slice(1).map(({ name }) => name) },
  { words: ["--migrate"], schemaVersion: known.length, pendingMigrations: [] },
])("an older backup is migrated now or later: $words", async ({ words, ...expected }) => {
  const prepared = prepare();
  const { folder, file } = prepared;
  const backup = join(temporaryFolder(), "older.db");
  createOldDatabase(backup);
  sql("SELECT 1")({ ...prepared, backup });
  const before = readFileSync(backup);
  const ran = await run([backup, "--data-dir", folder, "--yes", ...words, "-o", "json"]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(ran.stdout)).toMatchObject(expected);
  const restored = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void restored.close());
  expect(restored.pragma("user_version", { simple: true })).toBe(expected.schemaVersion);
  // The backup is only read, and no other copy is made.
  expect(readFileSync(backup).equals(before)).toBe(true);
  const names = readdirSync(folder).filter((name) => name.includes("before"));
  expect(names).toEqual([expect.stringContaining("before-restore")]);
});

test("during a restore, no other process can open the database", async () => {
  const { folder, file, backup } = prepare();
  const lock = claimDatabase(file);
  onTestFinished(() => lock?.release());
  const refused = await cli(["serve", "--port", "0", "--data-dir", folder]);
  expect(refused.status).toBe(6);
  expect(refused.stderr).toContain("it is being restored, migrated or moved");
  expect(await run([backup, "--db", file, "-y"])).toMatchObject(failing(5, "is in use"));
});

test("a log without its database is not applied to the restored database, but kept", async () => {
  const { folder, file, backup } = prepare();
  rmSync(file);
  writeFileSync(`${file}-wal`, "left");
  appendFileSync(`${file}-shm`, "left");
  const { stderr } = await run([backup, "--data-dir", folder]);
  expect(stderr).toMatch(/Also kept of the old database: platform\.db\.before-restore-\S+-wal/);
  expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
  expect(codesIn(file)).toEqual(["edge-1"]);
});

test("the digest next to the backup reveals a changed row", async () => {
  const { folder, file, backup } = prepare();
  const words = [backup, "--data-dir", folder, "--yes"];
  const own = /^([0-9a-f]{64}) {2}backup\.db\n$/.exec(
    readFileSync(`${backup}.digest`, "utf8"),
  )?.[1];
  // Pages, constraints and the audit chain are still valid.
  tamper(backup, "UPDATE agents SET code = 'edge-9'");
  const before = contentOf(folder);
  const given = await run([...words, "--sha256", own ?? ""]);
  expect(given).toMatchObject(failing(1, "has changed since it was made: its SHA-256 is"));
  expect(given.stderr).toContain(`but --sha256 has ${own}`);
  renameSync(`${backup}.digest`, `${backup}.sha256`);
  const beside = await run([...words, "-o", "json"]);
  expect(JSON.parse(beside.stderr).error.code).toBe("DIGEST_DIFFERS");
  expect(contentOf(folder)).toEqual(before);

  const accepted = await run([...words, "--unverified", "-o", "json"]);
  expect(JSON.parse(accepted.stdout)).toMatchObject({
    comparedWith: `${backup}.sha256`,
    problems: [
      expect.stringContaining("has changed since it was made"),
      expect.stringContaining("agent edge-9: registered as edge-1 in the audit trail"),
    ],
  });
  expect(codesIn(file)).toEqual(["edge-9"]);
});

test("a matching digest is reported, and so is a missing one", async () => {
  const { folder, backup } = prepare();
  const words = [backup, "--data-dir", folder, "--yes"];
  const without = await run(words);
  expect(without.stderr).toContain("The backup was not checked against a digest");
  renameSync(`${backup}.digest`, `${backup}.sha256`);
  const report = await run([...words, "-o", "json"]);
  expect(JSON.parse(report.stdout)).toMatchObject({
    comparedWith: `${backup}.sha256`,
    problems: [],
  });
  const upper = JSON.parse(report.stdout).sha256.toUpperCase();
  const given = await run([...words, "--sha256", upper]);
  expect(given).toMatchObject({ status: 0 });
  expect(given.stderr).not.toContain("digest");
  writeFileSync(`${backup}.sha256`, "nothing of the kind");
  expect((await run(words)).stderr).toContain("has no digest in the format of sha256sum");
  expect(await run([...words, "--sha256", "abc"])).toMatchObject({ status: 2 });
});

// store/audit/unaccounted.test.ts and store/engine/schema-comparison.test.ts test the other
// differences.
test.each<[what: string, sql: string, code: string, says: string]>([
  [
    "an agent with another code than in the audit trail",
    "UPDATE agents SET code = 'edge-9'",
    "ROWS_DIFFER",
    "agent edge-9: registered as edge-1 in the audit trail",
  ],
  [
    "an added trigger",
    "CREATE TRIGGER helper AFTER INSERT ON agents BEGIN UPDATE users SET role = 'owner'; END",
    "SCHEMA_DIFFERS",
    "it has a trigger helper that this program did not create",
  ],
])("%s is refused, or accepted with --unverified", async (_, change, code, says) => {
  const prepared = prepare();
  const { folder, backup } = prepared;
  sql(change)(prepared);
  const before = contentOf(folder);
  const words = [backup, "--data-dir", folder, "--yes", "-o", "json"];
  const { error } = JSON.parse((await run(words)).stderr);
  expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
  expect(contentOf(folder)).toEqual(before);
  const accepted = await run([...words, "--unverified"]);
  expect(JSON.parse(accepted.stdout).problems).toEqual([expect.stringContaining(says)]);
});
