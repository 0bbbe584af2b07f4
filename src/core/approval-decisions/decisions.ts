// Approves, rejects and withdraws requests. (docs/decisions/0025-approvals.md)

import { mayActAs, roleOf } from "../../domain/access/principals.ts";
import { type Approval, mayDecide } from "../../domain/approvals/approvals.ts";
import { AppError } from "../../domain/errors.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Tx } from "../../store/database.ts";
import { findUser } from "../../store/tables/access/users.ts";
import {
  listDecisions,
  putDecision,
  setRequirements,
} from "../../store/tables/approvals/approvals.ts";
import { type Demand, demandFor } from "../approvals/demands.ts";
import { shownDigest } from "../approvals/digests.ts";
import { requesterOf } from "../approvals/gate.ts";
import { approversIn, type Basis, neededFor } from "../approvals/permits.ts";
import { requesterContext } from "../approvals/requesters.ts";
import { auditApproval, endRequest, requireApproval, traitsOf } from "../approvals/requests.ts";
import { type ApprovalDetail, requestersOf, toApprovalDetail } from "../approvals/views.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import type { Ctx } from "../context.ts";
import { type Subject, subjectOf } from "./carrying-out.ts";
import { endUnapproved } from "./ending.ts";

/** A refusal is returned instead of thrown, so that its audit row is committed. */
type Verdict = { refusal: AppError } | { detail: ApprovalDetail };

interface Approving {
  digest: string;
  comment?: string | undefined;
}

/**
 * Records an approval. If the present policies demand no further approval, the request runs in
 * the same transaction. A repeated approval is not recorded again, but the approvals are counted
 * again, because users and policies may have changed. Throws the errors of `approvals.approve`.
 */
export async function approve(ctx: Ctx, id: string, { digest, comment }: Approving) {
  return decide(ctx, id, async (tx, approval, userId, subject, demand) => {
    if (digest !== shownDigest(ctx.core, approval)) throw otherDigest(approval);
    if ("change" in subject) {
      await endUnapproved(ctx, tx, approval, "OUTDATED", subject.change);
      return;
    }
    const decisions = await listDecisions(tx, id);
    const isNew = !decisions.some((each) => each.userId === userId && each.decision === "APPROVE");
    const made = isNew ? [await record(ctx, tx, approval, userId, "APPROVE", comment)] : [];
    const note = async (facts: object) => {
      if (!isNew) return;
      await auditApproval(ctx, tx, approval, "approval.approved", {
        ...(comment === undefined ? {} : { message: comment }),
        digest: shownDigest(ctx.core, approval),
        ...facts,
      });
    };
    const approvedBy = await approversIn(tx, [...decisions, ...made]);
    const requesters = await requestersOf(tx, approval);
    const basis: Basis = { kind: "approved", approvalId: id, approvedBy, requesters };
    const hold = neededFor(demand, basis);
    if (hold !== null) {
      await note({ unmet: hold.unmet.map(({ policyName }) => policyName) });
      return;
    }
    const requester = await requesterContext(ctx, tx, approval);
    if (typeof requester === "string") {
      await note({});
      await endUnapproved(ctx, tx, approval, "FAILED", requester);
      return;
    }
    const commandId = await subject.run(requester, basis);
    await note(commandId === null ? {} : { commandId });
    await endRequest(ctx, tx, approval, "APPROVED", { commandId });
  });
}

export async function reject(ctx: Ctx, id: string, { reason }: { reason: string }) {
  return decide(ctx, id, async (tx, approval, userId) => {
    await record(ctx, tx, approval, userId, "REJECT", reason);
    await endUnapproved(ctx, tx, approval, "REJECTED", redactText(reason));
  });
}

/** The requester and owners may withdraw a request. Throws FORBIDDEN. */
export async function withdraw(ctx: Ctx, id: string): Promise<ApprovalDetail> {
  return ctx.core.db.write(async (tx) => {
    const approval = await requireApproval(tx, id);
    requireOpen(approval);
    const caller = await requesterOf(ctx, tx);
    const isOwn = caller?.userId != null && caller.userId === approval.requester.userId;
    if (!isOwn && !mayActAs(roleOf(ctx.principal), "owner")) {
      const message = "Only the requester and owners can withdraw a request.";
      throw new AppError("FORBIDDEN", message);
    }
    await endUnapproved(ctx, tx, approval, "WITHDRAWN");
    return toApprovalDetail(ctx, tx, await requireApproval(tx, id));
  });
}

/** Runs `work` if the request is open and the present policies let the caller decide it. */
async function decide(
  ctx: Ctx,
  id: string,
  work: (
    tx: Tx,
    approval: Approval,
    userId: string,
    subject: Subject,
    demand: Demand | null,
  ) => Promise<void>,
): Promise<ApprovalDetail> {
  const verdict = await ctx.core.db.write(async (tx): Promise<Verdict> => {
    const stored = await requireApproval(tx, id);
    // The job that ends expired requests may be late.
    if (stored.endedAt === null && stored.expiresAt <= tx.now) {
      await endUnapproved(ctx, tx, stored, "EXPIRED");
      return { refusal: wrongState({ ...stored, state: "EXPIRED" }) };
    }
    requireOpen(stored);
    const subject = await subjectOf(ctx, tx, stored);
    const demand = "change" in subject ? null : await demandFor(tx, subject.actions);
    const approval = "change" in subject ? stored : await withRequirements(tx, stored, demand);
    const refusal = await refusalFor(ctx, tx, approval);
    if (refusal) {
      await auditRefusal(ctx, tx, approval, refusal);
      return { refusal };
    }
    const { userId } = ctx.principal as { userId: string };
    await work(tx, approval, userId, subject, demand);
    return { detail: await toApprovalDetail(ctx, tx, await requireApproval(tx, id)) };
  });
  if ("refusal" in verdict) throw verdict.refusal;
  return verdict.detail;
}

async function withRequirements(
  tx: Tx,
  approval: Approval,
  demand: Demand | null,
): Promise<Approval> {
  const requirements = demand?.requirements ?? [];
  if (jsonEqual(requirements, approval.requirements)) return approval;
  await setRequirements(tx, approval.id, requirements);
  return { ...approval, requirements };
}

/**
 * Returns why the caller may not decide, or null. The user's present state in the database counts.
 */
async function refusalFor(ctx: Ctx, tx: Tx, approval: Approval): Promise<AppError | null> {
  const { principal } = ctx;
  const requesters = await requestersOf(tx, approval);
  const caller = await requesterOf(ctx, tx);
  if (caller?.userId && requesters.includes(caller.userId)) {
    const message =
      caller.userId === approval.requester.makerId && caller.userId !== approval.requester.userId
        ? "You created the API key that asked for this, so somebody else must decide."
        : "You have asked for this yourself, so somebody else must decide.";
    return new AppError("OWN_REQUEST", message);
  }
  if (principal.kind !== "user") {
    const what = principal.kind === "apiKey" ? "An API key" : "A command with --db";
    const message = `${what} cannot decide requests: sign in as a user.`;
    return new AppError("NOT_AN_APPROVER", message);
  }
  const user = await findUser(tx, principal.userId);
  if (user && mayDecide(approval.requirements, user, requesters)) return null;
  const policies = approval.requirements.map(({ policyName }) => policyName).join(", ");
  const message = `You are not one of the approvers of this request (${policies}).`;
  return new AppError("NOT_AN_APPROVER", message);
}

function auditRefusal(ctx: Ctx, tx: Tx, approval: Approval, { code, message }: AppError) {
  return auditRepeated(ctx, tx, {
    action: "approval.refused",
    targetId: approval.id,
    result: "DENIED",
    message,
    metadata: { ...traitsOf(approval), code },
  });
}

async function record(
  { principal }: Ctx,
  tx: Tx,
  { id }: Approval,
  userId: string,
  decision: "APPROVE" | "REJECT",
  comment: string | undefined,
) {
  const made = {
    userId,
    username: principal.kind === "user" ? principal.username : "",
    decision,
    comment: comment === undefined ? null : redactText(comment),
    decidedAt: tx.now,
  };
  await putDecision(tx, id, made);
  return made;
}

function requireOpen(approval: Approval): void {
  if (approval.endedAt !== null) throw wrongState(approval);
}

function wrongState({ id, state, endedAt }: Approval): AppError {
  const message = `The request has already ended as ${state}.`;
  return new AppError("APPROVAL_WRONG_STATE", message, {
    details: { approvalId: id, state, endedAt: endedAt === null ? null : isoTime(endedAt) },
  });
}

function otherDigest({ id }: Approval): AppError {
  const message = "The request does not have this digest. Read it again before you approve it.";
  return new AppError("APPROVAL_DIGEST_MISMATCH", message, { details: { approvalId: id } });
}
