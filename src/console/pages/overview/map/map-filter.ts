// Which services the health map shows, and in which order. Agents that are shown whole stay the same
// objects: what has not changed is not drawn anew.

import type { Reply } from "../../../client/call.ts";

export type AgentCells = Reply<"overview.health-map">["agents"][number];
export type ServiceCell = AgentCells["services"][number];
export type Status = ServiceCell["status"];

/** What needs attention most comes first. */
export const statuses: readonly Status[] = ["UNHEALTHY", "STALE", "OFFLINE", "UNKNOWN", "HEALTHY"];

const urgency = Object.fromEntries(statuses.map((status, index) => [status, index])) as Record<
  Status,
  number
>;

/** Those whose code, or whose agent's code, has the text in it; letter case does not matter. */
export function withText(agents: readonly AgentCells[], text: string): readonly AgentCells[] {
  const sought = text.trim().toLowerCase();
  if (sought === "") return agents;
  const has = ({ code }: { code: string }) => code.toLowerCase().includes(sought);
  return agents.flatMap((agent) => (has(agent) ? [agent] : withServices(agent, has)));
}

/** Those in one of the states; all of them when none is named. */
export function withStatus(
  agents: readonly AgentCells[],
  wanted: ReadonlySet<Status>,
): readonly AgentCells[] {
  if (wanted.size === 0) return agents;
  return agents.flatMap((agent) => withServices(agent, ({ status }) => wanted.has(status)));
}

/** Agents with the most urgent services first; else in the order in which they were. */
export function problemsFirst(agents: readonly AgentCells[]): readonly AgentCells[] {
  const ranked = agents.map((agent) => {
    const ranks = agent.services.map(({ status }) => urgency[status]);
    const worst = Math.min(...ranks);
    return { agent, worst, many: ranks.filter((rank) => rank === worst).length };
  });
  // Among the healthy ones numbers say nothing.
  const healthy = urgency.HEALTHY;
  return ranked
    .toSorted((a, b) => a.worst - b.worst || (a.worst === healthy ? 0 : b.many - a.many))
    .map(({ agent }) => agent);
}

export function countByStatus(agents: readonly AgentCells[]): Record<Status, number> {
  const counts = { UNHEALTHY: 0, STALE: 0, OFFLINE: 0, UNKNOWN: 0, HEALTHY: 0 };
  for (const { services } of agents) for (const { status } of services) counts[status]++;
  return counts;
}

/** None when no service of it is wanted. */
function withServices(
  agent: AgentCells,
  isWanted: (service: ServiceCell) => boolean,
): [] | [AgentCells] {
  const services = agent.services.filter(isWanted);
  if (services.length === 0) return [];
  return [services.length === agent.services.length ? agent : { ...agent, services }];
}
