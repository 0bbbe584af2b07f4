// Reads what an operator should know about a database before it is replaced or trusted.

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { DatabaseFacts } from "../../domain/storage/restores.ts";
import type { SqliteConnection } from "../engine/sqlite/file.ts";
import { appliedMigrations } from "../engine/sqlite/migrate.ts";

/**
 * This is cheap: it reads only counts and one row, through indexes. Throws SQLite's error if the
 * file is damaged.
 */
export function readFacts(connection: SqliteConnection): DatabaseFacts {
  const count = (from: string) =>
    connection.prepare(`SELECT COUNT(*) FROM ${from}`).pluck().get() as number;
  const newest = connection
    .prepare("SELECT seq, hash, at FROM audit_events ORDER BY seq DESC LIMIT 1")
    .get() as (ChainLink & { at: number }) | undefined;
  return {
    schemaVersion: appliedMigrations(connection).length,
    agents: count("agents"),
    users: count("users"),
    activeOwners: count("users WHERE role = 'owner' AND status = 'ACTIVE'"),
    openCommands: count("commands WHERE status IN ('PENDING', 'RUNNING')"),
    auditHead: newest ? { seq: newest.seq, hash: newest.hash } : null,
    newestEventAt: newest?.at ?? null,
  };
}
