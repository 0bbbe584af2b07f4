import { type Role, roleOf } from "../../domain/access/principals.ts";
import type { AuditEvent } from "../../domain/audit/audit-events.ts";
import { validationFailed } from "../../domain/errors.ts";
import { isoTime } from "../../lib/iso-time.ts";
import {
  listAuditEventsAfter,
  listAuditEvents as listStored,
} from "../../store/audit/audit-events.ts";
import { type AuditFilter, countAuditEvents } from "../../store/audit/filters.ts";
import type { BoundedPage } from "../../store/bounded-search.ts";
import { boundedPage, type PageBounds } from "../bounded-pages.ts";
import { bulkReader, type Ctx } from "../context.ts";

/** With `afterSeq`, rows come oldest first, and the total of a filtered list is a lower bound. */
export async function listAuditEvents(
  ctx: Ctx,
  { afterSeq, ...filter }: AuditFilter & BoundedPage & { afterSeq?: number | undefined },
) {
  const read = bulkReader(ctx);
  const role = roleOf(ctx.principal);
  const view = (event: AuditEvent) => toAuditEventView(event, role);
  if (afterSeq === undefined) {
    if (filter.before && !/^\d{1,15}$/.test(String(filter.before.key))) {
      const message = "must be the `pagination.next` of a response";
      throw validationFailed([{ path: "before", message }], "query");
    }
    const { items, ...extent } = await listStored(read, filter);
    return boundedPage(items.map(view), extent);
  }
  const stillThere = () => !ctx.caller.gone;
  const { items, ...extent } = await listAuditEventsAfter(read, afterSeq, filter, stillThere);
  const { next, searchedTo } = extent;
  const { page: _page, pageSize: _pageSize, before: _before, ...others } = filter;
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  const further: PageBounds = {
    ...(isFiltered && next !== null ? { totalIsLowerBound: true } : {}),
    ...(next === null ? {} : { next: String(next) }),
    ...(searchedTo === null ? {} : { searchedTo: isoTime(searchedTo) }),
  };
  const total = isFiltered ? extent.found : await countAuditEvents(read, afterSeq);
  return { items: items.map(view), total, further };
}

export type AuditEventView = ReturnType<typeof toAuditEventView>;

/** Only owners see the addresses and programs of the callers. */
export function toAuditEventView(event: AuditEvent, role: Role | null) {
  const view = { ...event, at: isoTime(event.at) };
  if (role === "owner") return view;
  // The summary rows of sign-ins list the callers' networks.
  const { networks: _, ...metadata } = view.metadata;
  return { ...view, ip: null, userAgent: null, metadata };
}
