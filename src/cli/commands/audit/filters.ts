// Which audit events are wanted: as flags say it, as the API takes it, and for events that come live.

import type { QueryInput, ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { resolveActor, resolveTarget } from "../../names/resolve-party.ts";
import { pastMoment } from "../../output/moments.ts";
import type { Io } from "../../terminal/io.ts";
import { mistakableType, shortTargetTypes } from "./target-types.ts";

export type AuditEvent = ReplyData<Routes["audit-events.list"]>[number];

/** As the API takes them; times are ISO 8601 in UTC. */
export type AuditFilters = Omit<
  NonNullable<QueryInput<Routes["audit-events.list"]>>,
  "page" | "pageSize" | "afterSeq" | "before"
>;

/**
 * Throws a usage error for a time that is none. Who did it and what it was done to stand there as they were
 * given: `withIds` makes ids of them. Says so when a type may be mistaken for another.
 */
export function auditFiltersOf(io: Io, options: Record<string, unknown>): AuditFilters {
  const { action, actor, actorType, target, targetType, result, from, to } = options as Record<
    string,
    string | undefined
  >;
  const now = io.now();
  const hint = mistakableType(targetType);
  if (hint !== null) io.note(`${hint}\n`);
  return {
    action,
    actorType,
    actorId: actor,
    targetType: targetType && (shortTargetTypes[targetType] ?? targetType),
    targetId: target,
    result,
    from: from === undefined ? undefined : pastMoment("--from", from, now),
    to: to === undefined ? undefined : pastMoment("--to", to, now),
  } as AuditFilters;
}

/** Throws a not-found error for a name that nothing has, and one for a name that several have. */
export async function withIds(api: Client, filters: AuditFilters): Promise<AuditFilters> {
  const { actorId, actorType, targetId, targetType } = filters;
  return {
    ...filters,
    actorId: actorId && (await resolveActor(api, actorId, actorType)),
    targetId: targetId && (await resolveTarget(api, targetId, targetType)),
  };
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
