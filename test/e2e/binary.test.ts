// Tests that the packaged file works in an empty folder, with an empty environment, without Node.js
// or a network, and with almost no writable folders.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { limits } from "../../scripts/package/measure.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { emptyCluster } from "../helpers/postgres-cluster.ts";
import { packagedFile, whyNotTested } from "../helpers/process/packaged.ts";
import { registerAgent, send, startCommand } from "../helpers/process/process.ts";
import type { SealedRoom } from "../helpers/process/sealed-room.ts";
import {
  type Env,
  openPackaged,
  type PackagedInRoom,
  said,
  stop,
  worksAsEverything,
} from "./packaged-in-room.ts";

const reason = whyNotTested();
const name = reason === null ? "the packaged file" : `the packaged file (${reason})`;

describe.skipIf(reason !== null)(name, () => {
  let inRoom: PackagedInRoom;
  let folder: string;
  let room: SealedRoom;
  let run: PackagedInRoom["run"];
  let ask: PackagedInRoom["ask"];

  beforeAll(async () => {
    inRoom = await openPackaged(packagedFile);
    ({ folder, room, run, ask } = inRoom);
  });

  afterAll(() => inRoom?.close());

  test("is complete, reports its version, and cannot reach a network", async () => {
    const sums = readFileSync(join(dirname(packagedFile), "SHA256SUMS"), "utf8");
    const sha256 = createHash("sha256").update(readFileSync(packagedFile)).digest("hex");
    expect(sums).toContain(`${sha256}  ${basename(packagedFile)}\n`);
    expect(statSync(packagedFile).size).toBeLessThanOrEqual(
      statSync(process.execPath).size + limits.ownBytes,
    );
    const { client } = await ask(["platformctl", "version"]);
    expect(client).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      commit: expect.stringMatching(/^[0-9a-f]{40}/),
      buildTime: expect.stringMatching(/Z$/),
      node: process.versions.node,
      sqlite: expect.stringMatching(/^3\./),
      packaged: true,
    });
    const licences = await run(["platform", "version", "--licenses"]);
    expect(licences.stdout).toMatch(
      /Apache License[\s\S]*commander \d[\s\S]*SQLite[\s\S]*Node\.js 24/,
    );
    const away = await run(["platformctl", "health", "--server", "http://192.0.2.1"]);
    expect(away.stderr).toMatch(/unreachable|cannot reach/i);
    expect(away.status).toBe(6);
  });

  test("contains the documentation", async () => {
    const listed = await ask(["platform", "docs"]);
    expect(listed.length).toBeGreaterThan(50);
    for (const { page, title } of listed) {
      const { stdout } = await run(["platform", "docs", page]);
      expect(stdout).toMatch(/^# /);
      expect(title).not.toBe("");
    }
    const explained = await run(["platformctl", "explain", "agent_offline"]);
    expect(explained).toMatchObject({ status: 0, stderr: "" });
  });

  test("contains the console, compressed", async () => {
    // The server runs outside the sealed room, which has no connection to this process.
    const words = ["serve", "--port", "0", "--data-dir", join(folder, "outside")];
    const env = { XDG_CACHE_HOME: join(folder, "cache") };
    const server = startCommand([packagedFile, ...words, "--log-format", "json"], { env });
    const url = String((await said(server, "listening")).url);
    const compressed = async (path: string) => {
      const answer = await fetch(url + path, { headers: { "accept-encoding": "br" } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-encoding")).toBe("br");
      return answer.text();
    };
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await compressed("/"))?.[1] ?? "";
    expect(await compressed(script)).not.toBe("");
    await stop(server);
  });

  test("works as a server, as the command line and as an agent, and is backed up and restored", () =>
    worksAsEverything(inRoom));

  // The server runs outside the sealed room, which has no connection to PostgreSQL.
  test.skipIf(!hasPostgres)("serves on PostgreSQL", async () => {
    const cluster = await emptyCluster();
    const shared = { XDG_CACHE_HOME: join(folder, "cache"), XDG_CONFIG_HOME: join(folder, "pg") };
    const owner = { username: "ada", password: "correct horse battery" };
    const names = { PLATFORM_ADMIN_USERNAME: owner.username };
    const env = { ...shared, ...cluster.env, ...names, PLATFORM_ADMIN_PASSWORD: owner.password };
    const words = ["serve", "--port", "0", "--data-dir", join(folder, "postgresql")];
    const server = startCommand([packagedFile, ...words, "--log-format", "json"], { env });
    const url = String((await said(server, "listening")).url);
    const ctl = (args: string[], stdin?: string) => {
      const command = [packagedFile, "--program=platformctl", ...args];
      return startCommand(command, { env: shared, ...(stdin ? { stdin } : {}) }).ended;
    };
    const login = ["login", "--server", url, "--username", owner.username, "--password-stdin"];
    expect(await ctl(login, owner.password)).toMatchObject({ status: 0 });
    const { stdout } = await ctl(["tokens", "create", "-o", "json"]);
    const agent = await registerAgent(url, JSON.parse(stdout).token, "edge", []);
    expect(await agent.call("POST", "/heartbeat", {})).toMatchObject({ status: 200 });
    expect((await ctl(["agents", "list", "-o", "name"])).stdout).toBe("edge\n");
    expect(await ctl(["audit", "verify"])).toMatchObject({ status: 0 });
    expect(await send(url, "GET", "/api/system/health")).toMatchObject({ status: 200 });
    await stop(server);
    const data = join(folder, "postgresql");
    const without = { XDG_CACHE_HOME: "/dev/null/cache", PLATFORM_DATA_DIR: data };
    const doctor = [packagedFile, "doctor", "--port", "0", "-o", "name"];
    const { status, stdout: checks } = await startCommand(doctor, {
      env: { ...env, ...without },
    }).ended;
    expect([status, checks]).toEqual([0, expect.stringContaining("packaged file\n")]);
    // Neither the server nor the doctor unpacks SQLite.
    expect(readdirSync(data)).toEqual([`${new URL(cluster.url).pathname.slice(1)}.audit-head`]);
  });

  test("many concurrent first starts unpack one file, and each of them works", async () => {
    const cache = join(folder, "many");
    mkdirSync(cache);
    const version = ["platformctl", "version"];
    const env = { XDG_CACHE_HOME: cache };
    const told = await Promise.all(Array.from({ length: 6 }, () => ask(version, env)));
    for (const { client } of told) expect(client.sqlite).toMatch(/^3\./);
    const native = join(cache, "platform/native");
    const [sha256 = "", ...others] = readdirSync(native);
    expect(others).toEqual([]);
    expect(readdirSync(join(native, sha256))).toEqual(["better_sqlite3.node"]);
    expect(statSync(join(native, sha256)).mode & 0o777).toBe(0o700);
  });

  /** `left` is what the program adds to the data folder. */
  const poor: { place: string; env: () => Env; left: string[] }[] = [
    { place: "a home that does not exist", env: () => ({ HOME: "/dev/null/home" }), left: [] },
    { place: "a home that cannot be written", env: () => ({ HOME: room.readOnly }), left: [] },
    {
      place: "code that can be run only from the data folder",
      env: () => ({ HOME: room.readOnly, TMPDIR: room.noExec, PLATFORM_DATA_DIR: "poor" }),
      left: ["native"],
    },
    {
      place: "code that can be run only from the database's folder, which no variable names",
      env: () => ({ HOME: room.noExec, TMPDIR: room.readOnly }),
      left: ["native"],
    },
  ];

  test.each(poor)("works with $place", async ({ env, left }) => {
    const data = join(folder, "work/poor");
    rmSync(data, { recursive: true, force: true });
    cpSync(inject("templateDataDir"), data, { recursive: true });
    const words = ["platformctl", "users", "list", "--db", "poor/platform.db", "-o", "name"];
    expect(await run(words, env())).toMatchObject({ status: 0, stdout: "admin\n", stderr: "" });
    const kept = readdirSync(data).filter((file) => !/^platform\.db|\.key$/.test(file));
    expect(kept).toEqual(left);
  });

  test("fails with advice if there is no folder to run code from", async () => {
    const env = { HOME: room.readOnly, TMPDIR: room.noExec };
    const words = ["platform", "serve", "--port", "0", "--data-dir", join(room.noExec, "data")];
    const { status, stderr } = await run(words, env);
    expect(stderr).toMatch(/SQLite cannot be unpacked .* Set XDG_CACHE_HOME or PLATFORM_DATA_DIR/);
    expect(status).not.toBe(0);
  });

  test("ignores the caller's settings for Node.js", async () => {
    const env = { NODE_OPTIONS: "--require /nonexistent.js", NODE_PATH: "/nonexistent" };
    expect(await run(["platformctl", "--version"], env)).toMatchObject({ status: 0, stderr: "" });
    // Node.js does not interpret the program's arguments.
    expect(await run(["platform", "-e", "1"])).toMatchObject({ status: 2 });
  });
});
