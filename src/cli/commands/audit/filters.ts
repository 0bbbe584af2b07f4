// The filters for audit events: converts flags to an API query, and filters live events.

import type { Query, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { auditActions } from "../../../domain/audit/audit-events.ts";
import { didYouMean, nearest } from "../../../lib/nearest.ts";
import { usageError } from "../../exit.ts";
import { resolveActor, resolveTarget } from "../../names/resolve-party.ts";
import { pastMoment } from "../../output/moments.ts";
import type { Io } from "../../terminal/io.ts";
import { mistakableType, shortTargetTypes } from "./target-types.ts";

export type AuditEvent = Reply<"audit-events.list">[number];

/** Times are ISO 8601 in UTC. */
export type AuditFilters = Omit<
  NonNullable<Query<"audit-events.list">>,
  "page" | "pageSize" | "afterSeq" | "before"
>;

/** Keeps names, which `withIds` replaces with ids. Throws a usage error for an invalid time. */
export function auditFiltersOf(io: Io, options: Record<string, unknown>): AuditFilters {
  const given = options as Record<string, string | undefined>;
  const { action, actor, actorType, target, targetType, result, from, to } = given;
  const now = io.now();
  for (const hint of [mistakableType(targetType), unknownAction(action)]) {
    if (hint !== null) io.note(`${hint}\n`);
  }
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

/**
 * For an action that this program does not know, returns only a hint, because a newer server may
 * know it. Throws a usage error for several actions.
 */
function unknownAction(action: string | undefined): string | null {
  if (action === undefined || auditActions.some((known) => isLike(known, action))) return null;
  if (action.includes(",")) {
    throw usageError("--action takes one action, or the beginning of several: 'system.*'.");
  }
  const more = "`platform docs reference/audit-actions` lists all.";
  return `This program knows no audit action ${action}.${didYouMean(nearest(action, auditActions))} ${more}`;
}

/** Replaces names with ids. Throws an error for an unknown or ambiguous name. */
export async function withIds(api: Client, filters: AuditFilters): Promise<AuditFilters> {
  const { actorId, actorType, targetId, targetType } = filters;
  return {
    ...filters,
    actorId: actorId && (await resolveActor(api, actorId, actorType)),
    targetId: targetId && (await resolveTarget(api, targetId, targetType)),
  };
}

/** Returns whether the API would list the event with these filters. */
export function matchesFilters(filters: AuditFilters, event: AuditEvent): boolean {
  const { action, from, to, ...exact } = filters;
  return (
    (action === undefined || isLike(event.action, action)) &&
    isBetween(event.at, from, to) &&
    hasValues(event, exact)
  );
}

function isLike(action: string, pattern: string): boolean {
  return pattern.endsWith("*") ? action.startsWith(pattern.slice(0, -1)) : action === pattern;
}

/** `to` is exclusive. A missing bound becomes NaN, for which both comparisons are false. */
export function isBetween(at: string, from?: string, to?: string): boolean {
  const time = Date.parse(at);
  return !(time < Date.parse(from ?? "")) && !(time >= Date.parse(to ?? ""));
}

export function hasValues<Row extends object>(
  row: Row,
  wanted: { [K in keyof Row]?: Row[K] | undefined },
): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || row[name as keyof Row] === value,
  );
}
