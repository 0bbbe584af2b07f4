// The audit trail, as operators read it. (`service.md` "Audit events"; `decisions.md` 5, 7)

import type { AuditEvent } from "../domain/audit-events.ts";
import { type AppError, validationFailed } from "../domain/errors.ts";
import { isoTime } from "../lib/iso-time.ts";
import { listAuditEventsAfter, listAuditEvents as listStored } from "../store/audit-events.ts";
import { type AuditFilter, countAuditEvents } from "../store/audit-filters.ts";
import type { BoundedPage } from "../store/bounded-list.ts";
import { boundedPage, type Further } from "./bounded-pages.ts";
import type { Ctx } from "./context.ts";

/**
 * Newest first, and how far the search went; with `afterSeq` the rows behind this one, oldest first: there
 * the search goes on until the page is full, and the total does not say how many fit the filter.
 */
export async function listAuditEvents(
  ctx: Ctx,
  { afterSeq, ...filter }: AuditFilter & BoundedPage & { afterSeq?: number | undefined },
) {
  const { read } = ctx.core.db;
  if (afterSeq === undefined) {
    if (filter.before && !/^\d+$/.test(String(filter.before.key))) throw noPlace();
    const { items, ...extent } = await listStored(read, filter);
    return boundedPage(items.map(toAuditEventView), extent);
  }
  const items = await listAuditEventsAfter(read, afterSeq, filter, () => !ctx.caller.gone);
  const { page, pageSize, before: _before, ...others } = filter;
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  const further: Further = {};
  if (!isFiltered) {
    const total = await countAuditEvents(read, afterSeq);
    return { items: items.map(toAuditEventView), total, further };
  }
  const total = (page - 1) * pageSize + items.length;
  if (items.length === pageSize) further.totalIsLowerBound = true;
  return { items: items.map(toAuditEventView), total, further };
}

function noPlace(): AppError {
  const message = "must be the `next` of an answer's pagination";
  return validationFailed([{ path: "before", message }], "query");
}

export type AuditEventView = ReturnType<typeof toAuditEventView>;

export function toAuditEventView(event: AuditEvent) {
  return { ...event, at: isoTime(event.at) };
}
