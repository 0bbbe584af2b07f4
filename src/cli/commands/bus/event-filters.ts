// Which events of the bus are wanted: as the API takes it, and for events that arrive live.

import type { QueryInput, ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";

/** Without the event's data. */
export type ListedEvent = ReplyData<Routes["bus-events.list"]>[number];

/** As the API takes them; times are ISO 8601 in UTC. */
export type EventFilters = Omit<
  NonNullable<QueryInput<Routes["bus-events.list"]>>,
  "page" | "pageSize" | "before"
>;

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
