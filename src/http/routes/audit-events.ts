// Binds the routes of api/audit-events.ts to their use cases.

import type { auditEvents } from "../../api/audit-events.ts";
import { listAuditEvents } from "../../core/audit-events.ts";
import type { HandlersOf } from "../dispatch.ts";

export const auditEventHandlers: HandlersOf<typeof auditEvents> = {
  "audit-events.list": (ctx, { query }) => listAuditEvents(ctx, query),
};
