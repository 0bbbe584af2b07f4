// Compares the schemas that the migrations of both engines create, and tests what only
// PostgreSQL's has.

import { readdirSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, inject, test } from "vitest";
import { tablesInTrail } from "../../src/store/files/content.ts";
import { perFile } from "../helpers/lifetime.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { migratedPostgres } from "../helpers/postgres-schema.ts";
import { postgresSchema, sqliteSchema } from "./schema-lines.ts";

/**
 * Without the index, heartbeats of 15,000 agents wrote a fifth as much log, in a third of the time.
 */
const hotUpdates =
  "PostgreSQL updates a row without changing its indexes only if none of them has a changed column";

/** Each line is in the schema of one engine only. */
const differences: [only: "sqlite" | "postgresql", line: string, reason: string][] = [
  [
    "sqlite",
    "agents: index agents_by_heartbeat (status, last_heartbeat_at)",
    `${hotUpdates}, and every heartbeat changes this one; there are about 10,000 agents to read`,
  ],
  [
    "sqlite",
    "services: index services_by_agent_code (agent_id, code, name, health_class, last_reported_at, id, health_message, removed_at)",
    `${hotUpdates}, and every report changes this one. Its entries could exceed PostgreSQL's limit`,
  ],
  ["postgresql", "audit_events: trigger audit_events_never_truncated", "SQLite has no TRUNCATE"],
];

function sqliteLines(): string[] {
  const database = new BetterSqlite3(inject("templateDatabase"), { readonly: true });
  try {
    return sqliteSchema(database);
  } finally {
    database.close();
  }
}

test("migrations with the same number have the same name, and both engines have the newest", () => {
  const [sqlite, postgresql] = ["sqlite", "postgresql"].map((engine) =>
    readdirSync(new URL(`../../migrations/${engine}/`, import.meta.url)).sort(),
  ) as [string[], string[]];
  const first = Number.parseInt(postgresql[0]!, 10);
  expect(postgresql.slice(1)).toEqual(sqlite.slice(first));
  expect(sqlite.length).toBe(first - 1 + postgresql.length);
});

/** The rows of these tables belong to rows of older tables, or can exist before the trail does. */
const tablesOutsideTrail = [
  "idempotency_keys",
  "service_changes",
  "service_claims",
  "agent_instances",
  "service_notes",
  "service_labels",
  "service_periods",
  "rollouts",
  "rollout_targets",
  "approval_policies",
  "approvals",
  "approval_decisions",
  "saved_views",
  "schedules",
  "schedule_runs",
  "sign_in_networks",
  "command_errors",
  "command_outcomes",
  "command_output_pages",
  "counters",
  "login_failures",
  "nodes",
  "one_time_secrets",
  "schema_migrations",
  "settings",
];

test("for each table it is known whether its rows come with a row in the audit trail", () => {
  const tables = new Set(sqliteLines().map((line) => line.split(/[.:]/)[0]));
  expect([...tables, "schema_migrations"].sort()).toEqual(
    [...tablesInTrail, ...tablesOutsideTrail].sort(),
  );
});

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  const client = perFile(migratedPostgres);

  test("the schema is the same as SQLite's, except for the listed differences", async () => {
    const sqlite = sqliteLines();
    const postgresql = await postgresSchema(client());
    expect(sqlite.length).toBeGreaterThan(300);
    const wanted = (engine: string) =>
      differences.flatMap(([only, line]) => (only === engine ? [line] : [])).sort();
    expect(sqlite.filter((line) => !postgresql.includes(line))).toEqual(wanted("sqlite"));
    expect(postgresql.filter((line) => !sqlite.includes(line))).toEqual(wanted("postgresql"));
  });

  test("every text is ordered by its bytes, as in SQLite", async () => {
    const { rows } = await client().query(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = current_schema() AND data_type = 'text'
         AND table_name <> 'schema_migrations' AND collation_name IS DISTINCT FROM 'C'`,
    );
    expect(rows).toEqual([]);
  });

  describe("the audit trail", () => {
    const insert = (seq: number) =>
      client().query(
        `INSERT INTO audit_events
           (seq, id, at, actor_type, action, target_type, result, metadata, hash)
         VALUES ($1, 'aud', 0, 'SYSTEM', 'x', 'x', 'SUCCESS', '{}', 'hash')`,
        [seq],
      );

    test("cannot be changed or emptied", async () => {
      await insert(1);
      await expect(client().query("UPDATE audit_events SET at = 1")).rejects.toThrow(
        "never changed",
      );
      await expect(client().query("TRUNCATE audit_events")).rejects.toThrow("never changed");
    });

    test("can be deleted up to the newest checkpoint", async () => {
      await insert(2);
      await insert(3);
      await client().query("INSERT INTO audit_checkpoints VALUES (2, 'hash', 0, 'signature')");
      const remove = (upTo: number) =>
        client().query("DELETE FROM audit_events WHERE seq <= $1", [upTo]);
      await expect(remove(3)).rejects.toThrow("only below a checkpoint");
      expect((await remove(2)).rowCount).toBe(2);
    });
  });

  test("the counts of ended commands change when commands are deleted", async () => {
    const counts = async () => {
      const outcomes = await client().query(
        "SELECT status || ' ' || count AS text FROM command_outcomes WHERE count <> 0",
      );
      const errors = await client().query(
        "SELECT code || ' ' || count AS text FROM command_errors",
      );
      return [...outcomes.rows, ...errors.rows].map(({ text }) => text);
    };
    await client().query(
      `INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
         source_kind, timeout_seconds, created_at, expires_at, error_code)
       SELECT id, 'ACTION_EXECUTE', status, 'agt', 'svc', 'x', 'x', '{}', 'operator', 60, 0, 0, error
       FROM (VALUES ('cmd_1', 'FAILED', 'A'), ('cmd_2', 'FAILED', 'A'), ('cmd_3', 'FAILED', 'B'),
         ('cmd_4', 'CANCELLED', NULL), ('cmd_5', 'RUNNING', NULL)) AS made (id, status, error)`,
    );
    await client().query(
      `UPDATE command_outcomes SET count = CASE status WHEN 'FAILED' THEN 3 WHEN 'CANCELLED' THEN 1
         ELSE 0 END;
       INSERT INTO command_errors VALUES ('A', 2), ('B', 1);
       DELETE FROM commands WHERE id <> 'cmd_2';`,
    );
    expect(await counts()).toEqual(["FAILED 1", "A 1"]);
  });
});
