// The filters of the audit trail, and how many rows are behind them, without reading them all.
// (`decisions.md` 5 "audit")

import { auditActions } from "../domain/audit-events.ts";
import type { Reader } from "./database.ts";
import { Filters } from "./filters.ts";

export interface AuditFilter {
  /** Exact, or a beginning with `*` behind it. */
  action?: string | undefined;
  actorType?: string | undefined;
  actorId?: string | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
  result?: string | undefined;
  /** Unix milliseconds, with it and without it. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only rows behind this one. */
  afterSeq?: number | undefined;
}

/** The values that most rows have: the partial indexes hold the others. */
const commonest = {
  actorType: { column: "actor_type", value: "AGENT" },
  targetType: { column: "target_type", value: "command" },
  result: { column: "result", value: "SUCCESS" },
} as const;

export function auditFilters(filter: AuditFilter): Filters {
  const filters = new Filters()
    .add("actor_id = ?", filter.actorId)
    .add("target_id = ?", filter.targetId);
  for (const [name, { column, value }] of Object.entries(commonest)) {
    const wanted = filter[name as keyof typeof commonest];
    // The second half lets the engine use the partial index.
    const isRare = wanted !== value;
    filters.add(isRare ? `${column} = ? AND ${column} <> '${value}'` : `${column} = ?`, wanted);
  }
  const { from, to, afterSeq } = filter;
  // Rows behind another are found by their number, and not all those of the time sorted.
  const at = afterSeq === undefined ? "at" : "COALESCE(at, 0)";
  filters.add(`${at} >= ?`, from).add(`${at} < ?`, to).add("seq > ?", afterSeq);
  if (!filter.action?.endsWith("*")) return filters.add("action = ?", filter.action);
  const actions = actionsLike(filter.action);
  if (actions === null) return filters;
  // In a range the rows are found by it, and not all those of the actions sorted.
  const isRange = hasTime(filter) || afterSeq !== undefined;
  const column = isRange ? "COALESCE(action, '')" : "action";
  return filters.always(`${column} IN (${actions.map(() => "?").join(", ")})`, ...actions);
}

/** Whether the filter names a range of time, open at one end or not. */
export function hasTime({ from, to }: AuditFilter): boolean {
  return (from ?? to) !== undefined;
}

/** The actions that begin so; null for all of them. What no action begins with, no row has. */
function actionsLike(pattern: string): readonly string[] | null {
  const beginning = pattern.slice(0, -1);
  if (beginning === "") return null;
  const actions = auditActions.filter((action) => action.startsWith(beginning));
  return actions.length > 0 ? actions : [pattern];
}

/** How many rows the filter lets through. */
export async function countAuditEvents(db: Reader, filter: AuditFilter): Promise<number> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const [name, wanted] = given[0] ?? [];
  if (name === undefined) return countAllAuditEvents(db);
  if (given.length === 1 && filter.afterSeq !== undefined) {
    return countAllAuditEvents(db, filter.afterSeq);
  }
  const { column, value } = commonest[name as keyof typeof commonest] ?? {};
  if (given.length > 1 || value !== wanted) return countWhere(db, auditFilters(filter));
  // The rows that do not have the commonest value are few, and stand in its partial index.
  const others = new Filters().always(`${column} <> '${value}'`);
  return (await countAllAuditEvents(db)) - (await countWhere(db, others));
}

/** How many rows there are, behind this one: their numbers have no gaps. */
export async function countAllAuditEvents(db: Reader, afterSeq = 0): Promise<number> {
  const row = await db.get<{ first: number | null; last: number | null }>(
    `SELECT (SELECT MIN(seq) FROM audit_events) AS "first",
       (SELECT MAX(seq) FROM audit_events) AS "last"`,
  );
  if (!row || row.first === null || row.last === null) return 0;
  return Math.max(0, row.last - Math.max(afterSeq, row.first - 1));
}

async function countWhere(db: Reader, filters: Filters): Promise<number> {
  const row = await db.get<{ total: number }>(
    `SELECT COUNT(*) AS "total" FROM audit_events ${filters.where}`,
    ...filters.params,
  );
  return row?.total ?? 0;
}
