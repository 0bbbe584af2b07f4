// An agent reports that it stops, so that it is OFFLINE at once.

import type { AgentPrincipal } from "../../domain/principals.ts";
import { markStopped, touchAgent } from "../../store/tables/agents.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { recheckAgent } from "../memory/credentials.ts";
import { agentKey } from "../memory/doorbell.ts";

/**
 * Marks the agent as OFFLINE until its next call. Calls in progress do not count: its long poll ends without
 * a command. Repeating it changes nothing. Throws UNAUTHORIZED or AGENT_DISABLED.
 */
export async function sayGoodbye(ctx: Ctx, agent: AgentPrincipal): Promise<Record<string, never>> {
  const { core } = ctx;
  const { agentId } = agent;
  // Before and after the transaction: no earlier poll may claim a command now.
  core.doorbell.replace(agentKey(agentId));
  await core.db.write(async (tx) => {
    await recheckAgent(tx, agent);
    // In the transaction, so that a flush that follows it finds no earlier sign of life.
    core.presence.agents.delete(agentId);
    await touchAgent(tx, agentId, tx.now);
    if (!(await markStopped(tx, agentId))) return;
    const metadata = { code: agent.agentCode };
    await audit(ctx, tx, { action: "agent.stopped", targetId: agentId, metadata });
    tx.afterCommit(() => core.doorbell.replace(agentKey(agentId)));
  });
  return {};
}
