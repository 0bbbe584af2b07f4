// `platform backup` writes either a complete, checked file or none.

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { loadMigrations } from "../../../src/store/engine/migrations.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";
import { serveHttp as startAnyServer } from "../../helpers/http/listen.ts";
import { startProgram } from "../../helpers/process/process.ts";
import { tamper } from "../../helpers/process/tamper.ts";
import { withoutChildren } from "../../helpers/process/without-children.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { ctrlC } from "../following.ts";
import { cli, failing, fileWith, openWorld, ways } from "../world.ts";

sqliteOnly("PostgreSQL is backed up with its own tools");

withoutChildren();

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

test.each(ways)(
  "%s: the backup is a valid copy that only its owner can read, and is reported",
  async (way) => {
    const world = await openWorld();
    const file = join(temporaryFolder(), "b.db");
    const { status, stdout, stderr } = await world.run(way, ["backup", file, "-o", "json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const bytes = readFileSync(file);
    const [created] = (await world.as("owner").page("audit-events.list")).data;
    const { auditHead } = (created?.metadata ?? {}) as { auditHead?: object };
    expect(JSON.parse(stdout)).toEqual({
      file,
      from: way === "--db" ? world.file : world.url,
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
      schemaVersion: loadMigrations().length,
      auditHead,
      auditChain: "unbroken",
      auditProblem: null,
      schemaProblem: null,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).sort()).toEqual(["b.db", "b.db.sha256"]);
    const copy = new BetterSqlite3(file, { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.prepare("SELECT code FROM agents ORDER BY code").pluck().all()).toEqual([
      "edge-1",
      "edge-2",
    ]);
    const again = await world.run(way, ["backup", file, "--force"]);
    const [audit, session] = ["audit.key", "session.key"].map((name) =>
      join(dirname(world.file), name),
    );
    const keys =
      way === "--db"
        ? `${audit} and ${session}`
        : "audit.key and session.key (next to the server's database)";
    expect(again.stderr).toContain(`Also keep ${keys}, apart from the backup.`);
  },
);

test("the keys to keep are the ones that the settings name", async () => {
  const { file } = openTestApp();
  const key = join(temporaryFolder(), "chain.key");
  copyFileSync(join(dirname(file), "audit.key"), key);
  const env = { AUDIT_KEY_FILE: key, SESSION_SECRET: "x".repeat(40) };
  const ran = await cli(["backup", join(temporaryFolder(), "b.db"), "--db", file], { env });
  expect(ran.stderr).toContain(`Also keep ${key} and PLATFORM_SESSION_SECRET, apart from`);
});

test("a backup that a restore would refuse because of its schema is reported", async () => {
  const world = await openWorld();
  const database = new BetterSqlite3(world.file);
  database.exec("DROP TRIGGER audit_events_never_change");
  database.close();
  const file = join(temporaryFolder(), "b.db");
  const { status, stderr } = await world.run("--db", ["backup", file, "-o", "name"]);
  expect(status).toBe(0);
  expect(stderr).toContain("it has no trigger audit_events_never_change");
  expect(stderr).toContain("refuses this backup without --unverified");
});

test("only --unverified backs up a trail that does not verify, with a warning", async () => {
  const world = await openWorld();
  tamper(world.file, "UPDATE audit_events SET message = 'changed' WHERE seq = 2");
  const file = join(temporaryFolder(), "b.db");
  for (const way of ways) {
    const refused = await world.run(way, ["backup", file]);
    const says = "The audit trail fails verification: row 2: its hash does not match";
    expect(refused).toMatchObject(failing(6, says));
    expect(refused.stderr).toContain("`platform backup --unverified`");
  }
  expect(readdirSync(dirname(file))).toEqual([]);
  const words = ["backup", file, "--unverified", "-o", "json"];
  const { status, stdout, stderr } = await world.run("--server", words);
  expect(status).toBe(9);
  expect(JSON.parse(stderr).note.code).toBe("AUDIT_NOT_VERIFIED");
  const auditProblem = expect.stringMatching(/^row 2: its hash/);
  expect(JSON.parse(stdout)).toMatchObject({ auditChain: "broken", auditProblem });
  expect(readdirSync(dirname(file)).sort()).toEqual(["b.db", "b.db.sha256"]);
  const { data } = await world.as("owner").page("audit-events.list");
  expect(data.map(({ action }) => action).slice(0, 2)).toEqual(["backup.created", "audit.damaged"]);
  expect(data[0]!.metadata).toMatchObject({ auditProblem });
});

test("an existing file is replaced only with --force", async () => {
  const world = await openWorld();
  const file = join(temporaryFolder(), "b.db");
  writeFileSync(file, "precious");
  const refused = await world.run("--db", ["backup", file]);
  expect(refused).toMatchObject(failing(5, `${file} already exists: --force overwrites it.`));
  expect(readFileSync(file, "utf8")).toBe("precious");
  const { data } = await world.as("owner").page("audit-events.list", {
    query: { action: "backup.created" },
  });
  expect(data).toEqual([]);
  expect((await world.run("--db", ["backup", file, "-f"])).status).toBe(0);
  expect(readFileSync(file).subarray(0, 15).toString()).toBe("SQLite format 3");
  expect(readdirSync(dirname(file)).sort()).toEqual(["b.db", "b.db.sha256"]);
});

test.each(ways)(
  "%s: --force never replaces a database in use, its log, its lock or its keys",
  async (way) => {
    const world = await openWorld();
    // A second name for the file has no lock next to it.
    const other = join(temporaryFolder(), "second-name.db");
    linkSync(world.file, other);
    const folder = dirname(world.file);
    const link = join(temporaryFolder(), "link.db");
    symlinkSync(world.file, link);
    const targets = [
      world.file,
      link,
      ...["-wal", "-shm", ".lock"].map((suffix) => world.file + suffix),
      ...["audit.key", "session.key"].map((key) => join(folder, key)),
      // The second name is only recognized with --db.
      ...(way === "--db" ? [other] : []),
    ];
    const before = targets.map((file) => statSync(file).ino);
    const exporting = ["audit", "export", "--out", world.file];
    for (const words of [exporting, ...targets.map((file) => ["backup", file])]) {
      expect(await world.run(way, [...words, "--force"])).toMatchObject(
        failing(2, "--force does not overwrite such a file. Name another file."),
      );
    }
    expect(targets.map((file) => statSync(file).ino)).toEqual(before);
    rmSync(other);
  },
);

test("--force never replaces a key that the settings name", async () => {
  const { file } = openTestApp();
  const key = join(temporaryFolder(), "chain.b64");
  copyFileSync(join(dirname(file), "audit.key"), key);
  const before = readFileSync(key, "utf8");
  const env = { AUDIT_KEY_FILE: key };
  for (const words of [
    ["backup", key, "--db", file],
    ["backup", key, "--server", "http://127.0.0.1:1"],
    ["audit", "export", "--out", key, "--db", file],
  ]) {
    expect(await cli([...words, "--force"], { env })).toMatchObject(
      failing(2, `${key} is the database itself, or belongs to it: --force does not overwrite`),
    );
  }
  expect(readFileSync(key, "utf8")).toBe(before);
});

test("the backup goes to a pipe, and the report to stderr", async () => {
  const world = await openWorld();
  const { status, stdout, stderr } = await world.run("--server", ["backup", "-"]);
  expect(status).toBe(0);
  const bytes = Buffer.from(stdout, "latin1");
  expect(stderr).toMatch(new RegExp(`^[\\d.]+ [KM]iB of .*, sha256 ${sha256(bytes)}\n$`));
});

const nowhere = (name: string) =>
  failing(6, `the database /nowhere/${name}: there is no such file`);
const byDefault = "platform.db";

test.each<[words: string[], env: Record<string, string>, named: object]>([
  [["--data-dir", "/nowhere"], {}, nowhere(byDefault)],
  [[], { DATA_DIR: "/nowhere" }, nowhere(byDefault)],
  [[], { DATABASE_URL: "/nowhere/own.db", DATA_DIR: "/other" }, nowhere("own.db")],
  [[], { DATA_DIR: "/other", DB: "/nowhere/own.db" }, nowhere("own.db")],
  [["--data-dir", "/nowhere"], { DB: "/other.db", URL: "http://127.0.0.1:1" }, nowhere(byDefault)],
  [["--server", "http://127.0.0.1:1"], { DB: "/other.db" }, failing(6, "cannot reach http:")],
])("the source is the database that serve uses: %j %j", async (words, env, named) => {
  const file = join(temporaryFolder(), "b.db");
  expect(await cli(["backup", file, ...words], { env })).toMatchObject(named);
  expect(existsSync(file)).toBe(false);
});

test.each([
  { words: ["b.db", "--server", "a"], says: "give --server or --data-dir, not both" },
  { words: ["-"], io: { width: 80 }, says: "a database cannot be printed" },
  { words: ["-", "-o", "json"], says: "leave out -o" },
  { words: ["-", "--force"], says: "--force works only with a FILE" },
])("$words is a usage error: $says", async ({ words, io = {}, says }) => {
  const ran = await cli(["backup", ...words, "--data-dir", "/nowhere"], { io });
  expect(ran).toMatchObject(failing(2, says));
});

test("an unwritable target is an error before a copy is made", async () => {
  const world = await openWorld();
  const folder = temporaryFolder();
  expect(await world.run("--db", ["backup", join(folder, "no", "b.db")])).toMatchObject(
    failing(1, "cannot be written: its folder does not exist"),
  );
  expect(await world.run("--db", ["backup", folder])).toMatchObject(
    failing(2, "is a folder: name a file in it"),
  );
  const { data } = await world.as("owner").page("audit-events.list", {
    query: { action: "backup.created" },
  });
  expect(data).toEqual([]);
});

const body = "not what was promised";
const digestOf = (text: string) =>
  `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;

test.each([
  {
    what: "content that does not match its digest",
    headers: { "Content-Length": body.length, "Repr-Digest": digestOf("promised") },
    says: "the file does not match its digest",
  },
  {
    what: "no digest",
    headers: { "Content-Length": body.length },
    says: "the response has no digest",
  },
  {
    what: "less content than announced",
    headers: { "Content-Length": 100_000, "Repr-Digest": digestOf(body) },
    breaksOff: true,
    says: "the connection broke off after 21 B",
  },
])("a response with $what is discarded", async ({ headers, breaksOff = false, says }) => {
  const url = await startAnyServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/vnd.sqlite3", ...headers });
    if (!breaksOff) response.end(body);
    else response.write(body, () => response.socket?.end());
  });
  const file = join(temporaryFolder(), "b.db");
  const ran = await cli(["backup", file, "--server", url]);
  expect(ran).toMatchObject(failing(1, `the download failed and was discarded: ${says}`));
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("a file that appears during the backup is not replaced", async () => {
  const file = join(temporaryFolder(), "b.db");
  const world = await openWorld();
  const bytes = (await world.run("--db", ["backup", "-"])).stdout;
  const whole = Buffer.from(bytes, "latin1");
  const digest = `sha-256=:${createHash("sha256").update(whole).digest("base64")}:`;
  const url = await startAnyServer((_, response) => {
    for (const path of [file, `${file}.sha256`]) writeFileSync(path, "precious");
    response.writeHead(200, { "Repr-Digest": digest });
    response.end(whole);
  });
  const ran = await cli(["backup", file, "--server", url]);
  expect(ran).toMatchObject(failing(5, "already exists"));
  expect(readFileSync(file, "utf8")).toBe("precious");
  expect(readdirSync(dirname(file)).sort()).toEqual(["b.db", "b.db.sha256"]);
});

test("the digest of a backup that was deleted does not stay beside a new backup", async () => {
  const world = await openWorld();
  const file = join(temporaryFolder(), "b.db");
  writeFileSync(`${file}.sha256`, `${sha256("old")}  b.db\n`);
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  replaceBuiltin<typeof import("node:fs")>("node:fs", ({ renameSync }) => ({
    renameSync(from, to) {
      if (String(to).endsWith(".sha256")) throw full;
      renameSync(from, to);
    },
  }));
  expect(await world.run("--db", ["backup", file])).toMatchObject(failing(1, "the disk is full"));
  expect(readdirSync(dirname(file))).toEqual(["b.db"]);
});

test("a digest belongs beside the target of a link, but is also found beside the link", async () => {
  const { file } = openTestApp();
  const folder = temporaryFolder();
  const target = join(folder, "monday.db");
  const link = join(folder, "latest.db");
  const backUp = (to: string) => cli(["backup", to, "--db", file, "--force"]);
  await backUp(target);
  symlinkSync(target, link);
  expect(await backUp(link)).toMatchObject({ status: 0 });
  expect(readdirSync(folder).sort()).toEqual(["latest.db", "monday.db", "monday.db.sha256"]);
  const digest = `${sha256(readFileSync(target))}  monday.db\n`;
  expect(readFileSync(`${target}.sha256`, "utf8")).toBe(digest);
  const words = ["restore", link, "--db", join(temporaryFolder(), "new.db"), "--dry-run"];
  const env = { AUDIT_KEY_FILE: join(dirname(file), "audit.key") };
  const compared = async () => {
    const { status, stdout } = await cli([...words, "-o", "json"], { env });
    return [status, JSON.parse(stdout).comparedWith];
  };
  expect(await compared()).toEqual([0, `${target}.sha256`]);
  renameSync(`${target}.sha256`, `${link}.sha256`);
  expect(await compared()).toEqual([0, `${link}.sha256`]);
});

test("a full disk leaves no file", async () => {
  const headers = { "Content-Length": body.length, "Repr-Digest": digestOf(body) };
  const url = await startAnyServer((_, response) => response.writeHead(200, headers).end(body));
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  replaceBuiltin<typeof import("node:fs")>("node:fs", () => ({
    write: ((...given: unknown[]) => (given.at(-1) as (error: Error) => void)(full)) as never,
  }));
  const file = join(temporaryFolder(), "b.db");
  expect(await cli(["backup", file, "--server", url])).toMatchObject(
    failing(1, "cannot be written: the disk is full"),
  );
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("Ctrl-C leaves no file", async () => {
  const folder = temporaryFolder();
  const url = await startAnyServer((_, response) => {
    response.writeHead(200, { "Content-Length": 1000, "Repr-Digest": digestOf(body) });
    response.write(body);
  });
  const { onInterrupt, press } = ctrlC();
  const shown = Promise.withResolvers<void>();
  const showLine = (text: string) => void (text.includes("21 B of 1000 B") && shown.resolve());
  const io = { interactive: true, showLine, onInterrupt };
  const running = cli(["backup", join(folder, "b.db"), "--server", url], { io });
  await shown.promise;
  expect(readdirSync(folder)).toHaveLength(1);
  press();
  expect((await running).status).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
});

/** The process that makes the copy interrupts the command when the copy has begun, and then blocks. */
const interrupter = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { openSync } = fs;
  fs.openSync = (...given) => {
    const opened = openSync(...given);
    if (String(given[0]).endsWith("/copy.db") && given[1] === "wx") {
      process.kill(process.ppid, "SIGINT");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    return opened;
  };
  syncBuiltinESMExports();`;

test("Ctrl-C with --db leaves no partial copy next to the database", async () => {
  const { file } = openTestApp();
  const folder = temporaryFolder();
  const preload = fileWith(interrupter, "interrupter.mjs");
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` };
  const words = ["backup", join(folder, "b.db"), "--db", file];
  expect(await startProgram("platform", words, { env }).ended).toMatchObject({ status: 130 });
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith("backup-"))).toEqual([]);
});
