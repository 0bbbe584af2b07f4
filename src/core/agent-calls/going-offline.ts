// An agent says that it stops, so that operators need not wait until its silence is noticed.

import type { AgentPrincipal } from "../../domain/principals.ts";
import { markStopped, touchAgent } from "../../store/tables/agents.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { recheckAgent } from "../memory/credentials.ts";
import { agentKey } from "../memory/doorbell.ts";

/**
 * Marks the agent as OFFLINE until its next call. Calls that are already in progress do not count as one: its
 * held poll ends without a command. Repeating it changes nothing. Throws UNAUTHORIZED or AGENT_DISABLED.
 */
export async function sayGoodbye(ctx: Ctx, agent: AgentPrincipal): Promise<Record<string, never>> {
  const { core } = ctx;
  const { agentId } = agent;
  // Before the transaction and behind it: no poll that came before it may claim anything now.
  core.doorbell.replace(agentKey(agentId));
  await core.db.write(async (tx) => {
    await recheckAgent(tx, agent);
    // In the transaction: a flush that is queued behind it must find nothing older than this.
    core.presence.agents.delete(agentId);
    await touchAgent(tx, agentId, tx.now);
    if (!(await markStopped(tx, agentId))) return;
    await audit(ctx, tx, {
      action: "agent.stopped",
      targetType: "agent",
      targetId: agentId,
      metadata: { code: agent.agentCode },
    });
    tx.afterCommit(() => core.doorbell.replace(agentKey(agentId)));
  });
  return {};
}
