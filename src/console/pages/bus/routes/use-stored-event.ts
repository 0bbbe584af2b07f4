// The events that came in of the type that a route looks at, newest first, and the one that is chosen.

import { useState } from "react";
import { usePage } from "../../../client/queries.ts";

interface Wanted {
  /** Of the type: whole, or with `.*` at its end. */
  pattern: string;
  /** An event that somebody came with, whatever its type. */
  given: string | null;
  enabled: boolean;
}

export type StoredEvents = ReturnType<typeof useStoredEvent>;

export function useStoredEvent({ pattern, given, enabled }: Wanted) {
  const [chosen, choose] = useState(given ?? "");
  // The API knows whole types alone: of a beginning, the newest of all are looked through.
  const isExact = pattern !== "" && !pattern.endsWith(".*");
  const query = usePage(
    "bus-events.list",
    { query: isExact ? { type: pattern, pageSize: 20 } : { pageSize: 100 } },
    { enabled },
  );
  const beginning = pattern.slice(0, -1);
  const events = (query.data?.data ?? []).filter(({ type }) =>
    isExact || pattern === "" ? true : type.startsWith(beginning),
  );
  const ids = events.map(({ id }) => id);
  const other = given !== null && !ids.includes(given) ? given : null;
  const choices = other === null ? ids : [other, ...ids];
  return {
    query,
    events,
    /** The one that somebody came with, where it is none of the events. */
    other,
    /** Empty where there is none: what was chosen, or else the newest. */
    eventId: choices.includes(chosen) ? chosen : (choices[0] ?? ""),
    choose,
  };
}
