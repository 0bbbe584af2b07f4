// The handlers of api/audit/audit-events.ts.

import type { auditEvents } from "../../api/audit/audit-events.ts";
import type { HandlersOf } from "../handlers.ts";
import { listAuditEvents } from "./audit-events.ts";
import { exportAuditEvents } from "./export.ts";
import { verifyAuditEvents } from "./verification.ts";

export const handlers: HandlersOf<typeof auditEvents> = {
  "audit-events.list": (ctx, { query }) => listAuditEvents(ctx, query),
  "audit-events.export": (ctx, { query: { format, ...filter } }) =>
    exportAuditEvents(ctx, format, filter),
  "audit-events.verify": (ctx, { query: { anchorSeq: seq, anchorHash: hash, incremental } }) =>
    verifyAuditEvents(ctx, {
      anchor: seq === undefined || hash === undefined ? null : { seq, hash },
      incremental,
    }),
};
