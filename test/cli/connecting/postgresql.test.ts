// Commands that use a PostgreSQL database directly, with --db or PLATFORM_DB. No output contains
// the password.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { emptyCluster, rowsIn, writeKey } from "../../helpers/postgres-cluster.ts";
import { cli, failing } from "../world.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A migrated database without a server. No output of the commands contains its password. */
async function openHost() {
  const { url, env, password } = await emptyCluster();
  const { PLATFORM_AUDIT_KEY_FILE: audit = "", PLATFORM_SESSION_SECRET_FILE: session = "" } = env;
  const keys = { AUDIT_KEY_FILE: audit, SESSION_SECRET_FILE: session };
  const DATA_DIR = join(temporaryFolder(), "data");
  const { username, host, pathname } = new URL(url);
  const run = async (words: string[], more: Record<string, string> = {}, io = {}) => {
    const ran = await cli(words, { env: { ...keys, DATA_DIR, ...more }, io });
    expect(JSON.stringify(ran)).not.toContain(password);
    return ran;
  };
  const migrated = await run(["migrate", "--db", url], {}, { program: "platform" });
  expect(migrated).toMatchObject({ status: 0 });
  const bare = `postgres://${username}@${host}${pathname}`;
  return { url, bare, keys, password, user: username, run };
}

describe.skipIf(!hasPostgres)("on a PostgreSQL database", () => {
  const host = perFile(openHost);

  test("commands need no server, and the trail names the user of the database", async () => {
    const { url, bare, user, run } = host();
    const token = await run(["tokens", "create", "--name", "ward", "-o", "json"], { DB: url });
    expect(token).toMatchObject({ status: 0 });
    const list = await run(["tokens", "list", "--db", url, "-o", "json", "--debug"]);
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: "ward" }]);
    expect(list.stderr).toContain("/api/");
    const rows = await rowsIn(
      url,
      "SELECT actor_type, actor_name FROM audit_events WHERE action LIKE 'registration_token.%'",
    );
    expect(rows).toEqual([["LOCAL", user]]);
    const verified = await run(["audit", "verify", "--db", url, "-o", "json"]);
    expect(verified).toMatchObject({ status: 0 });
    const me = JSON.parse((await run(["whoami", "--db", url, "-o", "json"])).stdout);
    expect(me).toMatchObject({ by: "postgresql", server: null, db: bare, context: null });
  });

  test("PGPASSFILE supplies the password", async () => {
    const { bare, password, run } = host();
    vi.stubEnv("PGPASSWORD", undefined);
    const file = join(temporaryFolder(), "pgpass");
    writeFileSync(file, `*:*:*:*:${decodeURIComponent(password)}\n`, { mode: 0o600 });
    vi.stubEnv("PGPASSFILE", file);
    const warned = vi.spyOn(process, "emitWarning");
    expect(await run(["agents", "list", "--db", bare])).toMatchObject({ status: 0 });
    expect(warned).not.toHaveBeenCalled();
    writeFileSync(file, "*:*:*:*:wrong\n", { mode: 0o600 });
    const refused = await run(["agents", "list", "--db", bare]);
    expect(refused).toMatchObject(failing(6, `Cannot use the database ${bare}`));
  });

  test("the keys of the database are required", async () => {
    const { url, keys, run } = host();
    const missing = await run(["agents", "list", "--db", url], { AUDIT_KEY_FILE: "/no/audit.key" });
    expect(missing.status).toBe(6);
    expect(missing.stderr).toContain("/no/audit.key");
    const wrong = { ...keys, AUDIT_KEY_FILE: writeKey(temporaryFolder(), "audit.key") };
    const refused = await run(["agents", "list", "--db", url], wrong);
    expect(refused.stderr).toContain("it is not the key of the audit trail");
  });
});

// The following tests need no database.
const url = "postgres://ada:hunter2@127.0.0.1:1/fleet?connect_timeout=1";

test("without the key files, the error names both settings", async () => {
  const names = "PLATFORM_AUDIT_KEY_FILE and PLATFORM_SESSION_SECRET_FILE";
  const ran = await cli(["agents", "list", "--db", url]);
  expect(ran).toMatchObject(failing(2, names));
  expect(ran.stderr).not.toContain("hunter2");
});

test.each(["agents list", "whoami", "version"])(
  "a URL that cannot be used is not quoted: %s",
  async (line) => {
    const words = line.split(" ");
    const ran = await cli([...words, "--db", "postgres://ada:hun/ter2@h/fleet"]);
    expect(ran).toMatchObject(failing(2, "--db "));
    expect(ran.stderr).not.toMatch(/hun|ter2/);
    const variable = await cli(words, { env: { DB: "postgres://ada:hun/ter2@h" } });
    expect(variable.stderr).toContain("PLATFORM_DB ");
    expect(variable.stderr).not.toMatch(/hun|ter2/);
  },
);
