// The audit trail, as operators read it. (`service.md` "Audit events"; `decisions.md` 5, 7)

import type { AuditEvent } from "../domain/audit-events.ts";
import { isoTime } from "../lib/iso-time.ts";
import { listAuditEvents as listStored } from "../store/audit-events.ts";
import type { AuditFilter } from "../store/audit-filters.ts";
import type { Page } from "../store/filters.ts";
import type { Ctx } from "./context.ts";

export async function listAuditEvents(ctx: Ctx, filter: AuditFilter & Page) {
  const { items, total } = await listStored(ctx.core.db.read, filter);
  return { items: items.map(toAuditEventView), total };
}

export type AuditEventView = ReturnType<typeof toAuditEventView>;

export function toAuditEventView(event: AuditEvent) {
  return { ...event, at: isoTime(event.at) };
}
