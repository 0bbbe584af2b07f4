// Deletes an OFFLINE agent with its services and tokens. Commands and bus events keep its name.

import { AppError } from "../../domain/errors.ts";
import type { Agent } from "../../domain/fleet/agents.ts";
import type { Tx } from "../../store/database.ts";
import { findActiveToken } from "../../store/tables/access/agent-tokens.ts";
import { countOpenCommandsOf } from "../../store/tables/commands/commands.ts";
import { deleteAgent as deleteStoredAgent } from "../../store/tables/fleet/agents.ts";
import { listServiceCodes } from "../../store/tables/fleet/services.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core, Ctx } from "../context.ts";
import { isAlive } from "../presence/action-targets.ts";
import { requireAgent } from "./agents.ts";
import { requireMayDeleteAgent } from "./assigned-labels.ts";
import { hasOpenCommands, removeService } from "./service-deletion.ts";

/** Kept small, because each service can have hundreds of actions. */
const servicesAtOnce = 10;

/** Deleting many services takes several transactions, each of which checks the agent again. */
export async function deleteAgent(ctx: Ctx, id: string) {
  let isGone = false;
  while (!isGone) isGone = await ctx.core.db.write((tx) => deleteSome(ctx, tx, id));
  return { id, deleted: true as const };
}

/** Returns whether the agent itself was deleted. */
async function deleteSome(ctx: Ctx, tx: Tx, id: string): Promise<boolean> {
  const { core } = ctx;
  const agent = await requireAgent(tx, id);
  await requireGone(core, tx, agent);
  await requireMayDeleteAgent(ctx, tx, agent);
  const services = await listServiceCodes(tx, id, servicesAtOnce);
  for (const service of services) {
    const whole = { ...service, agentId: id, agentCode: agent.code };
    if (!(await removeService(ctx, tx, whole))) return false;
  }
  if (services.length === servicesAtOnce) return false;
  await deleteStoredAgent(tx, id);
  const metadata = { code: agent.code, mode: agent.mode };
  await audit(ctx, tx, { action: "agent.deleted", targetId: id, metadata });
  noteChange(core, tx, "agent", id);
  return true;
}

async function requireGone(core: Core, tx: Tx, agent: Agent): Promise<void> {
  const { id, code, status } = agent;
  const notOffline = (so: string) => {
    const message = `The agent ${code} is ${so} it can be deleted once it is OFFLINE.`;
    return new AppError("AGENT_NOT_OFFLINE", message, { details: { status } });
  };
  if (status === "DISABLED") {
    throw notOffline("DISABLED, so that nothing can register with its code. Enable it first:");
  }
  const hasActiveToken = (await findActiveToken(tx, id)) !== null;
  if (isAlive(core, id, { ...agent, hasActiveToken })) {
    throw notOffline("ONLINE. Stop it, or revoke its token:");
  }
  const open = await countOpenCommandsOf(tx, { agentId: id });
  if (open > 0) throw hasOpenCommands("AGENT_HAS_OPEN_COMMANDS", `The agent ${code}`, open);
}
