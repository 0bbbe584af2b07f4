// Users and API keys that the audit trail knows nothing of, or knows otherwise: written into the file by
// something else than this program. Rows from before the oldest event that is kept are not looked at.

import type { Unaccounted } from "../domain/database-checks.ts";
import { appliedMigrations } from "./migrate.ts";
import type { Connection } from "./sqlite-file.ts";

/** Since this schema keys say whose they are. */
const schemaWithKeyUsers = 6;

interface Credential {
  id: string;
  name: string;
  role: string;
  status: string;
  createdAt: number;
}

/** Null when the file's schema is older than that: a start of this program migrates it. */
export function readUnaccounted(connection: Connection, now: number): Unaccounted | null {
  if (appliedMigrations(connection).length < schemaWithKeyUsers) return null;
  const oldest = connection.prepare("SELECT MIN(at) FROM audit_events").pluck().get() as
    | number
    | null;
  const users = connection
    .prepare(`SELECT id, username AS name, role, status, created_at AS "createdAt" FROM users`)
    .all() as Credential[];
  const keys = connection
    .prepare(
      `SELECT k.id, k.name, k.role, 'ACTIVE' AS status, k.created_at AS "createdAt",
         k.user_id IS NOT NULL AND COALESCE(u.status, 'DELETED') <> 'ACTIVE' AS "isOrphaned"
       FROM api_keys k LEFT JOIN users u ON u.id = k.user_id
       WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)`,
    )
    .all(now) as (Credential & { isOrphaned: number })[];
  const known = (one: Credential) => oldest !== null && one.createdAt >= oldest;
  return {
    strangers: [
      ...users.filter(known).flatMap((user) => problemOf(connection, "user", user)),
      ...keys.filter(known).flatMap((key) => problemOf(connection, "api_key", key)),
    ],
    orphanedKeys: keys.filter(({ isOrphaned }) => isOrphaned === 1).map(({ name }) => name),
  };
}

interface Told {
  action: string;
  metadata: string;
}

function problemOf(
  connection: Connection,
  noun: "user" | "api_key",
  { id, name, role, status }: Credential,
): string[] {
  const rows = connection
    .prepare(
      `SELECT action, metadata FROM audit_events
       WHERE target_id = ? AND action IN (?, ?) ORDER BY seq`,
    )
    .all(id, `${noun}.created`, `${noun}.updated`) as Told[];
  const title = noun === "user" ? `user ${name}` : `API key ${name}`;
  if (rows.length === 0) return [`${title}: the audit trail has no ${noun}.created`];
  const told = { role, status: "ACTIVE" };
  for (const { metadata } of rows) Object.assign(told, stateIn(JSON.parse(metadata)));
  if (told.role !== role) return [`${title}: ${role}, but ${told.role} in the audit trail`];
  return told.status === status
    ? []
    : [`${title}: ${status}, but ${told.status} in the audit trail`];
}

interface Metadata {
  role?: string;
  changes?: { role?: { to: string }; status?: { to: string } };
}

/** What a row says of role and status. */
function stateIn({ role, changes }: Metadata): { role?: string; status?: string } {
  const to = changes?.role?.to ?? role;
  return {
    ...(to === undefined ? {} : { role: to }),
    ...(changes?.status ? { status: changes.status.to } : {}),
  };
}
