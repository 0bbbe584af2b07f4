// Lets an agent report that it is stopping, so that it becomes OFFLINE immediately.

import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { forgetInstance } from "../../store/tables/fleet/agent-instances.ts";
import { markStopped, touchAgents } from "../../store/tables/fleet/agents.ts";
import { recheckAgent } from "../access/credentials.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import { agentKey } from "../changes/doorbell.ts";
import type { Ctx } from "../context.ts";

/** Calls in progress do not bring the agent back, and its long poll ends without a command. */
export async function goOffline(ctx: Ctx, agent: AgentPrincipal): Promise<Record<string, never>> {
  const { core } = ctx;
  const { agentId } = agent;
  // Ends the agent's poll before and after the transaction, so that no earlier poll can claim a
  // command.
  core.doorbell.replace(agentKey(agentId));
  await core.db.write(async (tx) => {
    await recheckAgent(tx, agent);
    // The change `stopped` also deletes this entry, but only after the commit. Until then, a flush
    // must not store it.
    core.presence.agents.delete(agentId);
    await touchAgents(tx, [[agentId, tx.now, null]]);
    await forgetInstance(tx, agentId);
    noteChange(core, tx, "stopped", agentId);
    if (!(await markStopped(tx, agentId))) return;
    const metadata = { code: agent.agentCode };
    await audit(ctx, tx, { action: "agent.stopped", targetId: agentId, metadata });
  });
  return {};
}
