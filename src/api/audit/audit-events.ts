import { z } from "zod";
import { actorTypes, auditResults, exportFormats } from "../../domain/audit/audit-events.ts";
import { defineRoutes } from "../contract/define-routes.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  flagQuery,
  idOf,
  jsonObject,
  longListNote,
  longListQuery,
  optionalWholeNumberQuery,
  timeSpanQuery,
  timestamp,
} from "../contract/schemas.ts";

const actorType = named("ActorType", z.enum(actorTypes));
const auditResult = named("AuditResult", z.enum(auditResults));

export const auditEvent = namedObject("AuditEvent", {
  seq: z.int(),
  id: idOf("aud"),
  at: timestamp,
  actorType,
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string().nullable(),
  result: auditResult,
  message: z.string().nullable(),
  ip: z.string().nullable().describe("Null for callers without the owner role."),
  userAgent: z.string().nullable().describe("Null for callers without the owner role."),
  requestId: z.string().nullable(),
  metadata: jsonObject,
  hash: z.string(),
});

const filterQuery = {
  action: z
    .string()
    .max(100)
    .optional()
    .describe("An action, or a prefix followed by `*`: `command.*`."),
  actorType: actorType.optional(),
  actorId: z.string().max(200).optional(),
  targetType: z.string().max(50).optional(),
  targetId: z.string().max(200).optional(),
  result: auditResult.optional(),
  ...timeSpanQuery,
};

const chainHash = z.string().regex(/^[0-9a-f]{64}$/, {
  error: "must be 64 hexadecimal digits: the hash that an earlier verification returned",
});

const chainHead = namedObject("AuditHead", { seq: z.int(), hash: z.string() });
const checkpoint = namedObject("AuditCheckpoint", { seq: z.int(), at: timestamp });
const anchorState = named(
  "AuditAnchorState",
  z.enum(["FOUND", "MISSING", "PRUNED", "NOT_REACHED"]),
);
const anchor = namedObject("AuditAnchor", { seq: z.int(), state: anchorState });
const brokenRow = namedObject("BrokenAuditRow", { seq: z.int(), reason: z.string() });
const verifiedPlace = namedObject("VerifiedAuditPlace", {
  seq: z.int(),
  at: timestamp.describe("When the verification that ended at this row began."),
  fullAt: timestamp.describe(
    "When the last verification of the whole trail began. The rows up to `seq` may have been changed since.",
  ),
});

const acceptedLoss = namedObject("AcceptedAuditLoss", {
  seq: z.int().describe("The row that records the acceptance."),
  at: timestamp,
  by: z.string().nullable(),
  lostRow: z.int().describe("The number of the newest row that was known to be gone."),
});

const pastRestore = namedObject("RecordedRestore", {
  seq: z.int().describe("The row that records the restore."),
  restoredAt: timestamp,
  by: z.string().nullable(),
  auditHead: chainHead.nullable().describe("The newest row of the restored backup."),
  replacedHead: chainHead
    .nullable()
    .describe("The newest row of the replaced trail. Null if it was empty or could not be read."),
});

const verification = namedObject("AuditVerification", {
  ok: z.boolean().describe("Whether the chain is intact: `broken` is null."),
  checked: z
    .int()
    .describe("The number of intact rows, counted from the first row that was checked."),
  firstSeq: z.int().nullable().describe("The first row that was checked."),
  lastSeq: z.int().nullable().describe("The newest row when the check began."),
  head: chainHead
    .nullable()
    .describe("The newest row. Keep a copy elsewhere, as an anchor for the next check."),
  checkpoint: checkpoint
    .nullable()
    .describe("The last pruned row. This row and all before it are deleted."),
  since: verifiedPlace
    .nullable()
    .describe(
      "Where the last verification ended, if this one began after that row. Null if this one read the whole trail.",
    ),
  anchor: anchor
    .nullable()
    .describe(
      "The result for the anchor in the request. PRUNED: the anchor is older than the checkpoint " +
        "and cannot be checked. NOT_REACHED: the chain is broken before the anchor.",
    ),
  broken: brokenRow.nullable().describe("The first row that is changed or missing."),
  acceptedLoss: acceptedLoss
    .nullable()
    .describe("The newest acceptance of a loss in the trail. Null if there is none."),
  restores: z
    .array(pastRestore)
    .describe(
      "The restores that the trail records, newest first, including those that only a replaced trail " +
        "recorded. At most 100.",
    ),
});

export const auditEvents = defineRoutes({
  "audit-events.list": {
    method: "GET",
    path: "/api/admin/audit-events",
    access: "viewer",
    summary: "List audit events, newest first",
    description:
      `${longListNote} With \`afterSeq\`, the list has only the events after that row, oldest first: a reader ` +
      "of the live stream resumes with the `seq` of the last event that it received. With filters, a page can " +
      "end before it is full. If a response has `pagination.next`, pass that as `afterSeq` to continue.",
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
    summary: "Export all audit events that match the filters, oldest first",
    description:
      "The response is streamed; an aborted response is incomplete. `json` is one array. " +
      "`jsonl` has one event per line. `csv` has a header, metadata as JSON text, and a `'` " +
      "before values that a spreadsheet would read as a formula. The audit trail first " +
      "records the export itself; the export ends before that event.",
    query: z.object({ format: z.enum(exportFormats).default("json"), ...filterQuery }),
    reply: z.array(auditEvent),
    produces: ["application/json", "application/x-ndjson", "text/csv"],
  },
  "audit-events.verify": {
    method: "GET",
    path: "/api/admin/audit-events/verify",
    access: "viewer",
    summary: "Verify the hash chain of the audit trail, and find the first broken row",
    description:
      "Checks the rows from the newest checkpoint (or else the first event) to the newest event. " +
      "With `incremental`, begins after the row where the last successful verification ended, and does " +
      "not find changes to earlier rows. " +
      "An anchor is a `head` from an earlier check, kept elsewhere; the chain must still contain " +
      "that row.",
    slowSeconds: 600,
    query: z
      .object({
        anchorSeq: optionalWholeNumberQuery(1, Number.MAX_SAFE_INTEGER),
        anchorHash: chainHash.optional(),
        incremental: flagQuery.describe(
          "Check only the rows after the last verification. If there is none to continue from, or if it " +
            "ended after the anchor, the whole trail is checked.",
        ),
      })
      .refine((query) => (query.anchorSeq === undefined) === (query.anchorHash === undefined), {
        error: "set both anchorSeq and anchorHash, or neither",
        path: ["anchorHash"],
      }),
    reply: verification,
  },
});
