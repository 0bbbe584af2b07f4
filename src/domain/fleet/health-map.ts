// The health map: every service that agents manage, by agent.

import type { AgentStatus } from "./agents.ts";
import type { EffectiveStatus } from "./services.ts";

/**
 * From the most urgent to the least urgent. A map that is too large omits the least urgent services
 * first.
 */
export const byUrgency: readonly EffectiveStatus[] = [
  "UNHEALTHY",
  "STALE",
  "OFFLINE",
  "UNKNOWN",
  "HEALTHY",
];

/** A row that the query for the map returns: a service with its agent. */
export interface HealthCell {
  id: string;
  code: string;
  name: string;
  /** The index of the status in `byUrgency`. */
  urgency: number;
  healthMessage: string | null;
  agentId: string;
  agentCode: string;
  agentName: string | null;
  agentStatus: AgentStatus;
  /** The number of all services, which is the same in each cell. */
  total: number;
}

export interface HealthMap {
  agents: {
    id: string;
    code: string;
    name: string | null;
    status: AgentStatus;
    services: {
      id: string;
      code: string;
      name: string;
      status: EffectiveStatus;
      healthMessage?: string;
    }[];
  }[];
  total: number;
  truncated: boolean;
}

interface ServiceFacts {
  id: string;
  code: string;
  name: string;
  status: EffectiveStatus;
  healthMessage: string | null;
}

/** The cells of each agent must be adjacent. */
export function healthMapOf(cells: readonly HealthCell[]): HealthMap {
  const agents: HealthMap["agents"] = [];
  for (const cell of cells) {
    const { agentId, agentCode: code, agentName: name, agentStatus: status } = cell;
    if (agents.at(-1)?.id !== agentId) {
      agents.push({ id: agentId, code, name, status, services: [] });
    }
    const serviceStatus = byUrgency[cell.urgency] as EffectiveStatus;
    agents.at(-1)?.services.push(healthMapService({ ...cell, status: serviceStatus }));
  }
  const total = cells[0]?.total ?? 0;
  return { agents, total, truncated: cells.length < total };
}

/** Messages of healthy services are omitted. */
export function healthMapService({ id, code, name, status, healthMessage }: ServiceFacts) {
  const hasProblem = status !== "HEALTHY" && healthMessage !== null;
  return { id, code, name, status, ...(hasProblem ? { healthMessage } : {}) };
}
