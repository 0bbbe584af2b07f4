// Tests how a server starts: its first owner, the modes of its files, and the errors that prevent it.

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { readEnv } from "../../src/config/env.ts";
import { cli, failing } from "../cli/world.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { claimPort, serveTcp } from "../helpers/http/listen.ts";
import {
  type Ended,
  logLines,
  type Program,
  send,
  startProgram,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { rowsIn } from "../helpers/process/rows.ts";

test("the first owner sees the password once, outside the log, only the server's user can read the files, and no other server can use them", async () => {
  // The bundled program that tests usually start has cheap hashes.
  const from = join(import.meta.dirname, "../../bin");
  const env = { PLATFORM_VERSION: "1.2.3", PLATFORM_COMMIT: "abc", PLATFORM_BUILD_TIME: "now" };
  const first = await startServer({ firstStart: true, from, env });
  // From source, no variable can make the server look like a release.
  const version = { version: expect.stringMatching(/^\d+\.\d+\.\d+-dev$/), edition: "ce" };
  const told = await (await fetch(`${first.url}/api/system/version`)).json();
  expect(told).toEqual({ success: true, data: version });
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
  // At this cost, each guess takes a third of a second.
  const hashes = hashesIn(first.file);
  expect(hashes).toEqual([expect.stringMatching(/^scrypt\$17\$8\$1\$/)]);
  expect(await signIn(first.url, "admin", password)).toMatchObject({
    status: 200,
    body: { data: { user: { username: "admin", role: "owner" } } },
  });
  const ended = await first.stop();
  expect(ended.stderr.split(password)).toHaveLength(2);

  const second = await startServer({ dataDir: first.dataDir });
  expect(second.stderr()).not.toContain("password");
  expect(hashesIn(second.file)).toEqual(hashes);

  const inUse = new RegExp(`another server is using it \\(process ${second.pid} on `);
  expectRefusal(await start(first.dataDir, ["--port", "0"]), 6, inUse);
  expect(await cli(["agents", "list", "--db", second.file])).toMatchObject({ status: 0 });
});

test("the first owner and the place of the keys can be set, and the commands on the file find the keys there; a mistyped variable is a warning, and HTTPS gets a hint", async () => {
  const keys = temporaryFolder();
  const env = {
    PLATFORM_AUDIT_KEY_FILE: join(keys, "audit.key"),
    PLATFORM_SESSION_SECRET_FILE: join(keys, "session.key"),
  };
  const password = "correct horse battery";
  const server = await startServer({
    firstStart: true,
    env: {
      ...env,
      PLATFORM_ADMIN_USERNAME: "Ada",
      PLATFORM_ADMIN_PASSWORD: password,
      PLATFORM_TRUSTED_PROXY: "true",
    },
  });
  const warnings = logLines(server.stderr()).filter((line) => line.level === "warn");
  expect(warnings).toMatchObject([
    { msg: "PLATFORM_TRUSTED_PROXY is not a setting; did you mean PLATFORM_TRUST_PROXY?" },
  ]);
  expect(await cli(["health", "--server", server.url.replace("http:", "https:")])).toMatchObject(
    failing(6, "the server does not use HTTPS; try http://"),
  );
  expect(await signIn(server.url, "Ada", password)).toMatchObject({
    status: 200,
    body: { data: { user: { username: "Ada", role: "owner" } } },
  });
  expect(rowsIn(server.file, "SELECT username FROM users")).toEqual([["Ada"]]);
  expect(readdirSync(keys).sort()).toEqual(["audit.key", "session.key"]);
  expect(readdirSync(server.dataDir)).not.toContain("audit.key");
  const { stderr, stdout } = await server.stop();
  expect(stderr + stdout).not.toContain(password);
  expect(stderr).not.toContain("First start");

  const list = ["users", "list", "--db", server.file];
  const settings = { env: readEnv(env) };
  expect(await cli(list, settings)).toMatchObject({ status: 0 });
  expect(await cli(list)).toMatchObject(failing(6, "audit.key: it is missing"));
  const verify = ["audit", "verify", "--db", server.file];
  expect(await cli(verify, settings)).toMatchObject({ status: 0 });
});

describe("a client that does not wait for the log", () => {
  test("gets a response as soon as there is an owner, whose password can be set", async () => {
    const { program, port, file } = await startFirst();
    const words = ["ready", "--port", String(port), "--pid", String(program.pid)];
    const ready = await cli(words, { io: { program: "platform" } });
    expect(ready).toMatchObject({ status: 0, stderr: "" });
    expect(hashesIn(file)).toHaveLength(1);
    const starts = "SELECT count(*) FROM audit_events WHERE action = 'system.started'";
    expect(rowsIn(file, starts)).toEqual([[1]]);
    const shown = /with this password:\s+(\S+)\s/.exec(program.stderr())?.[1] ?? "";
    const set = ["users", "set-password", "admin", "--db", file, "--password-stdin"];
    const { status } = await cli(set, { stdin: "seven blue teapots hum" });
    expect(status).toBe(0);
    const url = `http://127.0.0.1:${port}`;
    expect((await signIn(url, "admin", shown)).status).toBe(401);
    expect((await signIn(url, "admin", "seven blue teapots hum")).status).toBe(200);
  });

  test("can send SIGHUP and SIGTERM immediately", async () => {
    const { program, port, file } = await startFirst();
    await until("the server listens", () => accepts(port));
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

interface Arranged {
  words?: string[];
  env?: Record<string, string>;
  /** A file that must not change. */
  untouched?: string;
}

type Refusal = [
  name: string,
  status: number,
  message: RegExp,
  arrange: (dataDir: string) => Arranged | Promise<Arranged>,
];

// test/store/engine/open.test.ts tests the other databases that are refused.
const refusals: Refusal[] = [
  [
    "a file that is not a database",
    6,
    /platform\.db: it is not a SQLite database/,
    (dataDir) => ({ untouched: put(dataDir, "platform.db", "shopping list\n") }),
  ],
  [
    "a database without the key of its audit trail",
    6,
    /audit\.key: it is missing: copy it from/,
    (dataDir) => {
      cpSync(inject("templateDataDir"), dataDir, { recursive: true });
      unlinkSync(join(dataDir, "audit.key"));
      return { untouched: join(dataDir, "platform.db") };
    },
  ],
  [
    "a key file that contains no key",
    6,
    /audit\.key: it does not contain a key/,
    (dataDir) => {
      cpSync(inject("templateDataDir"), dataDir, { recursive: true });
      return { untouched: put(dataDir, "audit.key", "not a key\n") };
    },
  ],
  [
    "an invalid port",
    2,
    /PLATFORM_PORT: .* \(for example: 8080\)/,
    () => ({ env: { PORT: "99999" } }),
  ],
  [
    "a database that was emptied",
    6,
    /platform\.db: it is empty \(0 bytes\), but/,
    (dataDir) => {
      cpSync(inject("templateDataDir"), dataDir, { recursive: true });
      return { untouched: put(dataDir, "platform.db", "") };
    },
  ],
  [
    "a certificate that cannot be read",
    2,
    /--tls-cert: \/nowhere\/a\.crt cannot be read: it does not exist \(for/,
    () => ({ words: ["--tls-cert", "/nowhere/a.crt", "--tls-key", "/nowhere/a.key"] }),
  ],
  [
    "an address that this host does not have",
    6,
    /192\.0\.2\.1:0: this host does not have this address/,
    () => ({ words: ["--host", "192.0.2.1", "--port", "0"] }),
  ],
  [
    "a data folder that is a file",
    6,
    /data\/platform\.db: .*\/data is not a folder\./,
    (dataDir) => {
      writeFileSync(dataDir, "");
      return { untouched: dataDir };
    },
  ],
];

describe("a server does not start with", () => {
  test.each(refusals)("%s", async (_, status, message, arrange) => {
    const dataDir = join(temporaryFolder(), "data");
    const { words = [], env, untouched } = await arrange(dataDir);
    const before = untouched && readFileSync(untouched);
    expectRefusal(await start(dataDir, words, env), status, message);
    if (untouched) expect(readFileSync(untouched)).toEqual(before);
  });

  test.skipIf(process.getuid?.() === 0)("a folder that cannot be written", async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, "closed", "data");
    mkdirSync(join(folder, "closed"), { mode: 0o500 });
    expectRefusal(
      await start(dataDir),
      6,
      /data\/platform\.db: permission denied; run this as its owner\.$/m,
    );
  });

  test("the key of another audit trail, with which commands cannot use the database either", async () => {
    const dataDir = join(temporaryFolder(), "data");
    cpSync(inject("templateDataDir"), dataDir, { recursive: true });
    put(dataDir, "audit.key", `${Buffer.alloc(32, 7).toString("base64")}\n`);
    const refused = failing(6, "it is not the key of the audit trail");
    expect(await start(dataDir)).toMatchObject(refused);
    const words = ["users", "list", "--db", join(dataDir, "platform.db")];
    expect(await cli(words)).toMatchObject(refused);
  });

  test("a folder that others can write to", async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o777);
    // Root does not open the folder at all, because others could put links there.
    const [status, message] =
      process.geteuid?.() === 0
        ? ([4, /other users may write to /] as const)
        : ([6, /every user of this host can write to it \(mode 777\)/] as const);
    expectRefusal(await start(dataDir), status, message);
  });

  test("a port that is in use, and creates no owner", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const refused = await start(dataDir, ["--port", String(await serveTcp())]);
    expectRefusal(refused, 6, /127\.0\.0\.1:\d+: another program already listens there/);
    expect(refused.stderr).not.toContain("password");
    expect(hashesIn(join(dataDir, "platform.db"))).toEqual([]);
  });
});

function start(dataDir: string, words: string[] = [], env: Record<string, string> = {}) {
  return cli(["serve", "--data-dir", dataDir, ...words], { env, io: { program: "platform" } });
}

function expectRefusal(ended: Omit<Ended, "signal">, status: number, message: RegExp) {
  expect(ended.stderr).toMatch(/^platform: [^\n]+\n$/);
  expect(ended.stderr).toMatch(message);
  expect([ended.stdout, ended.status]).toEqual(["", status]);
}

function put(dataDir: string, name: string, text: string): string {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, name);
  writeFileSync(file, text);
  return file;
}

/** Starts a new server on a port that is known before it listens. */
async function startFirst(): Promise<{ program: Program; port: number; file: string }> {
  const dataDir = join(temporaryFolder(), "data");
  const port = await claimPort();
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

function signIn(url: string, username: string, password: string) {
  return send(url, "POST", "/api/admin/auth/login", { body: { username, password } });
}

function hashesIn(file: string): unknown[] {
  return rowsIn(file, "SELECT password_hash FROM users").flat();
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
