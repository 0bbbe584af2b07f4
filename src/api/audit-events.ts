// The audit trail. (`service.md` "Audit events"; `decisions.md` 7)

import { z } from "zod";
import { actorTypes, auditResults } from "../domain/audit-events.ts";
import { defineRoutes } from "./route.ts";
import { idOf, jsonObject, pageQuery, timeQuery, timestamp } from "./schemas.ts";

export const auditEvent = z.object({
  id: idOf("aud"),
  seq: z.int(),
  at: timestamp,
  actorType: z.enum(actorTypes),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string().nullable(),
  result: z.enum(auditResults),
  message: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  metadata: jsonObject,
  hash: z.string(),
});

export const auditEvents = defineRoutes({
  "audit-events.list": {
    method: "GET",
    path: "/api/admin/audit-events",
    access: "viewer",
    summary: "List audit events, newest first",
    query: z.object({
      ...pageQuery,
      action: z
        .string()
        .max(100)
        .optional()
        .meta({ description: "Exact, or the beginning with a `*` behind it: `command.*`." }),
      actorType: z.enum(actorTypes).optional(),
      actorId: z.string().max(200).optional(),
      targetType: z.string().max(50).optional(),
      targetId: z.string().max(200).optional(),
      result: z.enum(auditResults).optional(),
      from: timeQuery,
      to: timeQuery,
    }),
    reply: z.array(auditEvent),
    paginated: true,
  },
});
