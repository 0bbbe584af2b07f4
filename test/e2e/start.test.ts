// Tests how a server starts: its first owner, the modes of its files, and the errors that prevent
// it.

import { cpSync, existsSync, readdirSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { defaultScryptCost } from "../../src/core/access/passwords.ts";
import { cli, failing } from "../cli/world.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { cheapScryptCost } from "../helpers/cheap-passwords.ts";
import { claimPort, serveTcp } from "../helpers/http/listen.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import {
  type Ended,
  logLines,
  send,
  startProgram,
  startServer,
} from "../helpers/process/process.ts";
import { rowsIn } from "../helpers/process/rows.ts";

test("the first owner sees the password once, outside the log, only the server's user can read the files, and no other server can use them", async () => {
  const env = { PLATFORM_VERSION: "1.2.3", PLATFORM_COMMIT: "abc", PLATFORM_BUILD_TIME: "now" };
  const first = await startServer({ firstStart: true, env });
  // No variable can make the server look like a release.
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
  // At this cost, each guess takes a third of a second. The bundle has another value for `log2N`.
  expect(defaultScryptCost).toEqual({ log2N: 17, r: 8, p: 1 });
  const hashes = hashesIn(first.file);
  expect(hashes).toEqual([expect.stringMatching(`^scrypt\\$${cheapScryptCost.log2N}\\$8\\$1\\$`)]);
  expect(await signIn(first.url, "admin", password)).toMatchObject({
    status: 200,
    body: { data: { user: { username: "admin", role: "owner" } } },
  });
  const inUse = new RegExp(`another server is using it \\(process ${first.pid} on `);
  expectRefusal(await start(first.dataDir, ["--port", "0"]), 6, inUse);
  expect(await cli(["agents", "list", "--db", first.file])).toMatchObject({ status: 0 });
  const ended = await first.stop();
  expect(ended.stderr.split(password)).toHaveLength(2);
});

test("the first owner and the place of the keys can be set, and the commands on the file find the keys there; a client that does not wait for the log gets a response as soon as there is an owner, and can send SIGHUP and SIGTERM immediately", async () => {
  const keys = temporaryFolder();
  const keyFiles = {
    AUDIT_KEY_FILE: join(keys, "audit.key"),
    SESSION_SECRET_FILE: join(keys, "session.key"),
  };
  const password = "correct horse battery";
  // Without a setting, the data is below the folder in which the server starts.
  const cwd = temporaryFolder();
  const dataDir = join(cwd, "data");
  const file = join(dataDir, "platform.db");
  const port = String(await claimPort());
  const start = ["serve", "--port", port, "--log-format", "json"];
  const server = startProgram("platform", start, {
    cwd,
    env: {
      PLATFORM_AUDIT_KEY_FILE: keyFiles.AUDIT_KEY_FILE,
      PLATFORM_SESSION_SECRET_FILE: keyFiles.SESSION_SECRET_FILE,
      PLATFORM_ADMIN_USERNAME: "Ada",
      PLATFORM_ADMIN_PASSWORD: password,
      PLATFORM_TRUSTED_PROXY: "true",
    },
  });
  const ready = ["ready", "--port", port, "--pid", String(server.pid)];
  const io = { program: "platform" } as const;
  const env = { DATA_DIR: dataDir, AUDIT_KEY_FILE: keyFiles.AUDIT_KEY_FILE };
  expect(await cli(ready, { io, env })).toMatchObject({ status: 0, stderr: "" });
  expect(rowsIn(file, "SELECT username FROM users")).toEqual([["Ada"]]);
  const starts = "SELECT count(*) FROM audit_events WHERE action = 'system.started'";
  expect(rowsIn(file, starts)).toEqual([[1]]);
  server.signal("SIGHUP");
  server.signal("SIGTERM");
  const { status, signal, stderr, stdout } = await server.ended;
  expect([status, signal]).toEqual([0, null]);
  expect(logLines(stderr).map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(["SIGHUP: nothing to reload", "listening", "stopping", "stopped"]),
  );
  expect(logLines(stderr).filter(({ level }) => level === "warn")).toMatchObject([
    { msg: "PLATFORM_TRUSTED_PROXY is not a setting; did you mean PLATFORM_TRUST_PROXY?" },
  ]);
  expect(stderr + stdout).not.toContain(password);
  expect(stderr).not.toContain("First start");
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(readdirSync(keys).sort()).toEqual(["audit.key", "session.key"]);
  expect(readdirSync(dataDir)).not.toContain("audit.key");

  const list = ["users", "list", "--db", file];
  const settings = { env: keyFiles };
  expect(await cli(list, settings)).toMatchObject({ status: 0 });
  expect(await cli(list)).toMatchObject(failing(6, "audit.key: it is missing"));
  const verify = ["audit", "verify", "--db", file];
  expect(await cli(verify, settings)).toMatchObject({ status: 0 });
  const again = await serveInProcess({ DATA_DIR: dataDir, ...keyFiles });
  // A later start creates no owner.
  expect(hashesIn(file)).toHaveLength(1);
  expect(await signIn(again.url, "Ada", password)).toMatchObject({
    status: 200,
    body: { data: { user: { username: "Ada", role: "owner" } } },
  });
});

// store/start.test.ts and store/engine/open.test.ts test the other files that are refused.
test("a server does not start without the key of its audit trail, a readable certificate, or its address and port, and then creates no owner", async () => {
  const used = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), used, { recursive: true });
  unlinkSync(join(used, "audit.key"));
  const before = readFileSync(join(used, "platform.db"));
  expectRefusal(await start(used), 6, /audit\.key: it is missing: copy it from/);
  expect(readFileSync(join(used, "platform.db"))).toEqual(before);

  const dataDir = join(temporaryFolder(), "data");
  const certificate = ["--tls-cert", "/nowhere/a.crt", "--tls-key", "/nowhere/a.key"];
  const unread = /--tls-cert: \/nowhere\/a\.crt cannot be read: it does not exist \(for/;
  expectRefusal(await start(dataDir, certificate), 2, unread);
  const elsewhere = await start(dataDir, ["--host", "192.0.2.1", "--port", "0"]);
  expectRefusal(elsewhere, 6, /192\.0\.2\.1:0: this host does not have this address/);
  const refused = await start(dataDir, ["--port", String(await serveTcp())]);
  expectRefusal(refused, 6, /127\.0\.0\.1:\d+: another program already listens there/);
  expect(refused.stderr).not.toContain("password");
  expect(hashesIn(join(dataDir, "platform.db"))).toEqual([]);
});

function start(dataDir: string, words: string[] = []) {
  return cli(["serve", "--data-dir", dataDir, ...words], { io: { program: "platform" } });
}

function expectRefusal(ended: Omit<Ended, "signal">, status: number, message: RegExp) {
  expect(ended.stderr).toMatch(/^platform: [^\n]+\n$/);
  expect(ended.stderr).toMatch(message);
  expect([ended.stdout, ended.status]).toEqual(["", status]);
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
