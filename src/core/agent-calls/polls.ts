// Agents claim their commands by polling. (docs/decisions/0006-command-delivery.md)

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import type { QueryOutput, ReplyData } from "../../api/contract/route.ts";
import type { Command } from "../../domain/commands.ts";
import { maxHeldCommands, maxRedeliveries } from "../../domain/limits.ts";
import { wholePayload } from "../../domain/payload/payload-secrets.ts";
import type { AgentPrincipal } from "../../domain/principals.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import {
  claimCommand,
  countDelivery,
  listOpenCommands,
  type OpenCommand,
} from "../../store/tables/commands.ts";
import { audit } from "../audit/trail.ts";
import { requireCommand } from "../commands/commands.ts";
import type { Ctx } from "../context.ts";
import { mayStillCall, recheckAgent } from "../memory/credentials.ts";
import { agentKey, type Claimant, type Waiter, type WaitOutcome } from "../memory/doorbell.ts";
import { commandsToStop } from "./cancellations.ts";

type Poll = QueryOutput<(typeof agentEndpoints)["agent.poll"]>;
type Deliveries = ReplyData<(typeof agentEndpoints)["agent.poll"]>;

const nothing: Deliveries = { commands: [], cancelled: [] };

/**
 * An agent has one poll at a time: a newer poll ends this one with an empty response. Each new
 * cancellation ends one poll early.
 */
export function pollCommands(ctx: Ctx, agent: AgentPrincipal, poll: Poll) {
  const { core } = ctx;
  core.counters.count("agentCommandPolls");
  core.doorbell.replace(agentKey(agent.agentId));
  core.db.checkForeignChange();
  if (poll.wait === 0 && core.openWork.get(agent.agentId) === "idle") return nothing;
  return hold(ctx, agent, poll);
}

async function hold(ctx: Ctx, agent: AgentPrincipal, poll: Poll): Promise<Deliveries> {
  const { core } = ctx;
  const deadline = core.monotonic() + poll.wait * 1000;
  const waiter = core.doorbell.register(agentKey(agent.agentId), ctx.caller);
  const held = new HeldPoll(ctx, agent, poll, waiter);
  try {
    while (true) {
      const { generation } = core.openWork;
      const cancelled = [...(await commandsToStop(core, agent.agentId))];
      const commands = await claim(ctx, agent, poll, waiter, cancelled.length > 0, generation);
      const isNews = core.cancelNotices.hasNews(agent.agentId, cancelled);
      const outcome =
        commands.length > 0 || isNews ? "news" : await waiter.wait(deadline - core.monotonic());
      if (outcome === "rung" && held.claimed.length === 0) {
        await recheckAgent(core.db.read, agent);
        continue;
      }
      // Cancellations count as sent only if the caller still waits for this response.
      if (!waiter.ended) core.cancelNotices.note(agent.agentId, cancelled);
      return { commands: [...commands, ...held.claimed].map(toDelivery), cancelled };
    }
  } finally {
    waiter.close();
  }
}

/** Reads first, so that a transaction is needed only if there is a command to claim. */
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
  return core.db.write((tx) => claimOpen(ctx, tx, agent, poll, waiter), agent);
}

/**
 * Claims a new command in the transaction that creates it, if the poll waits: then there is no older
 * one. So one commit, with one flush, is enough for both.
 */
class HeldPoll implements Claimant {
  /** The commands that were claimed, when they are durable. */
  readonly claimed: Command[] = [];
  #claims = 0;
  readonly #ctx: Ctx;
  readonly #agent: AgentPrincipal;
  readonly #poll: Poll;
  readonly #waiter: Waiter;

  constructor(ctx: Ctx, agent: AgentPrincipal, poll: Poll, waiter: Waiter) {
    this.#ctx = ctx;
    this.#agent = agent;
    this.#poll = poll;
    this.#waiter = waiter;
    waiter.claimant = this;
  }

  async claim(tx: Tx, command: Command): Promise<Command | null> {
    if (this.#claims >= roomOf(this.#poll)) return null;
    let claimed: Command | null = null;
    this.#begin();
    tx.afterCommit(() => {
      if (claimed) this.claimed.push(claimed);
      this.#end(claimed ? "rung" : null);
    });
    tx.afterRollback(() => this.#end(null));
    // The next look finds out whether the command has become RUNNING.
    tx.ifUnconfirmed(() => this.#end("rung"));
    if ((await mayStillCall(tx, this.#agent)) && !this.#waiter.ended) {
      const expiresAt = deadlineOf(command, tx.now);
      const status = "RUNNING";
      claimed = { ...command, status, startedAt: tx.now, expiresAt, deliveries: 1 };
    }
    return claimed;
  }

  auditClaim(tx: Tx, command: Command): Promise<void> {
    return auditDispatch(this.#ctx, tx, command);
  }

  /** Until the transaction has ended, the response must wait: it may contain the command. */
  #begin(): void {
    this.#claims++;
    this.#waiter.keep();
  }

  #end(outcome: WaitOutcome | null): void {
    this.#claims--;
    this.#waiter.release(outcome);
  }
}

/** Claims lost commands first, because they are older, and no more than `held` can list. */
async function claimOpen(ctx: Ctx, tx: Tx, agent: AgentPrincipal, poll: Poll, waiter: Waiter) {
  const { agentId } = agent;
  const [running, pending] = await Promise.all([
    listOpenCommands(tx, agentId, "RUNNING", maxHeldCommands),
    listOpenCommands(tx, agentId, "PENDING", poll.limit),
    recheckAgent(tx, agent),
  ]);
  if (waiter.ended) return [];
  const lost = running.filter((command) => isLost(command, poll, tx.now));
  const due = pending.filter(({ expiresAt }) => expiresAt > tx.now);
  const claimed = [...lost, ...due].slice(0, roomOf(poll)).map(async ({ id }) => {
    const command = await requireCommand(tx, id);
    const isPending = command.status === "PENDING";
    return (isPending ? dispatchCommand : redeliver)(ctx, tx, command);
  });
  return Promise.all(claimed);
}

/** How many commands the response can contain. */
function roomOf({ limit, held = [] }: Poll): number {
  return Math.max(0, Math.min(limit, maxHeldCommands - held.length));
}

async function dispatchCommand(ctx: Ctx, tx: Tx, command: Command): Promise<Command> {
  const expiresAt = deadlineOf(command, tx.now);
  await claimCommand(tx, command.id, expiresAt);
  await auditDispatch(ctx, tx, command);
  return { ...command, expiresAt };
}

/** An operator is waiting for a prepare, so its time limit starts when it is created. */
function deadlineOf(command: Command, now: number): number {
  const isPrepare = command.type === "ACTION_PREPARE";
  return isPrepare ? command.expiresAt : now + command.timeoutSeconds * 1000;
}

async function auditDispatch(ctx: Ctx, tx: Tx, command: Command): Promise<void> {
  await auditDelivery(ctx, tx, "command.dispatched", command, 1);
  tx.afterCommit(() => ctx.core.counters.count("commandsDispatched"));
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
  const metadata = { action: command.action, serviceCode: command.serviceCode, deliveries };
  return audit(ctx, tx, { action, targetId: command.id, metadata });
}

function isLost(command: OpenCommand, poll: Poll, now: number): boolean {
  return (
    poll.held !== undefined &&
    command.status === "RUNNING" &&
    command.expiresAt > now &&
    command.deliveries <= maxRedeliveries &&
    !poll.held.includes(command.id)
  );
}

function toDelivery(command: Command): Deliveries["commands"][number] {
  const { id, type, serviceCode, action, secrets, expiresAt } = command;
  const payload = wholePayload({ ...command, secrets: secrets ?? [] });
  return { id, type, serviceCode, action, payload, expiresAt: isoTime(expiresAt) };
}
