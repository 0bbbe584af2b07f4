// Which events of the bus are wanted: as flags say it, as the API takes it, and for events that come live.

import type { QueryInput, ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { resolveAgent, resolveRoute } from "../names/resolve.ts";
import { pastMoment } from "../output/moments.ts";
import type { Io } from "../terminal/io.ts";

/** Without the event's data. */
export type ListedEvent = ReplyData<Routes["bus-events.list"]>[number];

/** As the API takes them; times are ISO 8601 in UTC. */
export type EventFilters = Omit<
  NonNullable<QueryInput<Routes["bus-events.list"]>>,
  "page" | "pageSize" | "before"
>;

/** Asks the server for what is called by name. Throws a usage error for a time that is none. */
export async function eventFiltersOf(
  io: Io,
  api: Client,
  options: Record<string, unknown>,
): Promise<EventFilters> {
  const { type, source, agent, route, from, to } = options as Record<string, string | undefined>;
  const now = io.now();
  const times = {
    from: from === undefined ? undefined : pastMoment("--from", from, now),
    to: to === undefined ? undefined : pastMoment("--to", to, now),
  };
  return {
    type,
    source,
    agentId: agent === undefined ? undefined : await resolveAgent(api, agent),
    routeId: route === undefined ? undefined : await resolveRoute(api, route),
    ...times,
  } as EventFilters;
}

/** Whether the API would list the event with these filters. */
export function letsThrough(filters: EventFilters, event: ListedEvent): boolean {
  const { routeId, from, to, ...exact } = filters;
  const at = Date.parse(event.receivedAt);
  return (
    (routeId === undefined || event.routes.some((match) => match.routeId === routeId)) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to)) &&
    Object.entries(exact).every(
      ([name, wanted]) => wanted === undefined || event[name as keyof typeof exact] === wanted,
    )
  );
}
