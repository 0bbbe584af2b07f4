// Moves services between agents, when an operator requests it or the owner is not alive.

import { AppError } from "../../domain/errors.ts";
import { type Agent, offlineReasonOf } from "../../domain/fleet/agents.ts";
import type { Service } from "../../domain/fleet/services.ts";
import type { Tx } from "../../store/database.ts";
import { deleteServiceClaim } from "../../store/tables/fleet/service-claims.ts";
import { beginPeriods } from "../../store/tables/fleet/service-history.ts";
import { setServiceAgent } from "../../store/tables/fleet/services.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core, Ctx } from "../context.ts";
import { isAlive } from "../presence/action-targets.ts";
import { requireAgent } from "./agents.ts";
import { requireMayMove } from "./assigned-labels.ts";
import { getService, requireService } from "./services.ts";

/**
 * Existing commands stay with the old owner. The new owner must be alive, because otherwise the old
 * owner's next report would take the service back. Nothing runs on the service before the new owner
 * has reported it, because declared actions are valid only for the agent that declared them
 * (docs/decisions/0025-approvals.md).
 */
export async function moveService(ctx: Ctx, serviceId: string, agentId: string) {
  const { core } = ctx;
  await core.db.write(async (tx) => {
    const service = await requireService(tx, serviceId);
    const agent = await requireAgent(tx, agentId);
    if (service.agentId === agentId) return;
    requireMayMove(ctx, service, agent);
    requireAlive(core, agent);
    await setServiceAgent(tx, serviceId, agentId);
    if (service.storedStatus !== "UNKNOWN") {
      await beginPeriods(tx, [{ id: serviceId, status: "UNKNOWN" }]);
    }
    await deleteServiceClaim(tx, serviceId, agentId);
    await auditMove(ctx, tx, service, { agentId, agentCode: agent.code });
    noteChange(core, tx, "service", serviceId);
    noteChange(core, tx, "report", service.agentId);
    noteChange(core, tx, "report", agentId);
  });
  return getService(ctx, serviceId);
}

function requireAlive(core: Core, agent: Agent): void {
  if (isAlive(core, agent.id, agent)) return;
  const details = { agentId: agent.id, agentCode: agent.code };
  const reason = offlineReasonOf({ ...agent, hasStopped: agent.stoppedAt !== null });
  if (reason === "DISABLED") {
    const message = `The agent ${agent.code} is disabled.`;
    throw new AppError("AGENT_DISABLED", message, { details });
  }
  const why =
    reason === "TOKEN_REVOKED"
      ? "has no token: register it again first"
      : "is offline: start it first";
  throw new AppError("AGENT_OFFLINE", `The agent ${agent.code} ${why}.`, { details });
}

/** `reason` explains why the service moved without an operator's request. */
export function auditMove(
  ctx: Ctx,
  tx: Tx,
  service: Service,
  to: { agentId: string; agentCode: string },
  facts: { reason?: string } = {},
): Promise<void> {
  return audit(ctx, tx, {
    action: "service.moved",
    targetId: service.id,
    message: `${service.code} moved from ${service.agentCode} to ${to.agentCode}`,
    metadata: {
      code: service.code,
      from: service.agentCode,
      to: to.agentCode,
      fromAgentId: service.agentId,
      toAgentId: to.agentId,
      ...facts,
    },
  });
}
