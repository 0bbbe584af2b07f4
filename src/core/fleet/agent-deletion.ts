// Deletes an agent that is gone, with its services and tokens. Its commands and bus events stay, with the
// names that they keep.

import type { Agent } from "../../domain/agents.ts";
import { AppError } from "../../domain/errors.ts";
import type { Tx } from "../../store/database.ts";
import { findActiveToken } from "../../store/tables/agent-tokens.ts";
import { deleteAgent as deleteStoredAgent, findAgent } from "../../store/tables/agents.ts";
import { countOpenCommandsOf } from "../../store/tables/commands.ts";
import { listServiceCodes } from "../../store/tables/services.ts";
import { isAlive } from "../agent-calls/liveness.ts";
import { audit } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";
import { agentKey } from "../memory/doorbell.ts";
import { noSuchAgent } from "./agents.ts";
import { hasOpenCommands, removeService } from "./service-deletion.ts";

/** Services that one transaction deletes: each may have hundreds of actions. */
const servicesAtOnce = 10;

/**
 * Deletes an OFFLINE agent without open commands; its token is refused from now on. It may register
 * again, as a new agent. An agent with many services takes several transactions, and each looks again
 * whether the agent is still gone. Throws AGENT_NOT_FOUND, AGENT_NOT_OFFLINE, AGENT_HAS_OPEN_COMMANDS.
 */
export async function deleteAgent(ctx: Ctx, id: string) {
  let isGone = false;
  while (!isGone) isGone = await ctx.core.db.write((tx) => deleteSome(ctx, tx, id));
  return { id, deleted: true as const };
}

/** Returns whether nothing is left of it. */
async function deleteSome(ctx: Ctx, tx: Tx, id: string): Promise<boolean> {
  const { core } = ctx;
  const agent = await findAgent(tx, id);
  if (!agent) throw noSuchAgent(id);
  await requireGone(core, tx, agent);
  const services = await listServiceCodes(tx, id, servicesAtOnce);
  for (const service of services) {
    await removeService(ctx, tx, { ...service, agentId: id, agentCode: agent.code });
  }
  if (services.length === servicesAtOnce) return false;
  await deleteStoredAgent(tx, id);
  await audit(ctx, tx, {
    action: "agent.deleted",
    targetId: id,
    metadata: { code: agent.code, mode: agent.mode },
  });
  tx.afterCommit(() => {
    core.credentials.forget();
    core.reportCache.invalidate(id);
    core.doorbell.ring(agentKey(id));
  });
  return true;
}

async function requireGone(core: Core, tx: Tx, agent: Agent): Promise<void> {
  const { id, code, status } = agent;
  const details = { status };
  if (status === "DISABLED") {
    throw new AppError(
      "AGENT_NOT_OFFLINE",
      `The agent ${code} is DISABLED, and may not come back under this code. Enable it to lift that; ` +
        "it can be deleted once it is OFFLINE.",
      { details },
    );
  }
  const hasActiveToken = (await findActiveToken(tx, id)) !== null;
  if (isAlive(core, id, { ...agent, hasActiveToken })) {
    throw new AppError(
      "AGENT_NOT_OFFLINE",
      `The agent ${code} is ONLINE. Stop it, or revoke its token: it can be deleted once it is OFFLINE.`,
      { details },
    );
  }
  const open = await countOpenCommandsOf(tx, { agentId: id });
  if (open > 0) throw hasOpenCommands("AGENT_HAS_OPEN_COMMANDS", `The agent ${code}`, open);
}
