// Binds the routes of api/audit/audit-events.ts to their use cases.

import type { auditEvents } from "../../api/audit/audit-events.ts";
import { listAuditEvents } from "../../core/audit/audit-events.ts";
import { exportAuditEvents } from "../../core/audit/export.ts";
import { verifyAuditEvents } from "../../core/audit/verification.ts";
import type { HandlersOf } from "../dispatch.ts";

export const auditEventHandlers: HandlersOf<typeof auditEvents> = {
  "audit-events.list": (ctx, { query }) => listAuditEvents(ctx, query),
  "audit-events.export": (ctx, { query: { format, ...filter } }) =>
    exportAuditEvents(ctx, format, filter),
  "audit-events.verify": (ctx, { query: { anchorSeq: seq, anchorHash: hash } }) =>
    verifyAuditEvents(ctx, seq === undefined || hash === undefined ? null : { seq, hash }),
};
