// Tests the program `platform db move`: a service moves to PostgreSQL and back and continues to
// work, and an interrupted move leaves the source unchanged.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { readEnv } from "../../../src/config/env.ts";
import { cli } from "../../cli/world.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { emptyCluster, rowsIn } from "../../helpers/postgres-cluster.ts";
import {
  callAs,
  registerAgent,
  send,
  startProgram,
  startServer,
  until,
} from "../../helpers/process/process.ts";

const timeout = 120_000;
const owner = { username: "ada", password: "correct horse battery" };
const service = { code: "backup", name: "Backup", version: "1", actions: [{ name: "go" }] };

function move(from: string, to: string, env: Record<string, string> = {}) {
  return startProgram("platform", ["db", "move", "--from", from, "--to", to], { env });
}

/**
 * Takes a lock and keeps it until `release`. `isWaitedFor` waits until another connection waits for
 * the lock.
 */
async function blocking(url: string, lock: string) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("BEGIN");
  await client.query(lock);
  const release = () => client.end();
  atEnd(release);
  return {
    release,
    isWaitedFor: () =>
      until("the move waits for the lock", async () => {
        const waiting = await rowsIn(
          url,
          `SELECT 1 FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return waiting.length > 0;
      }),
  };
}

describe.skipIf(!hasPostgres)("platform db move", () => {
  // store/move/move.test.ts interrupts the move at several moments.
  test("takes a service to PostgreSQL and back, also after a try that is killed; people and agents notice nothing", {
    timeout,
  }, async () => {
    const { url, password } = await emptyCluster();
    const first = await startServer({
      firstStart: true,
      env: {
        PLATFORM_ADMIN_USERNAME: owner.username,
        PLATFORM_ADMIN_PASSWORD: owner.password,
      },
    });
    const login = await send(first.url, "POST", "/api/admin/auth/login", { body: owner });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { cookie, "x-csrf-token": login.body.data.csrfToken };
    const admin = (at: string, method: string, path: string, body?: unknown) =>
      send(at, method, `/api/admin${path}`, { headers, body });
    const { token } = (await admin(first.url, "POST", "/registration-tokens", {})).body.data;
    const agent = await registerAgent(first.url, token, "edge-1", [service]);

    const platform = (words: string[], settings: Record<string, string> = {}) =>
      cli(words, { env: readEnv(settings), io: { program: "platform" } });
    const early = await platform(["db", "move", "--from", first.file, "--to", url]);
    expect([early.status, early.stdout]).toEqual([5, ""]);
    expect(early.stderr).toContain(`${first.file} is in use: stop its server`);
    await first.stop();
    const writeLock = await blocking(url, "SELECT pg_advisory_xact_lock(8100956982295360109)");
    const endedThere = move(first.file, url);
    await writeLock.isWaitedFor();
    await endedThere.kill();
    await writeLock.release();
    const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
    expect(await rowsIn(url, tables)).toEqual([]);
    const there = await move(first.file, url).ended;
    expect(there.status).toBe(0);

    const env = {
      PLATFORM_DATABASE_URL: url,
      PLATFORM_AUDIT_KEY_FILE: join(first.dataDir, "audit.key"),
      PLATFORM_SESSION_SECRET_FILE: join(first.dataDir, "session.key"),
    };
    const check = async (at: string) => {
      const beat = await callAs(at, agent.agentToken)("POST", "/heartbeat", {});
      expect(beat.status).toBe(200);
      const verified = await admin(at, "GET", "/audit-events/verify");
      expect(verified.body.data).toMatchObject({ ok: true });
    };
    const second = await startServer({ firstStart: true, env });
    await check(second.url);
    const target = join(temporaryFolder(), "data", "platform.db");
    const busy = await platform(["db", "move", "--from", url, "--to", target], env);
    expect([busy.status, busy.stdout]).toEqual([5, ""]);
    expect(busy.stderr).toContain(`servers use it (${second.url} on `);
    await second.stop();
    const table = await blocking(url, "LOCK TABLE users");
    const endedBack = move(url, target, env);
    await table.isWaitedFor();
    await endedBack.kill();
    await table.release();
    expect(existsSync(target)).toBe(false);
    const back = await move(url, target, env).ended;
    expect(back.status).toBe(0);
    expect(readdirSync(join(target, "..")).sort()).toEqual([
      ...["audit.key", "platform.db", "platform.db.lock", "session.key"],
    ]);

    const third = await startServer({ dataDir: join(target, "..") });
    await check(third.url);
    const moves = await admin(third.url, "GET", "/audit-events?action=database.moved");
    expect(moves.body.data).toMatchObject([
      { metadata: { to: target } },
      { metadata: { from: first.file } },
    ]);
    await third.stop();
    const refused = await platform(["serve", "--data-dir", first.dataDir]);
    expect([refused.status, refused.stdout]).toEqual([6, ""]);
    expect(refused.stderr).toContain("its data was moved to postgres://");
    expect(JSON.stringify([early, there, busy, back, refused])).not.toContain(password);
  });
});
