// The audit trail.

import { z } from "zod";
import { actorTypes, auditResults, exportFormats } from "../../domain/audit/audit-events.ts";
import { defineRoutes } from "../contract/route.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  idOf,
  jsonObject,
  longListQuery,
  optionalWholeNumberQuery,
  timeSpanQuery,
  timestamp,
} from "../contract/schemas.ts";

const actorType = named("ActorType", z.enum(actorTypes));
const auditResult = named("AuditResult", z.enum(auditResults));

export const auditEvent = namedObject("AuditEvent", {
  id: idOf("aud"),
  seq: z.int(),
  at: timestamp,
  actorType,
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string().nullable(),
  result: auditResult,
  message: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  metadata: jsonObject,
  hash: z.string(),
});

const filterQuery = {
  action: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Exact, or the beginning with a `*` behind it: `command.*`." }),
  actorType: actorType.optional(),
  actorId: z.string().max(200).optional(),
  targetType: z.string().max(50).optional(),
  targetId: z.string().max(200).optional(),
  result: auditResult.optional(),
  ...timeSpanQuery,
};

const chainHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: "must be 64 hexadecimal digits, as verify tells them" });

const chainHead = namedObject("AuditHead", { seq: z.int(), hash: z.string() });
const checkpoint = namedObject("AuditCheckpoint", { seq: z.int(), at: timestamp });
const anchorState = named(
  "AuditAnchorState",
  z.enum(["FOUND", "MISSING", "PRUNED", "NOT_REACHED"]),
);
const anchor = namedObject("AuditAnchor", { seq: z.int(), state: anchorState });
const brokenRow = namedObject("BrokenAuditRow", { seq: z.int(), reason: z.string() });

const verification = namedObject("AuditVerification", {
  ok: z.boolean().meta({ description: "Nothing was found: `broken` is null." }),
  checked: z.int().meta({ description: "How many rows fit, from the first on." }),
  firstSeq: z.int().nullable().meta({ description: "The first row that was checked." }),
  lastSeq: z.int().nullable().meta({ description: "The newest row when it began." }),
  head: chainHead.nullable().meta({
    description: "The newest row: to be kept elsewhere, as an anchor for the next time.",
  }),
  checkpoint: checkpoint
    .nullable()
    .meta({ description: "What pruning has left: rows up to it are gone." }),
  anchor: anchor.nullable().meta({
    description:
      "The anchor that was given. PRUNED: it lies below the checkpoint and cannot be checked. " +
      "NOT_REACHED: the chain is broken before it.",
  }),
  broken: brokenRow
    .nullable()
    .meta({ description: "The first row that does not fit, or is not there." }),
});

export const auditEvents = defineRoutes({
  "audit-events.list": {
    method: "GET",
    path: "/api/admin/audit-events",
    access: "viewer",
    summary: "List audit events, newest first",
    description:
      "Where there are very many, `pagination.total` is a lower bound. With `afterSeq` only the events " +
      "after that row are listed, oldest first: a reader of the live stream resumes with the `seq` of " +
      "the last event it received. With filters a page may end before it is full: as long as there is " +
      "a `pagination.next`, give it as `afterSeq`.",
    query: longListQuery({
      ...filterQuery,
      afterSeq: optionalWholeNumberQuery(0, Number.MAX_SAFE_INTEGER),
    }),
    reply: z.array(auditEvent),
    paginated: true,
  },
  "audit-events.export": {
    method: "GET",
    path: "/api/admin/audit-events/export",
    access: "viewer",
    summary: "Export audit events, oldest first, all that the filters let through",
    description:
      "Streamed: an answer that breaks off is not whole. `json` is one array, `jsonl` an event in each " +
      "line, `csv` has a header, metadata as JSON text, and a `'` before what a spreadsheet would take " +
      "for a formula. The export is itself audited first, and ends before that event.",
    query: z.object({ format: z.enum(exportFormats).default("json"), ...filterQuery }),
    reply: z.array(auditEvent),
    produces: ["application/json", "application/x-ndjson", "text/csv"],
  },
  "audit-events.verify": {
    method: "GET",
    path: "/api/admin/audit-events/verify",
    access: "viewer",
    summary: "Verify the chain of audit events, and name the first that does not fit",
    description:
      "From the newest checkpoint, or the very first event, to the newest. An anchor is a head that was " +
      "kept elsewhere: the chain must still contain it.",
    slowSeconds: 600,
    query: z
      .object({
        anchorSeq: optionalWholeNumberQuery(1, Number.MAX_SAFE_INTEGER),
        anchorHash: chainHash.optional(),
      })
      .refine((query) => (query.anchorSeq === undefined) === (query.anchorHash === undefined), {
        error: "anchorSeq and anchorHash come together",
        path: ["anchorHash"],
      }),
    reply: verification,
  },
});
