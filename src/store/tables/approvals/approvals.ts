// Stores requests for approval and the decisions about them. A request ends once.

import type {
  Approval,
  ApprovalKind,
  ApprovalState,
  Decision,
  EndState,
  Requester,
  Requirement,
} from "../../../domain/approvals/approvals.ts";
import type { CountsByStatus } from "../../../domain/metrics.ts";
import { fromJsonColumn, toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { countOf, deleter, finder, idsBefore, inserter, pageOf } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";
import { byStatus } from "../metrics.ts";

interface ApprovalRow
  extends Omit<Approval, "content" | "withheld" | "secrets" | "requirements" | "requester"> {
  content: string;
  withheld: string;
  secrets: string | null;
  requirements: string;
  requesterKind: Requester["kind"];
  requesterId: string | null;
  requesterKey: string | null;
  requesterMaker: string | null;
  requestedBy: string;
  displayName: string | null;
}

const columns = `id, kind, state, state_reason AS "stateReason", title, action,
  service_id AS "serviceId", service_code AS "serviceCode", subject_id AS "subjectId", content, digest,
  withheld, secrets, requirements, reason, requester_kind AS "requesterKind",
  requester_id AS "requesterId", requester_key AS "requesterKey",
  requester_maker AS "requesterMaker", requested_by AS "requestedBy",
  (SELECT display_name FROM users WHERE users.id = requester_id) AS "displayName",
  command_id AS "commandId", created_at AS "createdAt", expires_at AS "expiresAt",
  ended_at AS "endedAt"`;

export const findApproval = finder(`SELECT ${columns} FROM approvals WHERE id = ?`, toApproval);

/** Finds the newest request for a rollout or schedule. */
export const findApprovalOf = finder(
  `SELECT ${columns} FROM approvals WHERE subject_id = ? ORDER BY id DESC LIMIT 1`,
  toApproval,
);

interface ApprovalFilter extends Page {
  /** Matches any of these states, and any of these kinds. */
  state?: readonly ApprovalState[] | undefined;
  kind?: readonly ApprovalKind[] | undefined;
  action?: string | undefined;
  subjectId?: string | undefined;
  requesterId?: string | undefined;
}

export function listApprovals(db: Reader, filter: ApprovalFilter): Promise<Listed<Approval>> {
  const filters = new Filters()
    .oneOf("state", filter.state)
    .oneOf("kind", filter.kind)
    .add("action = ?", filter.action)
    .add("subject_id = ?", filter.subjectId)
    .add("requester_id = ?", filter.requesterId);
  return pageOf(db, [columns, "approvals", "id"], filters, filter, toApproval, sorts);
}

const sorts: Sorts = {
  title: "title",
  action: "action",
  createdAt: "id",
  expiresAt: "expires_at",
  endedAt: ["ended_at"],
};

const insert = inserter("approvals", [
  "id kind state state_reason title action service_id service_code subject_id content digest withheld",
  "secrets requirements reason requester_kind requester_id requester_key requester_maker",
  "requested_by command_id",
  "created_at expires_at ended_at",
]);

export async function insertApproval(tx: Tx, approval: Approval): Promise<void> {
  const { content, withheld, secrets, requirements, requester } = approval;
  const { kind, userId, keyId, makerId, name } = requester;
  await insert(tx, {
    ...approval,
    content: JSON.stringify(content),
    withheld: JSON.stringify(withheld),
    secrets: withheld.length === 0 ? null : toJsonColumn(secrets),
    requirements: JSON.stringify(requirements),
    requesterKind: kind,
    requesterId: userId,
    requesterKey: keyId,
    requestedBy: name,
    requesterMaker: makerId,
  });
}

/** Changes nothing if the request has ended. */
export async function setRequirements(
  tx: Tx,
  id: string,
  requirements: readonly Requirement[],
): Promise<void> {
  await run(tx)`UPDATE approvals SET requirements = ${JSON.stringify(requirements)}
     WHERE id = ${id} AND ended_at IS NULL`;
}

/** Deletes the secrets. Returns false if the request has already ended. */
export async function endApproval(
  tx: Tx,
  id: string,
  state: EndState,
  { reason = null, commandId = null }: { reason?: string | null; commandId?: string | null },
): Promise<boolean> {
  const changed = await run(tx)`UPDATE approvals SET state = ${state}, state_reason = ${reason},
     command_id = ${commandId}, ended_at = ${tx.now}, secrets = NULL
     WHERE id = ${id} AND ended_at IS NULL`;
  return changed === 1;
}

/** Lists the open requests for a rollout or schedule. */
export async function listOpenApprovalsOf(db: Reader, subjectId: string): Promise<Approval[]> {
  const rows = await db.all<ApprovalRow>(
    `SELECT ${columns} FROM approvals WHERE subject_id = ? AND ended_at IS NULL ORDER BY id`,
    subjectId,
  );
  return rows.map(toApproval);
}

/**
 * Counts the open requests of a user, including those made with the user's keys, or of a key that
 * belongs to no user.
 */
export async function countOpenApprovalsBy(
  db: Reader,
  userId: string | null,
  keyId: string | null,
): Promise<number> {
  const filters = new Filters().always("ended_at IS NULL");
  if (userId !== null) filters.always("requester_id = ?", userId);
  else if (keyId !== null) filters.always("requester_key = ?", keyId);
  return countOf(db, "approvals", filters);
}

/** What decides the requirements of a request, without its content, which can be large. */
export type OpenRequest = Pick<
  Approval,
  "id" | "kind" | "serviceId" | "subjectId" | "action" | "requirements"
>;

/** Lists the open requests in the order of their ids. `after` is the last id of the page before. */
export async function listOpenRequests(
  db: Reader,
  { after, limit }: { after: string; limit: number },
): Promise<OpenRequest[]> {
  const rows = await db.all<OpenRequest & { requirements: string }>(
    `SELECT id, kind, service_id AS "serviceId", subject_id AS "subjectId", action, requirements
     FROM approvals WHERE state = 'AWAITING_APPROVAL' AND id > ? ORDER BY id LIMIT ?`,
    after,
    limit,
  );
  return rows.map((row) => ({ ...row, requirements: fromJsonColumn(row.requirements) }));
}

/** Lists the open requests that have expired by `now`, the earliest expiry first. */
export async function listExpiredApprovals(
  db: Reader,
  now: number,
  limit: number,
): Promise<Approval[]> {
  const rows = await db.all<ApprovalRow>(
    `SELECT ${columns} FROM approvals WHERE ended_at IS NULL AND expires_at <= ?
     ORDER BY expires_at LIMIT ?`,
    now,
    limit,
  );
  return rows.map(toApproval);
}

/** Omits requests that still permit something: the runs of a schedule, or an open rollout. */
export const listEndedApprovalIds = idsBefore(
  `SELECT id FROM approvals a WHERE ended_at < ?
     AND NOT EXISTS (SELECT 1 FROM schedules s WHERE s.approval_id = a.id)
     AND NOT EXISTS (SELECT 1 FROM rollouts r WHERE r.settled_at IS NULL AND r.approval_id = a.id)
   ORDER BY ended_at LIMIT ?`,
);

/** Also deletes the decisions about the request. */
export const deleteApproval = deleter("approvals");

export function countApprovals(db: Reader): Promise<CountsByStatus<ApprovalState>> {
  return byStatus(
    db,
    `SELECT state AS "status", COUNT(*) AS "count" FROM approvals GROUP BY state`,
  );
}

export function countPendingApprovals(db: Reader): Promise<number> {
  return countOf(db, "approvals", new Filters().always("state = 'AWAITING_APPROVAL'"));
}

/** Returns how many requests were bypassed since `since`, and the newest of them. */
export async function listBypasses(
  db: Reader,
  since: number,
  limit: number,
): Promise<{ total: number; newest: Approval[] }> {
  const filters = new Filters().always("state = 'BYPASSED' AND ended_at >= ?", since);
  const rows = await db.all<ApprovalRow>(
    `SELECT ${columns} FROM approvals ${filters.where} ORDER BY id DESC LIMIT ?`,
    ...filters.params,
    limit,
  );
  return { total: await countOf(db, "approvals", filters), newest: rows.map(toApproval) };
}

/** Lists the decisions in the order in which they were made. */
export function listDecisions(db: Reader, approvalId: string): Promise<Decision[]> {
  return all(db)`SELECT user_id AS "userId", username, decision, comment,
       decided_at AS "decidedAt",
       (SELECT display_name FROM users WHERE users.id = user_id) AS "displayName"
     FROM approval_decisions WHERE approval_id = ${approvalId} ORDER BY decided_at, user_id`;
}

type NewDecision = Omit<Decision, "displayName">;

/** Replaces an earlier decision of the same user. */
export async function putDecision(tx: Tx, approvalId: string, made: NewDecision): Promise<void> {
  const { userId, username, decision, comment, decidedAt } = made;
  await run(tx)`INSERT INTO approval_decisions
       (approval_id, user_id, username, decision, comment, decided_at)
     VALUES (${approvalId}, ${userId}, ${username}, ${decision}, ${comment}, ${decidedAt})
     ON CONFLICT (approval_id, user_id) DO UPDATE SET username = excluded.username,
       decision = excluded.decision, comment = excluded.comment, decided_at = excluded.decided_at`;
}

function toApproval(row: ApprovalRow): Approval {
  const { requesterKind, requesterId, requesterKey, requesterMaker, ...other } = row;
  const { requestedBy, displayName, ...rest } = other;
  return {
    ...rest,
    content: JSON.parse(row.content),
    withheld: JSON.parse(row.withheld),
    secrets: fromJsonColumn<Approval["secrets"]>(row.secrets),
    requirements: JSON.parse(row.requirements),
    requester: {
      kind: requesterKind,
      userId: requesterId,
      keyId: requesterKey,
      makerId: requesterMaker,
      name: requestedBy,
      displayName,
    },
  };
}
