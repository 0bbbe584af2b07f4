// A service moves to PostgreSQL and back with `platform db move`, and continues to work.
// store/move/move.test.ts tests moves that are refused, interrupted and killed.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli } from "../../cli/world.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveInProcess } from "../../helpers/in-process-server.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { emptyCluster } from "../../helpers/postgres-cluster.ts";
import { callAs, registerAgent, send, startServer } from "../../helpers/process/process.ts";
import { templateOwner } from "../../helpers/template-owner.ts";

const service = { code: "backup", name: "Backup", version: "1", actions: [{ name: "go" }] };

function move(from: string, to: string, env: Record<string, string>) {
  return cli(["db", "move", "--from", from, "--to", to], { env, io: { program: "platform" } });
}

describe.skipIf(!hasPostgres)("platform db move", () => {
  test("takes a service to PostgreSQL and back, and people and agents notice nothing", async () => {
    const { url, password } = await emptyCluster();
    const first = await startServer();
    const { username, password: ownPassword } = templateOwner;
    const body = { username, password: ownPassword };
    const login = await send(first.url, "POST", "/api/admin/auth/login", { body });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { cookie, "x-csrf-token": login.body.data.csrfToken };
    const admin = (at: string, method: string, path: string, body?: unknown) =>
      send(at, method, `/api/admin${path}`, { headers, body });
    const { token } = (await admin(first.url, "POST", "/registration-tokens", {})).body.data;
    const agent = await registerAgent(first.url, token, "edge-1", [service]);

    await first.stop();
    const there = await move(first.file, url, { DATA_DIR: first.dataDir });
    expect(there.status).toBe(0);

    const keys = {
      AUDIT_KEY_FILE: join(first.dataDir, "audit.key"),
      SESSION_SECRET_FILE: join(first.dataDir, "session.key"),
    };
    const check = async (at: string) => {
      const beat = await callAs(at, agent.agentToken)("POST", "/heartbeat", {});
      expect(beat.status).toBe(200);
      const verified = await admin(at, "GET", "/audit-events/verify");
      expect(verified.body.data).toMatchObject({ ok: true });
    };
    const second = await startServer({
      firstStart: true,
      env: {
        PLATFORM_DATABASE_URL: url,
        PLATFORM_AUDIT_KEY_FILE: keys.AUDIT_KEY_FILE,
        PLATFORM_SESSION_SECRET_FILE: keys.SESSION_SECRET_FILE,
      },
    });
    await check(second.url);
    const target = join(temporaryFolder(), "data", "platform.db");
    await second.stop();
    const back = await move(url, target, { DATA_DIR: second.dataDir, ...keys });
    expect(back.status).toBe(0);
    expect(readdirSync(join(target, "..")).sort()).toEqual([
      ...["audit.key", "platform.db", "platform.db.lock", "session.key"],
    ]);

    const third = await serveInProcess({ DATA_DIR: join(target, "..") });
    await check(third.url);
    const moves = await admin(third.url, "GET", "/audit-events?action=database.moved");
    expect(moves.body.data).toMatchObject([
      { metadata: { to: target } },
      { metadata: { from: first.file } },
    ]);
    expect(JSON.stringify([there, back])).not.toContain(password);
  });
});
