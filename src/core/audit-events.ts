// The audit trail, as operators read it. (`service.md` "Audit events"; `decisions.md` 5, 7)

import type { AuditEvent } from "../domain/audit-events.ts";
import { isoTime } from "../lib/iso-time.ts";
import { type AuditFilter, listAuditEvents as listStored } from "../store/audit-events.ts";
import type { Ctx } from "./context.ts";

export async function listAuditEvents(ctx: Ctx, filter: AuditFilter) {
  const { items, total } = await listStored(ctx.core.db.read, filter);
  return { items: items.map(toAuditView), total };
}

export function toAuditView(event: AuditEvent) {
  return { ...event, at: isoTime(event.at) };
}
