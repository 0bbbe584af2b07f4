// A service passes from one agent to another: because its owner is not there any more and another
// agent reports it, or because an operator says so.

import { type Agent, offlineReasonOf } from "../../domain/agents.ts";
import { AppError } from "../../domain/errors.ts";
import type { Service } from "../../domain/services.ts";
import type { Tx } from "../../store/database.ts";
import { findAgent } from "../../store/tables/agents.ts";
import { deleteServiceClaim } from "../../store/tables/service-claims.ts";
import { findService, setServiceAgent } from "../../store/tables/services.ts";
import { isAlive } from "../agent-calls/liveness.ts";
import { audit } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";
import { noSuchAgent } from "./agents.ts";
import { getService, noSuchService } from "./services.ts";

/**
 * Gives a service to another agent, whose reports of it are taken from now on; the old owner's are
 * refused. Commands that were made before stay with the old owner. The new one must be there, or the
 * old owner's next report would take the service back. Throws SERVICE_NOT_FOUND, AGENT_NOT_FOUND,
 * AGENT_OFFLINE, AGENT_DISABLED.
 */
export async function moveService(ctx: Ctx, serviceId: string, agentId: string) {
  const { core } = ctx;
  await core.db.write(async (tx) => {
    const service = await findService(tx, serviceId);
    if (!service) throw noSuchService(serviceId);
    const agent = await findAgent(tx, agentId);
    if (!agent) throw noSuchAgent(agentId);
    if (service.agentId === agentId) return;
    requireThere(core, agent);
    await setServiceAgent(tx, serviceId, agentId);
    await deleteServiceClaim(tx, serviceId, agentId);
    await auditMove(ctx, tx, service, { agentId, agentCode: agent.code });
    core.feed.noteService(tx, serviceId);
    tx.afterCommit(() => {
      core.reportCache.invalidate(service.agentId);
      core.reportCache.invalidate(agentId);
    });
  });
  return getService(ctx, serviceId);
}

function requireThere(core: Core, agent: Agent): void {
  if (isAlive(core, agent.id, agent)) return;
  const details = { agentId: agent.id, agentCode: agent.code };
  const reason = offlineReasonOf({ ...agent, hasStopped: agent.stoppedAt !== null });
  if (reason === "DISABLED") {
    throw new AppError("AGENT_DISABLED", `The agent ${agent.code} is disabled.`, { details });
  }
  const why =
    reason === "TOKEN_REVOKED" ? "has no token" : "is offline: start it, and move the service then";
  throw new AppError("AGENT_OFFLINE", `The agent ${agent.code} ${why}.`, { details });
}

/** `reason`: why the old owner lost the service, when no operator has moved it. */
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
