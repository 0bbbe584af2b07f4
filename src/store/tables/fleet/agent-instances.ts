// Stores which program calls with an agent's token. There is one row for each agent whose programs
// send an id.

import type { AgentInstances } from "../../../domain/fleet/agent-instances.ts";
import type { Reader, Tx } from "../../database.ts";
import { finder, inserter } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";

type Row = Omit<AgentInstances, "earlier"> & { earlier: string };

export const findAgentInstances = finder(
  `SELECT instance, since, earlier, duplicated_at AS "duplicatedAt",
     redeliver_from AS "redeliverFrom" FROM agent_instances WHERE agent_id = ?`,
  (row: Row): AgentInstances => ({ ...row, earlier: JSON.parse(row.earlier) }),
);

const insertOrUpdate = inserter(
  "agent_instances",
  ["agent_id instance since earlier duplicated_at redeliver_from"],
  `ON CONFLICT (agent_id) DO UPDATE SET instance = excluded.instance, since = excluded.since,
     earlier = excluded.earlier, duplicated_at = excluded.duplicated_at,
     redeliver_from = excluded.redeliver_from`,
);

export async function saveAgentInstances(
  tx: Tx,
  agentId: string,
  { earlier, ...others }: AgentInstances,
): Promise<void> {
  await insertOrUpdate(tx, { agentId, ...others, earlier: JSON.stringify(earlier) });
}

/** Forgets the current program, so that the agent's next program does not have to wait for it. */
export async function forgetInstance(tx: Tx, agentId: string): Promise<void> {
  await run(tx)`UPDATE agent_instances SET instance = ${null} WHERE agent_id = ${agentId}`;
}

/**
 * Moves times that are in the future, because the clock was set back, to the present. Returns for
 * how many agents.
 */
export function clampInstances(tx: Tx): Promise<number> {
  const { now } = tx;
  return run(tx)`UPDATE agent_instances SET
       since = CASE WHEN since > ${now} THEN ${now} ELSE since END,
       duplicated_at = CASE WHEN duplicated_at > ${now} THEN ${now} ELSE duplicated_at END,
       redeliver_from = CASE WHEN redeliver_from > ${now} THEN ${now} ELSE redeliver_from END
     WHERE since > ${now} OR duplicated_at > ${now} OR redeliver_from > ${now}`;
}

export interface DuplicatedAgent {
  id: string;
  code: string;
  duplicatedAt: number;
}

/** The most recently duplicated agents come first. */
export function listDuplicatedAgents(
  db: Reader,
  since: number,
  limit: number,
): Promise<DuplicatedAgent[]> {
  return all(db)`SELECT a.id, a.code, i.duplicated_at AS "duplicatedAt"
     FROM agent_instances i JOIN agents a ON a.id = i.agent_id
     WHERE i.duplicated_at >= ${since} ORDER BY i.duplicated_at DESC, a.code LIMIT ${limit}`;
}
