// The handlers of api/approvals.ts.

import type { approvals } from "../../api/approvals.ts";
import type { Approval } from "../../domain/approvals/approvals.ts";
import { listApprovals } from "../../store/tables/approvals/approvals.ts";
import { requireApproval } from "../approvals/requests.ts";
import { requirementsNow } from "../approvals/requirements.ts";
import { toApprovalDetail, toListedApprovals } from "../approvals/views.ts";
import { approvalKey } from "../changes/doorbell.ts";
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

/** Returns the request when it has ended, or as it is when the time is up. */
async function getApproval(ctx: Ctx, id: string, waitSeconds: number) {
  const { core } = ctx;
  const { read } = core.db;
  const deadline = core.monotonic() + waitSeconds * 1000;
  const waiter = core.doorbell.register(approvalKey(id), ctx.caller);
  try {
    while (true) {
      const approval = await requireApproval(read, id);
      if (approval.endedAt !== null) return await toApprovalDetail(ctx, read, approval);
      const outcome = await waiter.wait(deadline - core.monotonic());
      if (outcome !== "rung") return await describe(ctx, await requireApproval(read, id));
    }
  } finally {
    waiter.close();
  }
}

/** Policies may have changed since an open request was stored. */
async function describe(ctx: Ctx, approval: Approval) {
  const db = bulkReader(ctx);
  if (approval.endedAt !== null) return toApprovalDetail(ctx, db, approval);
  const requirements = [...(await requirementsNow(ctx, db, approval))];
  return toApprovalDetail(ctx, db, { ...approval, requirements });
}
