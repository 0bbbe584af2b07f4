// Stores which agents report a service that another agent owns.

import type { AgentStanding } from "../../../domain/fleet/agents.ts";
import type { Labels } from "../../../domain/fleet/labels.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters } from "../../filters.ts";
import { countOf, finder, idsOf, inserter } from "../../rows.ts";
import { run } from "../../sql-tag.ts";
import { hasActiveToken } from "./agents.ts";

export interface ServiceOwner extends AgentStanding {
  serviceId: string;
  agentId: string;
  agentCode: string;
  /** The labels that are assigned to the service. */
  assignedLabels: Labels;
}

export interface ServiceClaim {
  serviceId: string;
  serviceCode: string;
  agentId: string;
  agentCode: string;
  ownerId: string;
  ownerCode: string;
  /** When the agent's reports were first refused, in Unix milliseconds. */
  since: number;
}

type OwnerRow = Omit<ServiceOwner, "hasActiveToken" | "assignedLabels"> & {
  hasActiveToken: number;
  assignedLabels: string;
};

/** Takes the code of the service. */
export const findServiceOwner = finder(
  `SELECT s.id AS "serviceId", a.id AS "agentId", a.code AS "agentCode", a.status,
       a.last_heartbeat_at AS "lastHeartbeatAt", ${hasActiveToken} AS "hasActiveToken",
       s.assigned_labels AS "assignedLabels"
     FROM services s JOIN agents a ON a.id = s.agent_id WHERE s.code = ?`,
  (row: OwnerRow): ServiceOwner => ({
    ...row,
    assignedLabels: JSON.parse(row.assignedLabels),
    hasActiveToken: row.hasActiveToken === 1,
  }),
);

export function countAgentServices(db: Reader, agentId: string): Promise<number> {
  return countOf(db, "services", new Filters().add("agent_id = ?", agentId));
}

const selectClaims = `SELECT c.service_id AS "serviceId", s.code AS "serviceCode",
    c.agent_id AS "agentId", a.code AS "agentCode", o.id AS "ownerId",
    o.code AS "ownerCode", c.since
  FROM service_claims c JOIN services s ON s.id = c.service_id
    JOIN agents a ON a.id = c.agent_id JOIN agents o ON o.id = s.agent_id`;

/** Includes only the claims of online agents. */
export async function listServiceClaims(
  db: Reader,
  serviceId: string,
  limit: number,
): Promise<ServiceClaim[]> {
  return db.all(
    `${selectClaims} WHERE c.service_id = ? AND a.status = 'ONLINE' LIMIT ?`,
    serviceId,
    limit,
  );
}

/**
 * Returns nothing for an agent that is not online. There are at most as many claims as a report can
 * have services.
 */
export async function listAgentClaims(db: Reader, agentId: string): Promise<ServiceClaim[]> {
  return db.all(
    `${selectClaims} WHERE c.agent_id = ? AND a.status = 'ONLINE'
     ORDER BY c.service_id`,
    agentId,
  );
}

export async function listClaimedServiceIds(db: Reader, agentId: string): Promise<string[]> {
  return idsOf(db, `SELECT service_id AS "id" FROM service_claims WHERE agent_id = ?`, agentId);
}

const insert = inserter("service_claims", ["service_id agent_id since"]);

export async function insertServiceClaim(
  tx: Tx,
  serviceId: string,
  agentId: string,
): Promise<void> {
  await insert(tx, { serviceId, agentId, since: tx.now });
}

export async function deleteServiceClaim(
  tx: Tx,
  serviceId: string,
  agentId: string,
): Promise<void> {
  await run(tx)`DELETE FROM service_claims WHERE service_id = ${serviceId}
     AND agent_id = ${agentId}`;
}
