// Tests the real server on PostgreSQL: two servers that start at the same time.
// store/engine/postgresql/open.test.ts and cli/host/postgresql.test.ts test what prevents a start,
// and cluster/faults.test.ts how nodes work together.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasPostgres } from "../../helpers/postgres.ts";
import { type Cluster, emptyCluster, rowsIn } from "../../helpers/postgres-cluster.ts";
import { logLines, type Server, send, startServer, until } from "../../helpers/process/process.ts";

// Tests with several starts take a long time on a busy machine.

function start({ env }: Cluster): Promise<Server> {
  return startServer({ firstStart: true, env });
}

/** Signs in as the owner, and returns a function that makes calls. */
async function signIn(url: string, password: string) {
  const body = { username: "admin", password };
  const answer = await send(url, "POST", "/api/admin/auth/login", { body });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const headers = { cookie, "x-csrf-token": answer.body.data.csrfToken };
  return (method: string, path: string, body?: unknown) =>
    send(url, method, `/api/admin${path}`, { headers, body });
}

describe.skipIf(!hasPostgres)("platform serve on PostgreSQL", () => {
  test("two servers that start at once on an empty database serve with one first owner", async () => {
    const cluster = await emptyCluster();
    const servers = await Promise.all([start(cluster), start(cluster)]);
    const [here, there] = servers as [Server, Server];
    expect(here.file).toMatch(/^postgres:\/\/platform@127\.0\.0\.1:\d+\/test_/);
    const shown = await until("one server has shown the owner's password", () => {
      const found = servers.flatMap(({ stderr }) =>
        Array.from(stderr().matchAll(/"admin" with this password:\s+(\S+)\s/g), ([, word]) => word),
      );
      return found.length > 0 && found;
    });
    expect(shown).toHaveLength(1);
    const [password = ""] = shown;
    const admin = await signIn(here.url, password);
    expect(await rowsIn(cluster.url, "SELECT username, role FROM users")).toEqual([
      ["admin", "owner"],
    ]);
    const metadataOf = async (action: string) => {
      const sql = `SELECT metadata FROM audit_events WHERE action = '${action}'`;
      return (await rowsIn(cluster.url, sql)).map(([text]) => JSON.parse(String(text)));
    };
    expect(await metadataOf("system.started")).toHaveLength(2);
    // Each server may apply some of the migrations.
    const applied = (await metadataOf("system.migrated")).flatMap(({ migrations }) => migrations);
    const known = readdirSync(join(import.meta.dirname, "../../../migrations/postgresql"));
    expect(applied.sort()).toEqual(known.sort());
    const health = await send(here.url, "GET", "/api/system/health");
    const diagnostics = await admin("GET", "/diagnostics");
    expect(diagnostics.body.data.database).toMatchObject({ engine: "postgresql" });
    const backup = await admin("POST", "/backup", {});
    expect(backup).toMatchObject({ status: 501, body: { error: { code: "NOT_SUPPORTED" } } });
    expect(backup.body.error.message).toContain(
      `pg_dump --format=custom --file=platform.dump --dbname='${here.file}'`,
    );
    expect((await there.stop()).status).toBe(0);
    const ended = await here.stop();
    expect(ended.status).toBe(0);
    expect(ended.stderr.match(/"level":50/g)).toBeNull();
    expect(logLines(ended.stderr).map(({ msg }) => msg)).toContain("stopped");
    const copy = readFileSync(
      join(here.dataDir, `${new URL(cluster.url).pathname.slice(1)}.audit-head`),
      "utf8",
    );
    const [[newest]] = (await rowsIn(cluster.url, "SELECT MAX(seq) FROM audit_events")) as [
      [string],
    ];
    expect(JSON.parse(copy).seq).toBe(Number(newest));
    expect(existsSync(join(here.dataDir, "platform.db"))).toBe(false);
    const said = [ended, health.body, diagnostics.body, backup.body];
    expect(JSON.stringify(said)).not.toContain(cluster.password);
  });
});
