// The commands of a host whose server uses PostgreSQL. No output contains the URL's password.

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { postgresChecks, surveyOf } from "../../../src/cli/commands/host/doctor/postgresql.ts";
import type { Subject } from "../../../src/cli/commands/host/doctor/subject.ts";
import { inChild } from "../../../src/cli/files/child-processes.ts";
import { loadConfig } from "../../../src/config/config.ts";
import { type PostgresPlace, placeOf } from "../../../src/domain/storage/place.ts";
import { loadMigrations } from "../../../src/store/engine/migrations.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { type Cluster, emptyCluster, rowsIn, writeKey } from "../../helpers/postgres-cluster.ts";
import { cli, failing } from "../world.ts";

async function openHost() {
  const cluster = await emptyCluster();
  const env = { ...inShort(cluster), DATA_DIR: join(temporaryFolder(), "data") };
  const run = async (words: string[], more: Record<string, string> = {}) => {
    const ran = await cli(words, { env: { ...env, ...more }, io: { program: "platform" } });
    expect(JSON.stringify(ran)).not.toContain(cluster.password);
    return ran;
  };
  return { ...cluster, env, run, name: nameOf(cluster) };
}

/** Returns the variables with the short names that `io.env` uses. */
function inShort({ env }: Cluster): Record<string, string> {
  const named = Object.entries(env).map(([name, value]) => [name.slice("PLATFORM_".length), value]);
  return Object.fromEntries(named);
}

function nameOf({ url }: Cluster): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username}@${host}${pathname}`;
}

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  test("`migrate` creates the schema, records it in the audit trail, shows its state, and refuses a newer one", async () => {
    const host = await openHost();
    const states = async () => {
      const { status, stdout, stderr } = await host.run(["migrate", "--status", "-o", "json"]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return JSON.parse(stdout).map(({ name, state }: Record<string, string>) => [name, state]);
    };
    const names = loadMigrations("postgresql").map(({ name }) => name);
    expect(await states()).toEqual(names.map((name) => [name, "PENDING"]));
    const migrated = await host.run(["migrate"]);
    expect(migrated).toMatchObject({ status: 0, stderr: "" });
    expect(migrated.stdout).toMatch(/^6 +0006-init\.sql +APPLIED/m);
    expect(await states()).toEqual(names.map((name) => [name, "APPLIED"]));
    expect((await host.run(["migrate"])).stderr).toContain("The schema was already up to date.");
    const rows = await rowsIn(host.url, "SELECT action, metadata FROM audit_events");
    expect(rows).toEqual([["system.migrated", expect.stringContaining("0006-init.sql")]]);

    // A newer schema is refused, unless it still allows this program.
    await rowsIn(
      host.url,
      "INSERT INTO schema_migrations VALUES (9999, '9999-later.sql', 'x', 0, NULL)",
    );
    expect((await states()).at(-1)).toEqual(["9999-later.sql", "UNKNOWN"]);
    expect((await host.run(["migrate"])).stderr).toContain("The schema was already up to date.");
    const { stdout } = await host.run(["doctor"], { PORT: "0" });
    expect(stdout).toMatch(
      /^OK +schema +version 9999 is newer than this program, which may still/m,
    );
    await rowsIn(host.url, "UPDATE schema_migrations SET minimum_version = 9999");
    const migrate = await host.run(["migrate"]);
    expect(migrate).toMatchObject(
      failing(
        1,
        `${host.name}: version 9999 is newer than this program, which does not know 9999-later.sql.`,
      ),
    );
    const serve = await host.run(["serve", "--port", "0"]);
    expect(serve).toMatchObject(
      failing(6, /its schema \(version 9999\) is newer than this program/),
    );
  });

  test("`doctor` checks the database, and skips what only a file has", async () => {
    const host = await openHost();
    const diagnose = async (words: string[] = [], more: Record<string, string> = {}) => {
      const all = ["doctor", ...words, "-o", "json"];
      const { stdout, status } = await host.run(all, { PORT: "0", ...more });
      const findings: { check: string; state: string; found: string }[] = JSON.parse(stdout);
      const of = (name: string) => {
        const { state, found } = findings.find(({ check }) => check === name) ?? {};
        return `${state}: ${found}`;
      };
      return { status, of };
    };
    const before = await diagnose();
    expect(before.of("credentials")).toMatch(/^SKIPPED: the database does not have this program's/);
    expect(before.of("schema")).toMatch(/^WARNING: version 0, pending migrations: \d/);
    await host.run(["migrate"]);
    const sound = await diagnose(["--db", host.url]);
    expect(sound.status).toBe(0);
    expect(sound.of("database")).toMatch(/^OK: PostgreSQL \d+.*; agents: 0, users: 0, last event/);
    expect(sound.of("schema")).toMatch(/^OK: version \d+, up to date$/);
    expect(sound.of("durability")).toMatch(/^WARNING: fsync is off/);
    expect(sound.of("access")).toBe("OK: only roles with the CONNECT privilege may connect");
    const name = new URL(host.url).pathname.slice(1);
    await rowsIn(host.url, `GRANT CONNECT ON DATABASE ${name} TO PUBLIC`);
    expect((await diagnose()).of("access")).toMatch(/^WARNING: every role of the database server/);
    expect(sound.of("keys")).toMatch(/^OK: the audit key matches/);
    expect(sound.of("audit trail")).toBe("OK: unbroken in the newest 1 rows");
    expect(sound.of("credentials")).toBe("OK: users, API keys and agents match the audit trail");
    expect(sound.of("database clock")).toMatch(/^OK: /);
    expect(sound.of("disk space")).toMatch(/^SKIPPED: only for an SQLite file/);
    expect(sound.of("permissions")).toBe("OK: others cannot open the keys");
    expect((await diagnose(["--deep"])).of("audit trail")).toBe("OK: unbroken, 1 rows");
    expect(sound.of("server")).toMatch(/^OK: no server is running; .* is free$/);
    // In containers, all nodes listen at the same URL.
    const addNode = (id: string, secondsAgo: number) =>
      rowsIn(
        host.url,
        `INSERT INTO nodes (id, host, url, version, started_at, seen_at, held_polls)
         SELECT '${id}', 'ward-3', 'http://0.0.0.0:8080', '1', 1, EXTRACT(EPOCH FROM clock_timestamp()) * 1000 - ${secondsAgo}000, 0`,
      );
    await addNode("nod_older", 600);
    await addNode("nod_last", 60);
    expect((await diagnose()).of("server")).toMatch(
      /^WARNING: no server is running; node nod_last on ward-3 ended without a shutdown at about 2/,
    );
    // One running node is enough. The killed nodes are not a problem of this host.
    await addNode("nod_running", -60);
    expect((await diagnose()).of("server")).toMatch(
      /^OK: servers of this database run elsewhere; /,
    );
    const wrong = await diagnose([], { AUDIT_KEY_FILE: writeKey(temporaryFolder(), "audit.key") });
    expect(wrong.of("keys")).toMatch(
      /^FAILURE: Cannot use the key file .* not the key of the audit trail/,
    );
    await host.run(["tokens", "create", "--name", "ward", "--db", host.url]);
    const change = "UPDATE audit_events SET message = 'changed' WHERE seq = 2";
    await rowsIn(host.url, `ALTER TABLE audit_events DISABLE TRIGGER USER; ${change}`);
    for (const words of [[], ["--deep"]]) {
      expect((await diagnose(words)).of("audit trail")).toMatch(/^FAILURE: broken at row 2/);
    }
    await rowsIn(
      host.url,
      `INSERT INTO users SELECT 'usr_1', 'eve', 'eve', 'owner', 'ACTIVE', 'x', 1, at, at, at, NULL
       FROM audit_events WHERE seq = 2`,
    );
    expect((await diagnose()).of("credentials")).toBe(
      "FAILURE: user eve: the audit trail has no user.created event",
    );
    const { port } = new URL(host.url);
    const gone = host.url.replace(`:${port}/`, ":1/");
    const away = await diagnose(["--db", gone]);
    expect(away.status).toBe(1);
    expect(away.of("database")).toMatch(
      /^FAILURE: Cannot use the database postgres:.*ECONNREFUSED/,
    );
    expect(away.of("schema")).toBe("SKIPPED: the database cannot be read");
  });

  test("a long check does not make the clock look wrong", async () => {
    const host = await openHost();
    const place = placeOf(loadConfig(host.env, "0.0.0")) as PostgresPlace;
    let late = 0;
    const subject = { deep: false, io: { now: () => Date.now() + late } } as Subject;
    const surveyed = { ...subject, ...surveyOf(place, subject) };
    await surveyed.served();
    late = 60_000;
    const clock = postgresChecks.find(({ name }) => name === "database clock");
    expect(await clock?.run(surveyed)).toMatchObject({ state: "OK" });
  });

  test("a database of another program is refused", async () => {
    const host = await openHost();
    await rowsIn(host.url, "CREATE TABLE theirs (id TEXT)");
    for (const words of [["migrate"], ["serve", "--port", "0"]]) {
      const ran = await host.run(words);
      expect(ran).toMatchObject(
        failing(6, `Cannot use the database ${host.name}: it belongs to another program.`),
      );
    }
  });

  test("a child process verifies the trail, and gets the URL in its environment only", async () => {
    const host = await openHost();
    await host.run(["migrate"]);
    const place = placeOf(loadConfig(host.env, "0.0.0"));
    const started: unknown[][] = [];
    replaceBuiltin<typeof import("node:child_process")>("node:child_process", (real) => ({
      spawn: ((...given: Parameters<typeof real.spawn>) => {
        started.push(given);
        return real.spawn(...given);
      }) as typeof real.spawn,
    }));
    const request = { place, incremental: false };
    const walk = await inChild.walkTrail(request, new AbortController().signal);
    expect(walk).toMatchObject({ checked: 1, lastSeq: 1, broken: null });
    const [[command, words, options]] = started as [[string, string[], { env: object }]];
    expect([command, ...words].join(" ")).not.toMatch(/postgres/);
    expect(options.env).toMatchObject({ PLATFORM_DATABASE_URL: host.url });
  });
});

// The following tests need no database.
const permissionsOf = (auditKeyFile: string, sessionKeyFile: string) => {
  const place = { kind: "postgresql", auditKeyFile, sessionKeyFile } as PostgresPlace;
  const subject = { deep: false } as Subject;
  const check = postgresChecks.find(({ name }) => name === "permissions");
  return check?.run({ ...subject, ...surveyOf(place, subject) });
};

test.each([
  [0o400, "OK"],
  [0o440, "OK"],
  [0o444, "WARNING"],
  [0o660, "WARNING"],
])("`platform doctor` on keys with mode %o: %s", async (mode, state) => {
  const folder = temporaryFolder();
  const keys = ["audit.key", "session.key"].map((name) => writeKey(folder, name));
  for (const key of keys) chmodSync(key, mode);
  const [auditKeyFile = "", sessionKeyFile = ""] = keys;
  expect(await permissionsOf(auditKeyFile, sessionKeyFile)).toMatchObject({ state });
});

test("`platform doctor` skips the permissions of keys that it cannot find", async () => {
  const found = { state: "SKIPPED", found: "the keys cannot be found" };
  expect(await permissionsOf("/missing/audit.key", "/missing/session.key")).toMatchObject(found);
});

const url = "postgres://ada:hunter2@db.example:6432/fleet?sslmode=require";
const run = (...words: string[]) =>
  cli(words, { env: { DATABASE_URL: url }, io: { program: "platform" } });

test.each([
  [
    ["backup", "monday.db"],
    "PostgreSQL's own program makes the backups of this database, even while servers use it: " +
      "pg_dump --format=custom --file=platform.dump --dbname='postgres://ada@db.example:6432/fleet?sslmode=require'",
  ],
  [
    ["restore", "monday.db"],
    "Stop all of its servers, then run: pg_restore --clean --if-exists --single-transaction --no-owner " +
      "--dbname='postgres://ada@db.example:6432/fleet?sslmode=require' platform.dump. Then remove the .audit-head file from each server's data folder.",
  ],
])("`platform %s` says what does that instead", async (words, message) => {
  const { status, stdout, stderr } = await run(...words);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("hunter2");
});

test("`platform config` shows the URL without its password", async () => {
  const keys = { AUDIT_KEY_FILE: "/k/audit.key", SESSION_SECRET_FILE: "/k/session.key" };
  const env = { DATABASE_URL: url, ...keys };
  const { status, stdout } = await cli(["config", "-o", "json"], { env });
  expect(status).toBe(0);
  expect(stdout).not.toContain("hunter2");
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining([
      {
        variable: "PLATFORM_DATABASE_URL",
        value: "postgres://ada@db.example:6432/fleet?sslmode=require",
        source: "variable",
      },
      { variable: "PLATFORM_AUDIT_KEY_FILE", value: "/k/audit.key", source: "variable" },
    ]),
  );
});

test("without key files, every command that needs them names both", async () => {
  for (const words of [["serve"], ["migrate"]]) {
    const { status, stderr } = await run(...words);
    expect(status).toBe(2);
    expect(stderr).toContain("PLATFORM_AUDIT_KEY_FILE and PLATFORM_SESSION_SECRET_FILE");
    expect(stderr).not.toContain("hunter2");
  }
});
