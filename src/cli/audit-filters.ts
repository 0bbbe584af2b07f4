// Which audit events are wanted: as flags say it, as the API takes it, and for events that come live.

import type { Routes } from "../api/index.ts";
import type { QueryInput, ReplyData } from "../api/route.ts";
import type { Io } from "./io.ts";
import { pastMoment } from "./moments.ts";

export type AuditEvent = ReplyData<Routes["audit-events.list"]>[number];

/** As the API takes them; times are ISO 8601 in UTC. */
export type AuditFilters = Omit<
  NonNullable<QueryInput<Routes["audit-events.list"]>>,
  "page" | "pageSize" | "afterSeq"
>;

/** Throws a usage error for a time that is none. */
export function auditFiltersOf(io: Io, options: Record<string, unknown>): AuditFilters {
  const { action, actor, actorType, target, targetType, result, from, to } = options as Record<
    string,
    string | undefined
  >;
  const now = io.now();
  return {
    action,
    actorType,
    actorId: actor,
    targetType,
    targetId: target,
    result,
    from: from === undefined ? undefined : pastMoment("--from", from, now),
    to: to === undefined ? undefined : pastMoment("--to", to, now),
  } as AuditFilters;
}

/** Whether the API would list the event with these filters. */
export function letsThrough(filters: AuditFilters, event: AuditEvent): boolean {
  const { action, from, to, ...exact } = filters;
  const at = Date.parse(event.at);
  return (
    (action === undefined || isLike(event.action, action)) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to)) &&
    Object.entries(exact).every(
      ([name, wanted]) => wanted === undefined || event[name as keyof typeof exact] === wanted,
    )
  );
}

function isLike(action: string, pattern: string): boolean {
  return pattern.endsWith("*") ? action.startsWith(pattern.slice(0, -1)) : action === pattern;
}
