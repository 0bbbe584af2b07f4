// An agent polls for commands: claimed in one transaction, held until one comes, delivered again when
// the agent says that it does not hold it. (docs/decisions/0006-command-delivery.md)

import type { Command } from "../../domain/commands.ts";
import { maxHeldCommands, maxRedeliveries } from "../../domain/limits.ts";
import { wholePayload } from "../../domain/payload/payload-secrets.ts";
import type { AgentPrincipal } from "../../domain/principals.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { claimCommand, countDelivery, listOpenCommands } from "../../store/tables/commands.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { recheckAgent } from "../memory/credentials.ts";
import { agentKey, type Waiter } from "../memory/doorbell.ts";
import { commandsToStop } from "./cancellations.ts";

export interface Poll {
  /** Seconds to hold the request while nothing waits. */
  wait: number;
  limit: number;
  /** Ids that the agent has in hand; undefined when it does not say. */
  held?: string[] | undefined;
}

interface Delivery {
  id: string;
  type: Command["type"];
  serviceCode: string;
  action: string;
  payload: Command["payload"];
  expiresAt: string;
}

/** What a poll brings: commands to run, and ids of those to stop. */
interface Brought {
  commands: Delivery[];
  cancelled: string[];
}

const nothing: Brought = { commands: [], cancelled: [] };

/**
 * Answers the agent's commands, at once when some wait, else when one comes or `wait` is over. One
 * poll at a time for an agent: a newer one ends this with an empty answer. Every answer has the ids of
 * what is to be stopped; a cancellation ends a poll once, and is mentioned in those after it. Throws
 * UNAUTHORIZED or AGENT_DISABLED as soon as the agent may not go on.
 */
export function pollCommands(ctx: Ctx, agent: AgentPrincipal, poll: Poll) {
  const { core } = ctx;
  core.counters.count("agentCommandPolls");
  core.doorbell.replace(agentKey(agent.agentId));
  core.db.checkForeignChange();
  if (poll.wait === 0 && core.openWork.get(agent.agentId) === "idle") return nothing;
  return hold(ctx, agent, poll);
}

async function hold(ctx: Ctx, agent: AgentPrincipal, poll: Poll): Promise<Brought> {
  const { core } = ctx;
  const deadline = core.monotonic() + poll.wait * 1000;
  const waiter = core.doorbell.register(agentKey(agent.agentId), ctx.caller);
  try {
    while (true) {
      const { generation } = core.openWork;
      const cancelled = [...(await commandsToStop(core, agent.agentId))];
      const commands = await claim(ctx, agent, poll, waiter, cancelled.length > 0, generation);
      const brought = { commands: commands.map(toDelivery), cancelled };
      const isNews = core.cancelNotices.hasNews(agent.agentId, cancelled);
      const outcome =
        commands.length > 0 || isNews ? "news" : await waiter.wait(deadline - core.monotonic());
      if (outcome === "rung") await recheckAgent(core.db.read, agent);
      else return handOver(ctx, agent, waiter, brought);
    }
  } finally {
    waiter.close();
  }
}

/** Whoever has left, or polls anew, is not brought anything by this answer. */
function handOver(ctx: Ctx, agent: AgentPrincipal, waiter: Waiter, brought: Brought): Brought {
  if (!waiter.ended) ctx.core.cancelNotices.note(agent.agentId, brought.cancelled);
  return brought;
}

/** A look into what is committed first: the transaction is only for what is there to take. */
async function claim(
  ctx: Ctx,
  agent: AgentPrincipal,
  poll: Poll,
  waiter: Waiter,
  hasToStop: boolean,
  generation: number,
): Promise<Command[]> {
  const { core } = ctx;
  if (core.openWork.get(agent.agentId) === "idle") return [];
  const pending = await listOpenCommands(core.db.read, agent.agentId, "PENDING", poll.limit);
  const running = await listOpenCommands(core.db.read, agent.agentId, "RUNNING", maxHeldCommands);
  const isIdle = pending.length + running.length === 0 && !hasToStop;
  if (isIdle) core.openWork.set(agent.agentId, "idle", generation);
  const now = core.now();
  const due = pending.some((command) => command.expiresAt > now);
  if (!due && !running.some((command) => isLost(command, poll, now))) return [];
  return core.db.write((tx) => claimOpen(ctx, tx, agent, poll, waiter));
}

/** What was lost comes first: it is older. Never more than the agent may say that it holds. */
async function claimOpen(
  ctx: Ctx,
  tx: Tx,
  agent: AgentPrincipal,
  poll: Poll,
  waiter: Waiter,
): Promise<Command[]> {
  await recheckAgent(tx, agent);
  if (waiter.ended) return [];
  const room = Math.min(poll.limit, maxHeldCommands - (poll.held?.length ?? 0));
  const claimed: Command[] = [];
  for (const command of await listOpenCommands(tx, agent.agentId, "RUNNING", maxHeldCommands)) {
    if (claimed.length >= room) break;
    if (isLost(command, poll, tx.now)) claimed.push(await redeliver(ctx, tx, command));
  }
  for (const command of await listOpenCommands(tx, agent.agentId, "PENDING", poll.limit)) {
    if (claimed.length >= room) break;
    if (command.expiresAt > tx.now) claimed.push(await dispatchCommand(ctx, tx, command));
  }
  return claimed;
}

async function dispatchCommand(ctx: Ctx, tx: Tx, command: Command): Promise<Command> {
  // The operator waits for a prepare: its time runs from its creation, not from its claim.
  const isPrepare = command.type === "ACTION_PREPARE";
  const expiresAt = isPrepare ? command.expiresAt : tx.now + command.timeoutSeconds * 1000;
  await claimCommand(tx, command.id, expiresAt);
  await auditDelivery(ctx, tx, "command.dispatched", command, 1);
  tx.afterCommit(() => ctx.core.counters.count("commandsDispatched"));
  return { ...command, expiresAt };
}

async function redeliver(ctx: Ctx, tx: Tx, command: Command): Promise<Command> {
  await countDelivery(tx, command.id);
  await auditDelivery(ctx, tx, "command.redelivered", command, command.deliveries + 1);
  return command;
}

function auditDelivery(
  ctx: Ctx,
  tx: Tx,
  action: "command.dispatched" | "command.redelivered",
  command: Command,
  deliveries: number,
): Promise<void> {
  return audit(ctx, tx, {
    action,
    targetType: "command",
    targetId: command.id,
    metadata: { action: command.action, serviceCode: command.serviceCode, deliveries },
  });
}

/** Was delivered, and the agent says that it does not have it. */
function isLost(command: Command, poll: Poll, now: number): boolean {
  return (
    poll.held !== undefined &&
    command.status === "RUNNING" &&
    command.expiresAt > now &&
    command.deliveries <= maxRedeliveries &&
    !poll.held.includes(command.id)
  );
}

function toDelivery(command: Command): Delivery {
  const { id, type, serviceCode, action, secrets, expiresAt } = command;
  const payload = wholePayload({ ...command, secrets: secrets ?? [] });
  return { id, type, serviceCode, action, payload, expiresAt: isoTime(expiresAt) };
}
