// Applies changes from the live stream to the health map. The map is too large to be read again for
// each change.

import { healthMapService } from "../../domain/fleet/health-map.ts";
import type { Reply } from "../client/call.ts";
import { queryClient } from "../client/queries.ts";
import type { StreamMessage } from "./live-stream.ts";

type HealthMap = Reply<"overview.health-map">;
type ServiceCell = HealthMap["agents"][number]["services"][number];
type DataOf<T extends StreamMessage["type"]> = Extract<StreamMessage, { type: T }>["data"];

export const mapRoute = "overview.health-map";
const key = [mapRoute, {}];
/**
 * How long after a change the map is read again. This is necessary because the stream does not
 * report every change: if an agent is silent only between two sweeps, no message says that it is
 * back. The delay is long because the map of a large fleet has hundreds of KiB.
 */
const correctionMs = 60_000;

/** The latest states by id. */
interface Changes {
  agents: Map<string, DataOf<"agent">>;
  services: Map<string, DataOf<"service">>;
}

export class LiveMap {
  #changes = noChanges();
  /** `at` is when the map that was read at `of` must be read again. */
  #due: { at: number; of: number } | null = null;

  note({ type, data }: StreamMessage): void {
    if (type === "agent") this.#changes.agents.set(data.id, data);
    else if (type === "service") this.#changes.services.set(data.id, data);
  }

  /** Applies the changes. Returns whether and when the map must be read again. */
  update(): "now" | "later" | "not" {
    const state = queryClient.getQueryState<HealthMap>(key);
    const changes = this.#changes;
    this.#changes = noChanges();
    const hasChanges = changes.agents.size + changes.services.size > 0;
    // A read in progress may have begun before the changes.
    const isReading = state?.fetchStatus === "fetching";
    if (!state?.data) return hasChanges && isReading ? "now" : "not";
    const { data, dataUpdatedAt: of } = state;
    if (this.#due?.of !== of) this.#due = null;
    if (hasChanges) {
      const { map, isWhole } = withChanges(data, changes);
      queryClient.setQueryData(key, map, { updatedAt: of });
      this.#due ??= { at: performance.now() + correctionMs, of };
      // A truncated map lacks most services anyway.
      if (isReading || (!isWhole && !map.truncated)) this.#due.at = 0;
    }
    if (!this.#due) return "not";
    if (performance.now() < this.#due.at) return "later";
    this.#due = null;
    return "now";
  }
}

function noChanges(): Changes {
  return { agents: new Map(), services: new Map() };
}

/**
 * Keeps the objects of unchanged agents, so that React does not render them again. Leaves out
 * removed services, and agents without services, as the server does. `isWhole` is false if a
 * changed service is missing from the map or under another agent.
 */
function withChanges(map: HealthMap, changes: Changes): { map: HealthMap; isWhole: boolean } {
  let found = 0;
  let removed = 0;
  const agents = map.agents.flatMap((agent) => {
    const services = agent.services.flatMap((cell) => {
      const state = changes.services.get(cell.id);
      if (state?.agentId !== agent.id) return cell;
      if (state.removedAt) {
        removed++;
        return [];
      }
      found++;
      const next = healthMapService(state);
      return isSame(cell, next) ? cell : next;
    });
    if (services.length === 0) return [];
    const { name, status } = changes.agents.get(agent.id) ?? agent;
    const isSameAgent = name === agent.name && status === agent.status;
    const hasSameServices =
      services.length === agent.services.length &&
      services.every((cell, index) => cell === agent.services[index]);
    return isSameAgent && hasSameServices ? agent : { ...agent, name, status, services };
  });
  const managed = [...changes.services.values()].filter(({ removedAt }) => !removedAt);
  const total = map.total - removed;
  return { map: { ...map, agents, total }, isWhole: found === managed.length };
}

function isSame(one: ServiceCell, other: ServiceCell): boolean {
  const keys = ["name", "status", "healthMessage"] as const;
  return keys.every((name) => one[name] === other[name]);
}
