// The handlers of api/approvals.ts.

import type { approvals } from "../../api/approvals.ts";
import type { Approval } from "../../domain/approvals/approvals.ts";
import { listApprovals } from "../../store/tables/approvals/approvals.ts";
import { requireApproval } from "../approvals/requests.ts";
import { requirementsNow } from "../approvals/requirements.ts";
import { toApprovalDetail, toListedApprovals } from "../approvals/views.ts";
import { approvalKey } from "../changes/doorbell.ts";
import { waitForChange } from "../changes/wait-for-change.ts";
import { bulkReader, type Ctx } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { approve, reject, withdraw } from "./decisions.ts";

export const handlers: HandlersOf<typeof approvals> = {
  "approvals.list": async (ctx, { query }) => {
    const db = bulkReader(ctx);
    const { items, total } = await listApprovals(db, query);
    return { items: await toListedApprovals(ctx, db, items), total };
  },
  "approvals.get": (ctx, { params, query }) => getApproval(ctx, params.approvalId, query.wait),
  "approvals.approve": (ctx, { params, body }) => approve(ctx, params.approvalId, body),
  "approvals.reject": (ctx, { params, body }) => reject(ctx, params.approvalId, body),
  "approvals.withdraw": (ctx, { params }) => withdraw(ctx, params.approvalId),
};

/** Waits until the request has ended or the time is up, and returns the request. */
async function getApproval(ctx: Ctx, id: string, waitSeconds: number) {
  const { read } = ctx.core.db;
  const approval = await waitForChange(ctx, approvalKey(id), waitSeconds * 1000, async () => {
    const answer = await requireApproval(read, id);
    return { answer, isFinal: answer.endedAt !== null };
  });
  return describe(ctx, approval);
}

/** Policies may have changed since an open request was stored. */
async function describe(ctx: Ctx, approval: Approval) {
  if (approval.endedAt !== null) return toApprovalDetail(ctx, ctx.core.db.read, approval);
  const db = bulkReader(ctx);
  const requirements = [...(await requirementsNow(ctx, db, approval))];
  return toApprovalDetail(ctx, db, { ...approval, requirements });
}
