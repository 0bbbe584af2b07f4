// Finds users, API keys and agents that contradict the audit trail. Such records were written by
// another program. Only records older than the oldest audit row may be missing from the trail.

import type { Unaccounted } from "../../domain/storage/database-checks.ts";
import type { Reader } from "../database.ts";
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

/**
 * Returns null if the schema is too old. A server migrates the schema when it next starts. Throws
 * the engine's error if the tables do not exist.
 */
export async function readUnaccounted(db: Reader, now: number): Promise<Unaccounted | null> {
  const schema = await db.get<{ version: number | null }>(
    `SELECT MAX(version) AS "version" FROM schema_migrations`,
  );
  if ((schema?.version ?? 0) < schemaWithKeyUsers) return null;
  const first = await db.get<{ at: number | null }>(`SELECT MIN(at) AS "at" FROM audit_events`);
  const oldest = first?.at ?? null;
  const users = await db.all<Credential>(
    `SELECT id, username AS "name", role, status, created_at AS "createdAt" FROM users`,
  );
  const keys = await db.all<Credential & { isOrphaned: number }>(
    `SELECT k.id, k.name, k.role, 'ACTIVE' AS "status", k.created_at AS "createdAt",
       k.user_id IS NOT NULL AND COALESCE(u.status, 'DELETED') <> 'ACTIVE' AS "isOrphaned"
     FROM api_keys k LEFT JOIN users u ON u.id = k.user_id
     WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)`,
    now,
  );
  const known = (one: Credential) => oldest !== null && one.createdAt >= oldest;
  const discrepancies: string[] = [];
  for (const user of users.filter(known))
    discrepancies.push(...(await problemOf(db, "user", user)));
  for (const key of keys.filter(known))
    discrepancies.push(...(await problemOf(db, "api_key", key)));
  return {
    discrepancies: [...discrepancies, ...(await agentProblems(db, oldest))],
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

async function agentProblems(db: Reader, oldest: number | null): Promise<string[]> {
  const newest = (what: string, actions: string) =>
    `(SELECT ${what} FROM audit_events e WHERE e.target_id = a.id AND e.action IN (${actions})
      ORDER BY e.seq DESC LIMIT 1)`;
  const agents = await db.all<AgentRow>(
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
  );
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

async function problemOf(
  db: Reader,
  noun: "user" | "api_key",
  { id, name, role, status }: Credential,
): Promise<string[]> {
  const rows = await db.all<RecordedEvent>(
    `SELECT action, metadata FROM audit_events
     WHERE target_id = ? AND action IN (?, ?) ORDER BY seq`,
    id,
    `${noun}.created`,
    `${noun}.updated`,
  );
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
