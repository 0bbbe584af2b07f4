// Stores and ends requests for approval.

import type { Approval, EndState, Requester } from "../../domain/approvals/approvals.ts";
import { found } from "../../domain/errors.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  endApproval,
  findApproval,
  insertApproval,
  listOpenApprovalsOf,
} from "../../store/tables/approvals/approvals.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import type { Ctx } from "../context.ts";
import type { CounterName } from "../presence/counters.ts";
import type { Demand } from "./demands.ts";
import { shownDigest } from "./digests.ts";
import { noteEnded, noteOpened } from "./open-requests.ts";

/** What is to run, and what its approvers see of it. */
export type Draft = Pick<
  Approval,
  | "kind"
  | "title"
  | "action"
  | "serviceId"
  | "serviceCode"
  | "subjectId"
  | "content"
  | "digest"
  | "withheld"
  | "secrets"
  | "reason"
>;

/**
 * Stores a request, which then waits for its approvers. Throws VALIDATION_FAILED if the requester
 * has too many.
 */
export async function openRequest(
  ctx: Ctx,
  tx: Tx,
  draft: Draft,
  { demand, requester }: { demand: Demand; requester: Requester },
): Promise<Approval> {
  await noteOpened(tx, requester);
  const approval: Approval = {
    ...newApproval(ctx, tx, draft, demand, requester),
    state: "AWAITING_APPROVAL",
    expiresAt: tx.now + demand.expiresAfterSeconds * 1000,
  };
  await insertApproval(tx, approval);
  await auditApproval(ctx, tx, approval, "approval.requested", {
    ...(approval.reason === null ? {} : { message: approval.reason }),
    digest: shownDigest(ctx.core, approval),
  });
  count(ctx, tx, "approvalsRequested");
  return approval;
}

/** Records that an owner does something without the approval that policies require. */
export async function recordBypass(
  ctx: Ctx,
  tx: Tx,
  draft: Draft,
  { demand, requester, why }: { demand: Demand; requester: Requester; why: string },
  commandId: string | null = null,
): Promise<Approval> {
  const approval: Approval = {
    ...newApproval(ctx, tx, draft, demand, requester),
    state: "BYPASSED",
    stateReason: why,
    secrets: null,
    commandId,
    expiresAt: tx.now,
    endedAt: tx.now,
  };
  await insertApproval(tx, approval);
  await auditApproval(ctx, tx, approval, "approval.bypassed", {
    message: why,
    ...(commandId === null ? {} : { commandId }),
  });
  count(ctx, tx, "approvalsBypassed");
  const { id: approvalId, title } = approval;
  const policies = policiesOf(approval);
  tx.afterCommit(() =>
    ctx.core.log.warn(
      { approvalId, title, by: requester.name, why, policies },
      "an owner ran something without the approval that a policy requires",
    ),
  );
  return approval;
}

function newApproval(ctx: Ctx, tx: Tx, draft: Draft, demand: Demand, requester: Requester) {
  return {
    ...draft,
    id: ctx.core.newId("apr"),
    requirements: demand.requirements,
    requester,
    stateReason: null,
    commandId: null,
    createdAt: tx.now,
    endedAt: null,
  };
}

const endings = {
  APPROVED: { action: null, counter: "approvalsApproved" },
  REJECTED: { action: "approval.rejected", counter: "approvalsRejected" },
  WITHDRAWN: { action: "approval.withdrawn", counter: null },
  EXPIRED: { action: "approval.expired", counter: "approvalsExpired" },
  OUTDATED: { action: "approval.outdated", counter: null },
  FAILED: { action: "approval.failed", counter: null },
} as const;

/**
 * Ends an open request. Returns false if it has ended already. `approve` audits approvals itself,
 * because each approver gets a row.
 */
export async function endRequest(
  ctx: Ctx,
  tx: Tx,
  approval: Approval,
  state: Exclude<EndState, "BYPASSED">,
  { reason = null, commandId = null }: { reason?: string | null; commandId?: string | null } = {},
): Promise<boolean> {
  if (!(await endApproval(tx, approval.id, state, { reason, commandId }))) return false;
  await noteEnded(tx, approval.requester);
  const { action, counter } = endings[state];
  if (action !== null) {
    await auditApproval(ctx, tx, approval, action, reason === null ? {} : { message: reason });
  }
  if (counter !== null) count(ctx, tx, counter);
  noteChange(ctx.core, tx, "approval", approval.id);
  return true;
}

/**
 * Ends the open requests for a rollout or schedule that was changed or deleted (OUTDATED) or given
 * up (WITHDRAWN).
 */
export async function endRequestsOf(
  ctx: Ctx,
  tx: Tx,
  subjectId: string,
  state: "OUTDATED" | "WITHDRAWN",
  reason: string | null,
): Promise<void> {
  await endRequests(ctx, tx, await listOpenApprovalsOf(tx, subjectId), state, reason);
}

export async function endRequests(
  ctx: Ctx,
  tx: Tx,
  open: readonly Approval[],
  state: "OUTDATED" | "WITHDRAWN",
  reason: string | null,
): Promise<void> {
  for (const approval of open) await endRequest(ctx, tx, approval, state, { reason });
}

type ApprovalEvent =
  | "approval.requested"
  | "approval.approved"
  | "approval.bypassed"
  | Exclude<(typeof endings)[keyof typeof endings]["action"], null>;

/** The row names the requester; its actor is the caller. */
export function auditApproval(
  ctx: Ctx,
  tx: Tx,
  approval: Approval,
  action: ApprovalEvent,
  { message, ...facts }: { message?: string } & Record<string, unknown> = {},
): Promise<void> {
  const isFailure = action === "approval.failed" || action === "approval.outdated";
  return audit(ctx, tx, {
    action,
    targetId: approval.id,
    result: isFailure ? "FAILURE" : "SUCCESS",
    ...(message === undefined ? {} : { message }),
    metadata: { ...traitsOf(approval), policies: policiesOf(approval), ...facts },
  });
}

/** Returns what all audit rows about a request contain. */
export function traitsOf({ kind, title, action, serviceCode, subjectId, requester }: Approval) {
  return {
    kind,
    title,
    action,
    ...(serviceCode === null ? {} : { serviceCode }),
    ...(subjectId === null ? {} : { subjectId }),
    requestedBy: requester.name,
    requesterId: requester.userId,
  };
}

function policiesOf({ requirements }: Approval): string[] {
  return requirements.map(({ policyName }) => policyName);
}

function count({ core }: Ctx, tx: Tx, counter: CounterName): void {
  tx.afterCommit(() => core.counters.count(counter));
}

export async function requireApproval(db: Reader, id: string): Promise<Approval> {
  return found(await findApproval(db, id), "APPROVAL_NOT_FOUND", `request for approval ${id}`);
}
