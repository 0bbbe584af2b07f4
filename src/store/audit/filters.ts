import { auditActions } from "../../domain/audit/audit-events.ts";
import type { Reader } from "../database.ts";
import { Filters } from "../filters.ts";

export interface AuditFilter {
  /** An exact action, or a prefix followed by `*`. */
  action?: string | undefined;
  actorType?: string | undefined;
  actorId?: string | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
  result?: string | undefined;
  /** Times are in Unix milliseconds: `from` is inclusive, `to` is exclusive. */
  from?: number | undefined;
  to?: number | undefined;
}

/** These values are so common that the partial indexes leave them out. */
const commonest = {
  actorType: { column: "actor_type", value: "AGENT" },
  targetType: { column: "target_type", value: "command" },
  result: { column: "result", value: "SUCCESS" },
} as const;

/** Returns all conditions except those on the time. */
export function filtersWithoutTime(filter: AuditFilter): Filters {
  const filters = new Filters()
    .add("actor_id = ?", filter.actorId)
    .add("target_id = ?", filter.targetId);
  for (const [name, { column, value }] of Object.entries(commonest)) {
    const wanted = filter[name as keyof typeof commonest];
    // The second condition lets SQLite use the partial index.
    const isRare = wanted !== value;
    const sql = isRare ? `${column} = ? AND ${column} <> '${value}'` : `${column} = ?`;
    filters.add(sql, wanted, isRare);
  }
  const { action } = filter;
  if (!action?.endsWith("*")) return filters.add("action = ?", action);
  return filters.oneOf("action", actionsLike(action));
}

/** Returns all conditions, including those on the time. */
export function auditFilters(filter: AuditFilter): Filters {
  return filtersWithoutTime(filter).add("at >= ?", filter.from).add("at < ?", filter.to);
}

/** Returns undefined if the pattern matches every action. An unknown prefix matches no row. */
function actionsLike(pattern: string): readonly string[] | undefined {
  const beginning = pattern.slice(0, -1);
  if (beginning === "") return undefined;
  const actions = auditActions.filter((action) => action.startsWith(beginning));
  return actions.length > 0 ? actions : [pattern];
}

/** Counts the rows after `afterSeq`. This is cheap, because row numbers have no gaps. */
export async function countAuditEvents(db: Reader, afterSeq = 0): Promise<number> {
  const row = await db.get<{ first: number | null; last: number | null }>(
    `SELECT (SELECT MIN(seq) FROM audit_events) AS "first",
       (SELECT MAX(seq) FROM audit_events) AS "last"`,
  );
  if (!row || row.first === null || row.last === null) return 0;
  return Math.max(0, row.last - Math.max(afterSeq, row.first - 1));
}
