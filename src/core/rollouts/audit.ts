import type { AuditAction } from "../../domain/audit/audit-events.ts";
import type { Rollout } from "../../domain/rollouts/rollouts.ts";
import type { Tx } from "../../store/database.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";

export function auditRollout(
  ctx: Ctx,
  tx: Tx,
  { id, name, action, reason }: Pick<Rollout, "id" | "name" | "action" | "reason">,
  event: Extract<AuditAction, `rollout.${string}`>,
  facts: object = {},
): Promise<void> {
  const isCreated = event === "rollout.created";
  return audit(ctx, tx, {
    action: event,
    targetId: id,
    result: event === "rollout.failed" ? "FAILURE" : "SUCCESS",
    ...(isCreated && reason !== null ? { message: reason } : {}),
    metadata: { name, action, ...facts },
  });
}
