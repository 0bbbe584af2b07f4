// Finds users, API keys and agents that contradict the audit trail, which shows that another
// program wrote them. Only those older than the oldest audit row may be missing from the trail.

import type { Unaccounted } from "../../domain/storage/database-checks.ts";
import { appliedMigrations } from "../engine/migrate.ts";
import type { Connection } from "../engine/sqlite-file.ts";
import { parseMetadata } from "./audit-events.ts";

/** API keys record their user from this schema version on. */
const schemaWithKeyUsers = 6;

interface Credential {
  id: string;
  name: string;
  role: string;
  status: string;
  createdAt: number;
}

/** Returns null if the schema is too old. Starting this program migrates the file. */
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
      ...agentProblems(connection, oldest),
    ],
    orphanedKeys: keys.filter(({ isOrphaned }) => isOrphaned === 1).map(({ name }) => name),
  };
}

interface AgentRow {
  code: string;
  status: string;
  registeredAt: number;
  hasToken: number;
  /** The metadata of the newest audit row that records the agent's code. */
  registration: string | null;
  lastSwitch: string | null;
  lastTokenEvent: string | null;
}

function agentProblems(connection: Connection, oldest: number | null): string[] {
  const newest = (what: string, actions: string) =>
    `(SELECT ${what} FROM audit_events e WHERE e.target_id = a.id AND e.action IN (${actions})
      ORDER BY e.seq DESC LIMIT 1)`;
  const agents = connection
    .prepare(
      `SELECT a.code, a.status, a.registered_at AS "registeredAt",
         EXISTS (SELECT 1 FROM agent_tokens t
           WHERE t.agent_id = a.id AND t.revoked_at IS NULL) AS "hasToken",
         ${newest("e.metadata", "'agent.registered', 'agent.token.rotated'")} AS "registration",
         ${newest("e.action", "'agent.disabled', 'agent.enabled'")} AS "lastSwitch",
         ${newest(
           "e.action",
           "'agent.registered', 'agent.token.rotated', 'agent.token.revoked'",
         )} AS "lastTokenEvent"
       FROM agents a`,
    )
    .all() as AgentRow[];
  return agents.flatMap((agent) => {
    const problem = agentProblem(agent, oldest);
    return problem === null ? [] : [`agent ${agent.code}: ${problem}`];
  });
}

function agentProblem(
  { code, status, registeredAt, hasToken, registration, lastSwitch, lastTokenEvent }: AgentRow,
  oldest: number | null,
): string | null {
  if (lastTokenEvent === null && oldest !== null && registeredAt >= oldest) {
    return "the audit trail has no agent.registered event";
  }
  if (registration !== null) {
    const metadata = parseMetadata(registration);
    if (!metadata) return unreadable;
    const registeredAs = metadata.code ?? code;
    if (registeredAs !== code) return `registered as ${registeredAs} in the audit trail`;
  }
  if (lastSwitch === "agent.disabled" && status !== "DISABLED") {
    return `${status}, but DISABLED in the audit trail`;
  }
  if (lastTokenEvent === "agent.token.revoked" && hasToken === 1) {
    return "its token works, but was revoked in the audit trail";
  }
  return null;
}

const unreadable = "one of its rows in the audit trail cannot be read";

interface RecordedEvent {
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
    .all(id, `${noun}.created`, `${noun}.updated`) as RecordedEvent[];
  const title = noun === "user" ? `user ${name}` : `API key ${name}`;
  if (rows.length === 0) return [`${title}: the audit trail has no ${noun}.created event`];
  const recorded = { role, status: "ACTIVE" };
  for (const row of rows) {
    const metadata = parseMetadata(row.metadata);
    if (!metadata) return [`${title}: ${unreadable}`];
    Object.assign(recorded, stateIn(metadata as Metadata));
  }
  if (recorded.role !== role) return [`${title}: ${role}, but ${recorded.role} in the audit trail`];
  return recorded.status === status
    ? []
    : [`${title}: ${status}, but ${recorded.status} in the audit trail`];
}

interface Metadata {
  role?: string;
  changes?: { role?: { to: string }; status?: { to: string } };
}

function stateIn({ role, changes }: Metadata): { role?: string; status?: string } {
  const to = changes?.role?.to ?? role;
  return {
    ...(to === undefined ? {} : { role: to }),
    ...(changes?.status ? { status: changes.status.to } : {}),
  };
}
