// Notices when two programs use one agent's token, for example after a host was cloned. Neither
// program then gets the commands that the other one runs.
// (docs/decisions/0006-command-delivery.md)

import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { noInstances, succeeded } from "../../domain/fleet/agent-instances.ts";
import type { Tx } from "../../store/database.ts";
import {
  findAgentInstances,
  saveAgentInstances,
} from "../../store/tables/fleet/agent-instances.ts";
import { recheckAgent } from "../access/credentials.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core, Ctx } from "../context.ts";

/** Returns a promise only if the program is not known to be the agent's current one. */
export function noteInstance(
  ctx: Ctx,
  agent: AgentPrincipal,
  instance: string | undefined,
): undefined | Promise<void> {
  if (instance === undefined) return undefined;
  const known = ctx.core.instances.get(agent.agentId);
  return known?.instance === instance ? undefined : lookUp(ctx, agent, instance);
}

async function lookUp(ctx: Ctx, agent: AgentPrincipal, instance: string): Promise<void> {
  if (await isCurrent(ctx.core, agent, instance)) return;
  await ctx.core.db.write((tx) => replace(ctx, tx, agent, instance));
  await isCurrent(ctx.core, agent, instance);
}

/** Returns whether `instance` is the agent's current one. If so, caches the stored state. */
async function isCurrent(
  { db, instances }: Core,
  { agentId }: AgentPrincipal,
  instance: string,
): Promise<boolean> {
  const { generation } = instances;
  const stored = await findAgentInstances(db.read, agentId);
  if (stored?.instance !== instance) return false;
  instances.set(agentId, stored, generation);
  return true;
}

async function replace(ctx: Ctx, tx: Tx, agent: AgentPrincipal, instance: string): Promise<void> {
  await recheckAgent(tx, agent);
  const { agentId, agentCode: code } = agent;
  const before = (await findAgentInstances(tx, agentId)) ?? noInstances;
  if (before.instance === instance) return;
  const after = succeeded(before, instance, tx.now);
  await saveAgentInstances(tx, agentId, after);
  noteChange(ctx.core, tx, "instance", agentId);
  if (after.duplicatedAt === before.duplicatedAt) return;
  const facts = { action: "agent.duplicated", result: "FAILURE", targetId: agentId } as const;
  await auditRepeated(ctx, tx, { ...facts, metadata: { code } });
}

/**
 * Prevents earlier commands from being delivered again, because a new registration may come from a
 * program that knows nothing of them.
 */
export async function stopRedelivery(tx: Tx, agentId: string): Promise<void> {
  const before = (await findAgentInstances(tx, agentId)) ?? noInstances;
  await saveAgentInstances(tx, agentId, { ...before, redeliverFrom: tx.now });
}
