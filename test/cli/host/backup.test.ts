// `platform backup` writes either a complete, checked file or none.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadMigrations } from "../../../src/store/engine/migrations.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { serveHttp as startAnyServer } from "../../helpers/http/listen.ts";
import { bin } from "../../helpers/process/installed.ts";
import { startProgram, until } from "../../helpers/process/process.ts";
import { openProgram } from "../../helpers/process/terminal.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { cli, openWorld, ways } from "../world.ts";

sqliteOnly("PostgreSQL is backed up with its own tools");

vi.mock(
  "../../../src/cli/files/child.ts",
  () => import("../../helpers/process/parts-in-process.ts"),
);

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
const platform = join(bin, "platform");

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
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).sort()).toEqual(["b.db", "b.db.sha256"]);
    const copy = new BetterSqlite3(file, { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.prepare("SELECT code FROM agents ORDER BY code").pluck().all()).toEqual([
      "edge-1",
      "edge-2",
    ]);
  },
);

test("people see the size and which other files to keep", async () => {
  const world = await openWorld();
  const file = join(temporaryFolder(), "b.db");
  const { stdout, stderr } = await world.run("--db", ["backup", file]);
  expect(stdout).toMatch(/^size +\d+\.\d [KM]iB$/m);
  expect(stdout).toMatch(/^audit +unbroken up to row \d+$/m);
  expect(stderr).toContain(`Also keep audit.key and session.key (in ${dirname(world.file)})`);
  const over = await world.run("--server", ["backup", file, "--force"]);
  expect(over.stderr).toContain(
    "Also keep audit.key and session.key (next to the server's database)",
  );
});

test("an existing file is replaced only with --force", async () => {
  const world = await openWorld();
  const file = join(temporaryFolder(), "b.db");
  writeFileSync(file, "precious");
  const refused = await world.run("--db", ["backup", file]);
  expect(refused).toMatchObject({ status: 5, stdout: "" });
  expect(refused.stderr).toContain(`${file} already exists: --force overwrites it.`);
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
    for (const file of targets) {
      for (const words of [
        ["backup", file],
        ["audit", "export", "--out", file],
      ]) {
        const ran = await world.run(way, [...words, "--force"]);
        expect(ran).toMatchObject({ status: 2, stdout: "" });
        expect(ran.stderr).toContain("--force does not overwrite such a file. Name another file.");
      }
    }
    expect(targets.map((file) => statSync(file).ino)).toEqual(before);
    rmSync(other);
  },
);

test("the partial file of a killed backup does not prevent the next backup", async () => {
  const world = await openWorld();
  const folder = temporaryFolder();
  writeFileSync(join(folder, `.b.db.${process.pid}.part`), "half");
  expect(await world.run("--db", ["backup", join(folder, "b.db")])).toMatchObject({ status: 0 });
});

test.each(ways)("%s: the backup goes to a pipe, and the report to stderr", async (way) => {
  const world = await openWorld();
  const { status, stdout, stderr } = await world.run(way, ["backup", "-"]);
  expect(status).toBe(0);
  const bytes = Buffer.from(stdout, "latin1");
  expect(stderr).toMatch(new RegExp(`^[\\d.]+ [KM]iB of .*, sha256 ${sha256(bytes)}\n$`));
});

test("the default is the database that serve uses", async () => {
  const world = await openWorld();
  const folder = dirname(world.file);
  const made: Record<string, string> = {};
  const all = [
    { words: ["--data-dir", folder], env: {} },
    { words: [], env: { DATA_DIR: folder } },
    { words: [], env: { DATABASE_URL: world.file, DATA_DIR: "/nowhere" } },
    { words: [], env: { DATA_DIR: "/nowhere", DB: world.file } },
    { words: ["--data-dir", folder], env: { DB: "/nowhere/else.db", URL: "http://127.0.0.1:1" } },
    { words: ["--server", world.url], env: { DB: "/nowhere/else.db", API_KEY: world.key } },
  ];
  for (const { words, env } of all) {
    const file = join(temporaryFolder(), "b.db");
    const ran = await cli(["backup", file, ...words, "-o", "json"], { env });
    expect(ran.stderr).toBe("");
    made[JSON.parse(ran.stdout).from] = file;
  }
  expect(Object.keys(made).sort()).toEqual([world.file, world.url].sort());
});

test("two sources are refused", async () => {
  const file = join(temporaryFolder(), "b.db");
  const ran = await cli(["backup", file, "--server", "a", "--data-dir", "b"]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain("give --server or --data-dir, not both");
});

test.each([
  { what: "a terminal", words: ["-"], io: { width: 80 }, says: "a database cannot be printed" },
  { what: "an output format with -", words: ["-", "-o", "json"], says: "leave out -o" },
  { what: "--force with -", words: ["-", "--force"], says: "--force works only with a FILE" },
])("$what is refused", async ({ words, io = {}, says }) => {
  const world = await openWorld();
  const ran = await world.run("--db", ["backup", ...words], { io });
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain(says);
});

test("an unwritable target is an error before a copy is made", async () => {
  const world = await openWorld();
  const folder = temporaryFolder();
  const inNoFolder = await world.run("--db", ["backup", join(folder, "no", "b.db")]);
  expect(inNoFolder).toMatchObject({ status: 1 });
  expect(inNoFolder.stderr).toContain("cannot be written: its folder does not exist");
  const aFolder = await world.run("--db", ["backup", folder]);
  expect(aFolder).toMatchObject({ status: 2 });
  expect(aFolder.stderr).toContain("is a folder: name a file in it");
  const { data } = await world.as("owner").page("audit-events.list", {
    query: { action: "backup.created" },
  });
  expect(data).toEqual([]);
});

test("a missing database is an error", async () => {
  const file = join(temporaryFolder(), "b.db");
  const ran = await cli(["backup", file], { env: { DATA_DIR: temporaryFolder() } });
  expect(ran).toMatchObject({ status: 6, stdout: "" });
  expect(ran.stderr).toContain("there is no such file");
  expect(existsSync(file)).toBe(false);
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
    what: "a digest of another kind",
    headers: { "Repr-Digest": "md5=:AAAA:" },
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
  expect(ran).toMatchObject({ status: 1, stdout: "" });
  expect(ran.stderr).toContain(`the download failed and was discarded: ${says}`);
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("a file that appears during the backup is not replaced", async () => {
  const file = join(temporaryFolder(), "b.db");
  const world = await openWorld();
  const bytes = (await world.run("--db", ["backup", "-"])).stdout;
  const whole = Buffer.from(bytes, "latin1");
  const digest = `sha-256=:${createHash("sha256").update(whole).digest("base64")}:`;
  const url = await startAnyServer((_, response) => {
    writeFileSync(file, "precious");
    response.writeHead(200, { "Repr-Digest": digest });
    response.end(whole);
  });
  const ran = await cli(["backup", file, "--server", url]);
  expect(ran).toMatchObject({ status: 5, stdout: "" });
  expect(ran.stderr).toContain("already exists");
  expect(readFileSync(file, "utf8")).toBe("precious");
  expect(readdirSync(dirname(file))).toEqual(["b.db"]);
});

test.skipIf(process.platform === "win32")("a full disk leaves no file", async () => {
  const world = await openWorld();
  const file = join(temporaryFolder(), "b.db");
  // Limits the client's files to 100 KiB.
  const words = ["-c", 'ulimit -f 200; exec "$0" "$@"', platform, "backup", file];
  const limited = openProgram("sh", [...words, "--server", world.url], {
    env: { PLATFORM_API_KEY: world.key },
  });
  expect(await limited.ended).toBe(1);
  expect(limited.text()).toMatch(/cannot be written: (the disk is full|files cannot be so large)/);
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("Ctrl-C leaves no file", async () => {
  const folder = temporaryFolder();
  const url = await startAnyServer((_, response) => {
    response.writeHead(200, { "Content-Length": 1000, "Repr-Digest": digestOf(body) });
    response.write(body);
  });
  let interrupt: () => void = () => undefined;
  const onInterrupt = (listener: () => void) => {
    interrupt = listener;
    return () => undefined;
  };
  const shown = Promise.withResolvers<void>();
  const showLine = (text: string) => void (text.includes("21 B of 1000 B") && shown.resolve());
  const io = { interactive: true, showLine, onInterrupt };
  const running = cli(["backup", join(folder, "b.db"), "--server", url], { io });
  await shown.promise;
  expect(readdirSync(folder)).toHaveLength(1);
  interrupt();
  expect((await running).status).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
});

test("Ctrl-C with --db leaves no partial copy next to the database", async () => {
  const { file } = openTestApp();
  const folder = temporaryFolder();
  const program = startProgram("platform", ["backup", join(folder, "b.db"), "--db", file]);
  const copies = () => readdirSync(dirname(file)).filter((name) => name.startsWith("backup-"));
  await until("the copy is made", () => copies().length > 0);
  program.signal("SIGINT");
  expect(await program.ended).toMatchObject({ status: 130 });
  expect(readdirSync(folder)).toEqual([]);
  expect(copies()).toEqual([]);
});

test.skipIf(process.getuid?.() === 0)("a read-only folder is an error", async () => {
  const world = await openWorld();
  const folder = join(temporaryFolder(), "closed");
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  const ran = await world.run("--db", ["backup", join(folder, "b.db")]);
  expect(ran).toMatchObject({ status: 1 });
  expect(ran.stderr).toContain("cannot be written: permission denied");
});
