// Approves, rejects and withdraws requests. (docs/decisions/0025-approvals.md)

import {
  type Approval,
  mayDecide,
  type Requirement,
  unmetRequirements,
} from "../../domain/approvals/approvals.ts";
import { AppError } from "../../domain/errors.ts";
import { redactText } from "../../domain/payload/redaction.ts";
import { mayActAs, roleOf } from "../../domain/principals.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { listDecisions, putDecision } from "../../store/tables/approvals.ts";
import { findUser } from "../../store/tables/users.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import type { Ctx } from "../context.ts";
import { settleForRequest, subjectOf } from "./carrying-out.ts";
import { shownDigest } from "./digests.ts";
import { endUnapproved } from "./ending.ts";
import { requesterOf } from "./gate.ts";
import { requesterContext } from "./requesters.ts";
import { auditApproval, endRequest, requireApproval, traitsOf } from "./requests.ts";
import { type ApprovalDetail, approversIn, requestersOf, toApprovalDetail } from "./views.ts";

/** A refusal is returned instead of thrown, so that its audit row is committed. */
type Verdict = { refusal: AppError } | { detail: ApprovalDetail };

interface Approving {
  digest: string;
  comment?: string | undefined;
}

/**
 * Records an approval. With the last one that is needed, the request runs in the same transaction.
 * Throws the errors of `approvals.approve`.
 */
export async function approve(ctx: Ctx, id: string, { digest, comment }: Approving) {
  await settleForRequest(ctx, id);
  return decide(ctx, id, async (tx, approval, userId) => {
    if (digest !== shownDigest(ctx.core, approval)) throw otherDigest(approval);
    const decisions = await listDecisions(tx, id);
    if (decisions.some((each) => each.userId === userId && each.decision === "APPROVE")) return;
    const subject = await subjectOf(ctx, tx, approval);
    if ("change" in subject) {
      await endUnapproved(ctx, tx, approval, "OUTDATED", subject.change);
      return;
    }
    const made = await record(ctx, tx, approval, userId, "APPROVE", comment);
    const approvers = await approversIn(tx, [...decisions, made]);
    const requesters = await requestersOf(tx, approval);
    const unmet = unmetRequirements(approval.requirements, approvers, requesters);
    if (unmet.length > 0) {
      await auditApproved(ctx, tx, approval, comment, { unmet: unmet.map(nameOf) });
      return;
    }
    const others = unmetRequirements(
      subject.requirements.filter((each) => !isAmong(approval.requirements, each)),
      approvers,
      requesters,
    );
    if (others.length > 0) {
      await auditApproved(ctx, tx, approval, comment, {});
      const change = `It comes under another policy now (${others.map(nameOf).join(", ")}).`;
      await endUnapproved(ctx, tx, approval, "OUTDATED", change);
      return;
    }
    const requester = await requesterContext(ctx, tx, approval);
    if (requester instanceof AppError) {
      await auditApproved(ctx, tx, approval, comment, {});
      await endUnapproved(ctx, tx, approval, "FAILED", requester.message);
      return;
    }
    const commandId = await subject.run(requester);
    await auditApproved(ctx, tx, approval, comment, commandId === null ? {} : { commandId });
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

/** `work` runs if the caller may decide about the request, which is open. */
async function decide(
  ctx: Ctx,
  id: string,
  work: (tx: Tx, approval: Approval, userId: string) => Promise<void>,
): Promise<ApprovalDetail> {
  const verdict = await ctx.core.db.write(async (tx): Promise<Verdict> => {
    const approval = await requireApproval(tx, id);
    // The job that ends expired requests may be late.
    if (approval.endedAt === null && approval.expiresAt <= tx.now) {
      await endUnapproved(ctx, tx, approval, "EXPIRED");
      return { refusal: wrongState({ ...approval, state: "EXPIRED" }) };
    }
    requireOpen(approval);
    const refusal = await refusalFor(ctx, tx, approval);
    if (refusal) {
      await auditRefusal(ctx, tx, approval, refusal);
      return { refusal };
    }
    const { userId } = ctx.principal as { userId: string };
    await work(tx, approval, userId);
    return { detail: await toApprovalDetail(ctx, tx, await requireApproval(tx, id)) };
  });
  if ("refusal" in verdict) throw verdict.refusal;
  return verdict.detail;
}

/** Returns why the caller may not decide, by what the database says about the user now. */
async function refusalFor(ctx: Ctx, tx: Tx, approval: Approval): Promise<AppError | null> {
  const { principal } = ctx;
  const requesters = await requestersOf(tx, approval);
  const caller = await requesterOf(ctx, tx);
  if (caller?.userId && requesters.includes(caller.userId)) {
    const message = "You have asked for this yourself, so somebody else must decide.";
    return new AppError("OWN_REQUEST", message);
  }
  if (principal.kind !== "user") {
    const what = principal.kind === "apiKey" ? "An API key" : "A command with --db";
    const message = `${what} cannot decide about requests: sign in as a user.`;
    return new AppError("NOT_AN_APPROVER", message);
  }
  const user = await findUser(tx, principal.userId);
  if (user && mayDecide(approval.requirements, user, requesters)) return null;
  const policies = approval.requirements.map(nameOf).join(", ");
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

function auditApproved(
  ctx: Ctx,
  tx: Tx,
  approval: Approval,
  comment: string | undefined,
  facts: object,
): Promise<void> {
  return auditApproval(ctx, tx, approval, "approval.approved", {
    ...(comment === undefined ? {} : { message: comment }),
    digest: shownDigest(ctx.core, approval),
    ...facts,
  });
}

function nameOf({ policyName }: Requirement): string {
  return policyName;
}

function isAmong(requirements: readonly Requirement[], { policyId }: Requirement): boolean {
  return requirements.some((each) => each.policyId === policyId);
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
