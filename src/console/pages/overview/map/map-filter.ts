// Filters and sorts the services of the health map. Agents that do not change keep their objects,
// so that React does not render them again.

import { byUrgency } from "../../../../domain/fleet/health-map.ts";
import type { Reply } from "../../../client/call.ts";

type Agents = readonly AgentCells[];
export type AgentCells = Reply<"overview.health-map">["agents"][number];
type ServiceCell = AgentCells["services"][number];
type Status = ServiceCell["status"];

const healthy = byUrgency.indexOf("HEALTHY");

/** Keeps the services whose own code or agent's code contains the text, ignoring case. */
export function withText(agents: Agents, text: string): Agents {
  const search = text.trim().toLowerCase();
  if (search === "") return agents;
  const has = ({ code }: { code: string }) => code.toLowerCase().includes(search);
  return agents.flatMap((agent) => (has(agent) ? [agent] : withServices(agent, has)));
}

/** Keeps all services if no status is given. */
export function withStatus(agents: Agents, wanted: ReadonlySet<Status>): Agents {
  if (wanted.size === 0) return agents;
  return agents.flatMap((agent) => withServices(agent, ({ status }) => wanted.has(status)));
}

/** Agents of equal urgency keep their order. */
export function problemsFirst(agents: Agents): Agents {
  const ranked = agents.map((agent) => {
    const ranks = agent.services.map(({ status }) => byUrgency.indexOf(status));
    const worst = Math.min(...ranks);
    // Among agents without problems, the number of services does not matter.
    const many = worst === healthy ? 0 : ranks.filter((rank) => rank === worst).length;
    return { agent, worst, many };
  });
  return ranked.toSorted((a, b) => a.worst - b.worst || b.many - a.many).map(({ agent }) => agent);
}

export function countByStatus(agents: Agents): Record<Status, number> {
  const counts = { UNHEALTHY: 0, STALE: 0, OFFLINE: 0, UNKNOWN: 0, HEALTHY: 0 };
  for (const { services } of agents) for (const { status } of services) counts[status]++;
  return counts;
}

function withServices(agent: AgentCells, isWanted: (service: ServiceCell) => boolean): Agents {
  const services = agent.services.filter(isWanted);
  if (services.length === 0) return [];
  return [services.length === agent.services.length ? agent : { ...agent, services }];
}
