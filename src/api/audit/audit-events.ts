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
const auditResult = named(
  "AuditResult",
  z
    .enum(auditResults)
    .describe(
      "FAILURE: the operation failed. DENIED: the server refused it, because the caller has no permission.",
    ),
);

export const auditEvent = namedObject("AuditEvent", {
  seq: z.int().describe("The number of the row."),
  id: idOf("aud"),
  at: timestamp.describe("When the event was recorded."),
  actorType: actorType.describe("The type of the actor (who caused the event)."),
  actorId: z.string().nullable().describe("Null if the actor has no id."),
  actorName: z.string().nullable().describe("The name of the actor at that time."),
  action: z.string().describe("What happened, such as `command.failed`."),
  targetType: z.string().describe("The type of the target (what the event is about)."),
  targetId: z.string().nullable().describe("Null if the target has no id."),
  result: auditResult,
  message: z
    .string()
    .nullable()
    .describe("More about the event in words, such as the reason that somebody gave."),
  ip: z
    .string()
    .nullable()
    .describe("Only callers with the owner role see this value; for others, it is null."),
  userAgent: z
    .string()
    .nullable()
    .describe("Only callers with the owner role see this value; for others, it is null."),
  requestId: z.string().nullable().describe("The id of the request that caused the event."),
  metadata: jsonObject.describe("Further facts. The keys depend on the action."),
  hash: z.string().describe("The hash of the row, which also covers the previous row's hash."),
});

const filterQuery = {
  action: z
    .string()
    .max(100)
    .optional()
    .describe("An action, or a prefix followed by `*`, such as `command.*`."),
  actorType: actorType.optional().describe("Only events by this type of actor."),
  actorId: z.string().max(200).optional().describe("Only events by the actor with this id."),
  targetType: z.string().max(50).optional().describe("Only events about this type of target."),
  targetId: z.string().max(200).optional().describe("Only events about the target with this id."),
  result: auditResult.optional().describe("Only events with this result."),
  ...timeSpanQuery,
};

const chainHash = z.string().regex(/^[0-9a-f]{64}$/, {
  error: "must be 64 hexadecimal digits: the hash that an earlier verification returned",
});

const chainHead = namedObject("AuditHead", {
  seq: z.int().describe("The number of the row."),
  hash: z.string().describe("The hash of the row."),
});
const checkpoint = namedObject("AuditCheckpoint", {
  seq: z.int().describe("The number of the row."),
  at: timestamp.describe("When the row was pruned."),
});
const anchorState = named(
  "AuditAnchorState",
  z.enum(["FOUND", "MISSING", "PRUNED", "NOT_REACHED"]),
);
const anchor = namedObject("AuditAnchor", {
  seq: z.int().describe("The number of the row that the anchor names."),
  state: anchorState.describe("FOUND or MISSING: whether the trail contains that row."),
});
const brokenRow = namedObject("BrokenAuditRow", {
  seq: z.int().describe("The number of the row."),
  reason: z.string().describe("What is wrong with the row."),
});
const verifiedPlace = namedObject("VerifiedAuditPlace", {
  seq: z.int().describe("The number of the row."),
  at: timestamp.describe("The start of the verification that ended at this row."),
  fullAt: timestamp.describe(
    "When the last verification of the whole trail began. The rows up to `seq` may have been " +
      "changed since then.",
  ),
});

const acceptedLoss = namedObject("AcceptedAuditLoss", {
  seq: z.int().describe("The number of the row that records the acceptance."),
  at: timestamp.describe("When the owner accepted the loss."),
  by: z.string().nullable().describe("The owner who accepted the loss."),
  lostRow: z.int().describe("The number of the newest row that was known to be gone."),
});

const pastRestore = namedObject("RecordedRestore", {
  seq: z.int().describe("The number of the row that records the restore."),
  restoredAt: timestamp.describe("When the backup was restored."),
  by: z.string().nullable().describe("Who restored the backup."),
  auditHead: chainHead.nullable().describe("The newest row of the restored backup."),
  replacedHead: chainHead
    .nullable()
    .describe(
      "The newest row of the replaced trail. Null if that trail was empty or could not be read.",
    ),
});

const verification = namedObject("AuditVerification", {
  ok: z.boolean().describe("Whether the chain is intact. If so, `broken` is null."),
  checked: z
    .int()
    .describe(
      "The number of intact rows, counted from the first row that was checked (`firstSeq`).",
    ),
  firstSeq: z.int().nullable().describe("The first row that was checked."),
  lastSeq: z.int().nullable().describe("The newest row when the check began."),
  head: chainHead
    .nullable()
    .describe("The newest row. Keep a copy elsewhere, as an anchor for the next check."),
  checkpoint: checkpoint
    .nullable()
    .describe("The last row that was pruned. This row and all rows before it were deleted."),
  since: verifiedPlace
    .nullable()
    .describe(
      "The row where the last verification ended, if this verification began after that row. " +
        "Null if this verification read the whole trail.",
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
    .describe(
      "The newest row that records that an owner accepted a loss of rows. Null if there is none.",
    ),
  restores: z
    .array(pastRestore)
    .describe(
      "The restores that the audit trail records, newest first, at most 100. A restore replaces the trail, and records in the new trail those restores that only the old trail contained.",
    ),
});

export const auditEvents = defineRoutes({
  "audit-events.list": {
    method: "GET",
    path: "/api/admin/audit-events",
    access: "viewer",
    summary: "List audit events, newest first",
    description:
      `${longListNote} With \`afterSeq\`, the list has only the events after that row, ` +
      "oldest first. A reader of the live stream can pass the `seq` of the last event that " +
      "it received, to get the events that it missed. With filters, a page can end " +
      "before it is full. If a response has `pagination.next`, pass it as `afterSeq` to " +
      "continue.",
    query: longListQuery({
      ...filterQuery,
      afterSeq: optionalWholeNumberQuery(0, Number.MAX_SAFE_INTEGER).describe(
        "Only events after the row with this number.",
      ),
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
      "The response is streamed, so an aborted response is incomplete. The format `json` is " +
      "one array, and `jsonl` has one event per line. The format `csv` has a header line, " +
      "and contains the metadata of each event as JSON text. In `csv`, values that a " +
      "spreadsheet would read as a formula have a `'` in front. Before the export starts, " +
      "the server records it in the audit trail. The export does not contain that event.",
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
      "The check begins at the newest checkpoint, or else at the first row, and ends at " +
      "the newest row. With `incremental`, it begins after the row where the last " +
      "successful verification ended, and does not find changes to earlier rows. An anchor " +
      "is a `head` that you kept from an earlier check. The chain must still contain the row " +
      "of the anchor.",
    slowSeconds: 600,
    query: z
      .object({
        anchorSeq: optionalWholeNumberQuery(1, Number.MAX_SAFE_INTEGER).describe(
          "The `seq` of the anchor.",
        ),
        anchorHash: chainHash.optional().describe("The `hash` of the anchor."),
        incremental: flagQuery.describe(
          "Check only the rows after the last successful verification. If there is no such " +
            "verification, or if it ended after the anchor, the whole trail is checked.",
        ),
      })
      .refine((query) => (query.anchorSeq === undefined) === (query.anchorHash === undefined), {
        error: "set both anchorSeq and anchorHash, or neither",
        path: ["anchorHash"],
      }),
    reply: verification,
  },
});
