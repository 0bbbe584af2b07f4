// How a server starts: the first owner, who may read its files, and what it refuses to start on, in
// one line that names the reason.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { cli } from "../cli/world.ts";
import { temporaryFolder } from "../helpers/app.ts";
import {
  type Ended,
  logLines,
  type Program,
  platformctl,
  send,
  startProgram,
  startServer,
  until,
} from "../helpers/process/process.ts";

describe("the first owner", () => {
  // On a machine with much else to do, the full price of five passwords is dear.
  const timeout = 120_000;

  test("gets a password once, apart from the log, and has the files alone", {
    timeout,
  }, async () => {
    const first = await startServer({ firstStart: true });
    expect(modeOf(first.dataDir)).toBe(0o700);
    const files = readdirSync(first.dataDir);
    expect(files).toEqual(expect.arrayContaining(["platform.db", "audit.key", "session.key"]));
    const modes = files.map((name) => [name, modeOf(join(first.dataDir, name))]);
    expect(modes).toEqual(files.map((name) => [name, 0o600]));
    const welcome = /"admin" with this password:\s+(\S+)\s/.exec(first.stderr());
    const password = welcome?.[1] ?? "";
    expect(password).toMatch(/^[0-9A-Za-z]{20,}$/);
    expect(first.stderr().split(password)).toHaveLength(2);
    expect(JSON.stringify(logLines(first.stderr()))).not.toContain(password);
    // Guessing it from the file costs a third of a second each time.
    expect(hashesIn(first.file)).toEqual([expect.stringMatching(/^scrypt\$17\$8\$1\$/)]);
    expect(await signIn(first.url, "admin", password)).toMatchObject({
      status: 200,
      body: { data: { user: { username: "admin", role: "owner" } } },
    });
    expect(await signIn(first.url, "admin", `${password}!`)).toMatchObject({ status: 401 });
    const ended = await first.stop();
    expect(ended.stderr.split(password)).toHaveLength(2);

    const second = await startServer({ dataDir: first.dataDir });
    expect(second.stderr()).not.toContain("password");
    expect(await signIn(second.url, "admin", password)).toMatchObject({ status: 200 });
  });

  test("is the one of PLATFORM_ADMIN_USERNAME and PLATFORM_ADMIN_PASSWORD", async () => {
    const password = "correct horse battery";
    const env = { PLATFORM_ADMIN_USERNAME: "Ada", PLATFORM_ADMIN_PASSWORD: password };
    const server = await startServer({ env, firstStart: true });
    expect(await signIn(server.url, "Ada", password)).toMatchObject({
      status: 200,
      body: { data: { user: { username: "Ada", role: "owner" } } },
    });
    expect(await signIn(server.url, "admin", password)).toMatchObject({ status: 401 });
    const { stderr, stdout } = await server.stop();
    expect(stderr + stdout).not.toContain(password);
    expect(stderr).not.toContain("First start");
  });
});

describe("who does not wait until it says that it listens", () => {
  test("is answered once there is an owner, whose password can be set", async () => {
    const { program, port, file } = await startFirst();
    const words = ["ready", "--port", String(port), "--pid", String(program.pid)];
    expect(await startProgram("platform", words).ended).toMatchObject({ status: 0, stderr: "" });
    expect(hashesIn(file)).toHaveLength(1);
    expect(startsNoted(file)).toBe(1);
    const shown = /with this password:\s+(\S+)\s/.exec(program.stderr())?.[1] ?? "";
    const set = ["users", "set-password", "admin", "--db", file, "--password-stdin"];
    const { status } = await platformctl(set, { stdin: "seven blue teapots hum" });
    expect(status).toBe(0);
    const url = `http://127.0.0.1:${port}`;
    expect((await signIn(url, "admin", shown)).status).toBe(401);
    expect((await signIn(url, "admin", "seven blue teapots hum")).status).toBe(200);
  });

  test("may tell it to read its files again, and to stop", async () => {
    const { program, port, file } = await startFirst();
    await until("it listens", () => accepts(port));
    program.signal("SIGHUP");
    program.signal("SIGTERM");
    const { status, signal, stderr } = await program.ended;
    expect([status, signal]).toEqual([0, null]);
    expect(logLines(stderr).map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(["SIGHUP: nothing to reload", "listening", "stopping", "stopped"]),
    );
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(hashesIn(file)).toHaveLength(1);
  });
});

interface Refusal {
  name: string;
  /** Makes the reason, in a folder that is not there yet; answers flags, and files to leave as is. */
  arrange: (dataDir: string) => Promise<{ words?: string[]; untouched?: string }>;
  env?: Record<string, string>;
  /** Any but 0 when absent. */
  status?: number;
  says: RegExp;
}

const refusals: Refusal[] = [
  {
    name: "a database of a newer program",
    arrange: async (dataDir) => {
      const file = usedDatabase(dataDir);
      const db = new BetterSqlite3(file);
      db.exec("INSERT INTO schema_migrations VALUES (999, '0999-future.sql', 'x', 0)");
      db.close();
      return { untouched: file };
    },
    status: 6,
    says: /platform\.db: its schema .* is newer than this program/,
  },
  {
    name: "a file that is no database",
    arrange: async (dataDir) => ({ untouched: put(dataDir, "platform.db", "shopping list\n") }),
    status: 6,
    says: /platform\.db: it is not a SQLite database/,
  },
  {
    name: "a database of another program",
    arrange: async (dataDir) => {
      const file = put(dataDir, "platform.db", "");
      const db = new BetterSqlite3(file);
      db.exec("CREATE TABLE recipes (name TEXT)");
      db.close();
      return { untouched: file };
    },
    status: 6,
    says: /platform\.db: it belongs to another program/,
  },
  {
    name: "a database that was cut",
    arrange: async (dataDir) => {
      const file = usedDatabase(dataDir);
      truncateSync(file, Math.floor(statSync(file).size / 2));
      return { untouched: file };
    },
    status: 6,
    says: /platform\.db: it is truncated/,
  },
  {
    name: "a database without the key of its audit trail",
    arrange: async (dataDir) => {
      const file = usedDatabase(dataDir);
      unlinkSync(join(dataDir, "audit.key"));
      return { untouched: file };
    },
    status: 6,
    says: /audit\.key: it is missing: copy it from/,
  },
  {
    name: "a key file that holds no key",
    arrange: async (dataDir) => {
      usedDatabase(dataDir);
      return { untouched: put(dataDir, "audit.key", "not a key\n") };
    },
    status: 6,
    says: /audit\.key: it does not contain a key/,
  },
  {
    name: "a port that is taken",
    arrange: async () => ({ words: ["--port", String(await takenPort())] }),
    status: 6,
    says: /127\.0\.0\.1:\d+: another program already listens there/,
  },
  {
    name: "a port that is none",
    arrange: async () => ({}),
    env: { PORT: "99999" },
    status: 2,
    says: /PLATFORM_PORT: .* \(for example: 8080\)/,
  },
  {
    name: "an address that this host does not have",
    arrange: async () => ({ words: ["--host", "192.0.2.1", "--port", "0"] }),
    status: 6,
    says: /192\.0\.2\.1:0: this host does not have this address/,
  },
  {
    name: "a data folder that is a file",
    arrange: async (dataDir) => {
      writeFileSync(dataDir, "");
      return { untouched: dataDir };
    },
    says: /data\/platform\.db: .*\/data is no folder\./,
  },
];

describe("does not start on", () => {
  test.each(refusals)("$name", async ({ arrange, env, status, says }) => {
    const dataDir = join(temporaryFolder(), "data");
    const { words = [], untouched } = await arrange(dataDir);
    const before = untouched && readFileSync(untouched);
    expectRefusal(await start(dataDir, words, env), status, says);
    if (untouched) expect(readFileSync(untouched)).toEqual(before);
  });

  test.skipIf(process.getuid?.() === 0)("a folder that cannot be written", async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, "closed", "data");
    mkdirSync(join(folder, "closed"), { mode: 0o500 });
    expectRefusal(await start(dataDir), 6, /data\/platform\.db: .*EACCES/);
  });

  test("a taken port, without having made an owner", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const words = ["serve", "--data-dir", dataDir, "--port", String(await takenPort())];
    const refused = await startProgram("platform", words).ended;
    expectRefusal(refused, 6, /another program already listens there/);
    expect(refused.stderr).not.toContain("password");
    const server = await startServer({ dataDir, firstStart: true });
    expect(server.stderr()).toContain("It is shown only once.");
  });
});

function start(dataDir: string, words: string[] = [], env: Record<string, string> = {}) {
  return cli(["serve", "--data-dir", dataDir, ...words], { env, io: { program: "platform" } });
}

function expectRefusal(ended: Omit<Ended, "signal">, status: number | undefined, says: RegExp) {
  expect(ended.stderr).toMatch(/^platform: [^\n]+\n$/);
  expect(ended.stderr).toMatch(says);
  expect(ended.stdout).toBe("");
  if (status === undefined) expect(ended.status).toBeGreaterThan(0);
  else expect(ended.status).toBe(status);
}

/** A database that has been served from, closed, without its WAL. */
function usedDatabase(dataDir: string): string {
  cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  const file = join(dataDir, "platform.db");
  expect(existsSync(`${file}-wal`)).toBe(false);
  return file;
}

function put(dataDir: string, name: string, text: string): string {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, name);
  writeFileSync(file, text);
  return file;
}

/** On a port that is known before it listens. */
async function startFirst(): Promise<{ program: Program; port: number; file: string }> {
  const dataDir = join(temporaryFolder(), "data");
  const port = await freePort();
  const words = ["serve", "--data-dir", dataDir, "--port", String(port), "--log-format", "json"];
  return { program: startProgram("platform", words), port, file: join(dataDir, "platform.db") };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Nobody listens there for now. */
async function freePort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  return port;
}

/** A port of this host on which somebody listens until the test ends. */
async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

function signIn(url: string, username: string, password: string) {
  return send(url, "POST", "/api/admin/auth/login", { body: { username, password } });
}

function hashesIn(file: string): unknown[] {
  const db = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void db.close());
  return db.prepare("SELECT password_hash FROM users").pluck().all();
}

function startsNoted(file: string): unknown {
  const db = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void db.close());
  const sql = "SELECT count(*) FROM audit_events WHERE action = 'system.started'";
  return db.prepare(sql).pluck().get();
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
