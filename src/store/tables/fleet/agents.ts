import {
  type Agent,
  type AgentFeature,
  type AgentStatus,
  silentBefore,
  type TokenState,
} from "../../../domain/fleet/agents.ts";
import {
  type AgentLabels,
  type LabelTexts,
  parseAgentLabels,
} from "../../../domain/fleet/labels.ts";
import type { Requirement, Selector } from "../../../domain/fleet/selectors.ts";
import { blockUpdater, placeholders } from "../../blocks.ts";
import { fromJsonColumn, toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { agentConditions, agentLabelColumns } from "../../label-conditions.ts";
import { agentLabelIndex } from "../../label-index.ts";
import { deleter, finder, idsBefore, inserter, pageOf } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";

interface AgentRow
  extends Omit<Agent, "runtime" | "features" | "hasActiveToken" | keyof AgentLabels>,
    LabelTexts<AgentLabels> {
  runtime: string | null;
  features: string;
  hasActiveToken: number;
}

/** An SQL expression: whether the agent `a` has an active token. */
export const hasActiveToken = `EXISTS (SELECT 1 FROM agent_tokens t
    WHERE t.agent_id = a.id AND t.revoked_at IS NULL)`;

const tokenState = `CASE WHEN ${hasActiveToken} THEN 'ACTIVE'
    WHEN EXISTS (SELECT 1 FROM agent_tokens t WHERE t.agent_id = a.id) THEN 'REVOKED'
    ELSE 'NONE' END`;

const columns = `a.id, a.code, a.name, a.mode, a.runtime, a.version, a.features, a.status,
  ${agentLabelColumns},
  a.registered_at AS "registeredAt", a.updated_at AS "updatedAt",
  a.last_heartbeat_at AS "lastHeartbeatAt", a.disabled_at AS "disabledAt",
  a.stopped_at AS "stoppedAt", a.clock_skew_ms AS "clockSkewMs", ${tokenState} AS "tokenState"`;

export interface AgentFilter extends Page {
  /** Matches any of these statuses. */
  status?: readonly AgentStatus[] | undefined;
  mode?: string | undefined;
  tokenState?: TokenState | undefined;
  /** Each label has the form `key:value`. */
  label?: readonly string[] | undefined;
  selector?: Selector | undefined;
  q?: string | undefined;
}

export const findAgent = finder(`SELECT ${columns} FROM agents a WHERE a.id = ?`, toAgent);

export const findAgentByCode = finder(`SELECT ${columns} FROM agents a WHERE a.code = ?`, toAgent);

export async function listAgents(db: Reader, filter: AgentFilter): Promise<Listed<Agent>> {
  const filters = new Filters()
    .oneOf("a.status", filter.status)
    .add("a.mode = ?", filter.mode)
    .add(`${tokenState} = ?`, filter.tokenState);
  const labels = (filter.label ?? []).map((label): Requirement => {
    const colon = label.indexOf(":");
    return { key: label.slice(0, colon), operator: "in", values: [label.slice(colon + 1)] };
  });
  filters.allOf(agentConditions([...labels, ...(filter.selector ?? [])]));
  filters.search(["a.code", "a.name"], filter.q);
  return pageOf(db, [columns, "agents a", "a.id"], filters, filter, toAgent, sorts);
}

const sorts: Sorts = {
  code: "a.code",
  name: ["a.name"],
  mode: "a.mode",
  version: ["a.version"],
  lastHeartbeatAt: ["a.last_heartbeat_at"],
  registeredAt: "a.registered_at",
};

const insertOrUpdate = inserter(
  "agents",
  [
    "id code name mode runtime version labels assigned_labels features status registered_at updated_at",
    "last_heartbeat_at disabled_at stopped_at",
  ],
  `ON CONFLICT (id) DO UPDATE SET name = excluded.name, mode = excluded.mode,
     runtime = excluded.runtime, version = excluded.version, labels = excluded.labels,
     assigned_labels = excluded.assigned_labels,
     features = excluded.features, status = excluded.status, registered_at = excluded.registered_at,
     updated_at = excluded.updated_at, last_heartbeat_at = excluded.last_heartbeat_at,
     stopped_at = excluded.stopped_at`,
);

/** Inserts an agent, or updates it with its new registration. */
export async function saveAgent(
  tx: Tx,
  agent: Omit<Agent, "tokenState" | "hasActiveToken" | "operatorLabels" | "clockSkewMs">,
): Promise<void> {
  await insertOrUpdate(tx, {
    ...agent,
    runtime: toJsonColumn(agent.runtime),
    labels: JSON.stringify(agent.labels),
    assignedLabels: JSON.stringify(agent.assignedLabels),
    features: JSON.stringify(agent.features),
  });
  await agentLabelIndex.replace(tx, agent, agent.assignedLabels);
}

/** Updates what an agent reports about itself, except its code and mode. */
export async function describeAgent(
  tx: Tx,
  agent: AgentDescription & Pick<Agent, "id" | "assignedLabels">,
): Promise<void> {
  const { id, name, runtime, version, labels, features } = agent;
  await run(tx)`UPDATE agents SET name = ${name}, runtime = ${toJsonColumn(runtime)},
       version = ${version}, labels = ${JSON.stringify(labels)},
       features = ${JSON.stringify(features)}, updated_at = ${tx.now}
     WHERE id = ${id}`;
  await agentLabelIndex.replace(tx, agent, agent.assignedLabels);
}

export type AgentDescription = Pick<Agent, "name" | "runtime" | "version" | "labels" | "features">;

export async function setAgentFeatures(
  tx: Tx,
  id: string,
  features: readonly AgentFeature[],
): Promise<void> {
  await run(tx)`UPDATE agents SET features = ${JSON.stringify(features)}, updated_at = ${tx.now}
     WHERE id = ${id}`;
}

export async function setAgentStatus(
  tx: Tx,
  id: string,
  status: AgentStatus,
  disabledAt: number | null,
): Promise<void> {
  await run(tx)`UPDATE agents SET status = ${status}, disabled_at = ${disabledAt},
     updated_at = ${tx.now} WHERE id = ${id}`;
}

/** Returns false if the agent was already stopped and has not called since. */
export async function markStopped(tx: Tx, id: string): Promise<boolean> {
  const changed = await run(tx)`UPDATE agents SET status = 'OFFLINE', stopped_at = ${tx.now},
       updated_at = ${tx.now} WHERE id = ${id} AND stopped_at IS NULL AND status <> 'DISABLED'`;
  return changed === 1;
}

type Call = readonly [id: string, at: number, clockSkewMs: number | null];

/** Moves the times of last calls forward, never back. A null keeps the stored clock skew. */
export const touchAgents = blockUpdater<Call>("agents", {
  values: 2,
  set: "last_heartbeat_at = v.column2, clock_skew_ms = COALESCE(v.column3, clock_skew_ms)",
  where: "(last_heartbeat_at IS NULL OR last_heartbeat_at < v.column2)",
});

/** Returns which of these agents have the stored status OFFLINE. */
export function listOfflineAmong(
  db: Reader,
  ids: readonly string[],
): Promise<Pick<Agent, "id" | "code">[]> {
  return db.all(
    `SELECT id, code FROM agents WHERE status = 'OFFLINE' AND id IN (${placeholders(ids.length)})`,
    ...ids,
  );
}

/**
 * Repairs times after the clock was set back: moves last calls that are in the future to the
 * present, and the last calls of silent OFFLINE agents to before the offline threshold. Changes up
 * to `limit` agents, and returns how many.
 */
export async function clampHeartbeats(tx: Tx, offlineMs: number, limit: number): Promise<number> {
  const silent = silentBefore(tx.now, { offlineMs }) - 1;
  const offline = await tx.run(
    `UPDATE agents SET last_heartbeat_at = ? WHERE id IN (SELECT a.id FROM agents a
       WHERE a.status = 'OFFLINE' AND a.stopped_at IS NULL AND a.last_heartbeat_at > ?
         AND ${hasActiveToken} LIMIT ?)`,
    silent,
    silent,
    limit,
  );
  if (offline === limit) return offline;
  const others = await run(tx)`UPDATE agents SET last_heartbeat_at = ${tx.now}
     WHERE id IN (SELECT id FROM agents WHERE status IN ('ONLINE', 'OFFLINE', 'DISABLED')
       AND last_heartbeat_at > ${tx.now} LIMIT ${limit - offline})`;
  return offline + others;
}

/**
 * Returns whether a call at `calledAt`, in Unix milliseconds, changed the status. An agent whose
 * token was revoked stays OFFLINE. So does one that has stopped since the call: it may have
 * reported this to another node.
 */
export async function markOnline(tx: Tx, id: string, calledAt: number): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE agents AS a SET status = 'ONLINE', stopped_at = NULL
     WHERE a.id = ? AND a.status = 'OFFLINE' AND ${hasActiveToken}
       AND (a.stopped_at IS NULL OR a.stopped_at <= ? OR a.stopped_at > ?)`,
    id,
    calledAt,
    tx.now,
  );
  return changed === 1;
}

/** Lists agents with the stored status ONLINE that have been silent since before `before`. */
export async function listSilentAgents(
  db: Reader,
  before: number,
  limit: number,
): Promise<{ id: string; code: string }[]> {
  return all(db)`SELECT id, code FROM agents
     WHERE status = 'ONLINE' AND (last_heartbeat_at IS NULL OR last_heartbeat_at < ${before})
     LIMIT ${limit}`;
}

/** Lists OFFLINE agents without labelled services, the one with the earliest last call first. */
export const listLongSilentAgentIds = idsBefore(
  `SELECT id FROM agents WHERE status = 'OFFLINE' AND last_heartbeat_at < ?
       AND assigned_labels = '{}'
       AND NOT EXISTS (SELECT 1 FROM services s WHERE s.agent_id = agents.id
         AND s.assigned_labels <> '{}')
     ORDER BY last_heartbeat_at LIMIT ?`,
);

/** Also deletes the agent's tokens and labels. The agent must have no services. */
export const deleteAgent = deleter("agents");

function toAgent(row: AgentRow): Agent {
  return {
    ...row,
    runtime: fromJsonColumn(row.runtime),
    ...parseAgentLabels(row),
    features: JSON.parse(row.features),
    hasActiveToken: row.tokenState === "ACTIVE",
  };
}
