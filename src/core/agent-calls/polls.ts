// Agents claim their commands by polling. (docs/decisions/0006-command-delivery.md)

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import type { QueryOutput, ReplyData } from "../../api/contract/route.ts";
import {
  type AgentInstances,
  mayRedeliver,
  noInstances,
  settledAt,
} from "../../domain/agent-instances.ts";
import type { AuditEntry, AuditRow } from "../../domain/audit/audit-events.ts";
import type { Command } from "../../domain/commands.ts";
import { maxHeldCommands, maxRedeliveries } from "../../domain/limits.ts";
import { wholePayload } from "../../domain/payload/payload-secrets.ts";
import type { AgentPrincipal } from "../../domain/principals.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { findAgentInstances } from "../../store/tables/agent-instances.ts";
import type { AgentTokenState } from "../../store/tables/agent-tokens.ts";
import {
  claimCommands,
  countDelivery,
  listOpenCommands,
  listPendingCommands,
  listRunningCommands,
  type OpenCommand,
} from "../../store/tables/command-deliveries.ts";
import { recheckAgent, recheckAgents } from "../access/credentials.ts";
import { audit, auditAll } from "../audit/trail.ts";
import { settleAll } from "../batches.ts";
import { endOpenCommand, requireCommand } from "../commands/commands.ts";
import type { Core, Ctx } from "../context.ts";
import { agentKey, type Claimant, type Waiter, type WaitOutcome } from "../news/doorbell.ts";
import { commandsToStop } from "./cancellations.ts";
import { noteInstance } from "./instances.ts";

type Poll = QueryOutput<(typeof agentEndpoints)["agent.poll"]>;
type Deliveries = ReplyData<(typeof agentEndpoints)["agent.poll"]>;

const nothing: Deliveries = { commands: [], cancelled: [] };

/**
 * An agent has one poll at a time: a newer poll ends this one with an empty response. Each new
 * cancellation ends one poll early.
 */
export function pollCommands(ctx: Ctx, agent: AgentPrincipal, poll: Poll) {
  ctx.core.counters.count("agentCommandPolls");
  const noted = noteInstance(ctx, agent, poll.instance);
  if (noted === undefined) return begin(ctx, agent, poll);
  return noted.then(() => begin(ctx, agent, poll));
}

function begin(ctx: Ctx, agent: AgentPrincipal, poll: Poll) {
  const { core } = ctx;
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
  let isRung = false;
  try {
    while (true) {
      const { generation } = core.openWork;
      const { cancelled, open } = await look(core, agent, poll, isRung);
      const isIdle = open.length + cancelled.length === 0;
      if (isIdle) core.openWork.set(agent.agentId, "idle", generation);
      const now = core.now();
      const instances = core.instances.get(agent.agentId) ?? noInstances;
      const commands = isDue(open, poll, instances, now)
        ? await core.db.batch(claimOpen, { ctx, agent, poll, waiter }, agent.agentId)
        : [];
      const isNews = core.cancelNotices.hasNews(agent.agentId, cancelled);
      const leftMs = deadline - core.monotonic();
      const soonMs = msUntilDue(open, poll, instances, now);
      const outcome =
        commands.length > 0 || isNews ? "news" : await waiter.wait(Math.min(leftMs, soonMs));
      const isEmpty = held.claimed.length === 0;
      isRung = outcome === "rung" && isEmpty;
      if (isRung || (outcome === "time" && soonMs < leftMs && isEmpty)) continue;
      // Cancellations count as sent only if the caller still waits for this response.
      if (!waiter.ended) core.cancelNotices.note(agent.agentId, cancelled);
      return { commands: [...commands, ...held.claimed].map(toDelivery), cancelled };
    }
  } finally {
    waiter.close();
  }
}

interface Found {
  cancelled: string[];
  open: OpenCommand[];
}

/** Reads everything together, because each read of PostgreSQL is a round trip. */
async function look(
  core: Core,
  agent: AgentPrincipal,
  poll: Poll,
  mustRecheck: boolean,
): Promise<Found> {
  const { agentId } = agent;
  const isIdle = core.openWork.get(agentId) === "idle";
  const [toStop, open] = await Promise.all([
    commandsToStop(core, agentId),
    isIdle ? [] : listOpenCommands(core.db.read, agentId, poll.limit, maxHeldCommands),
    mustRecheck ? recheckAgent(core.db.read, agent) : undefined,
  ]);
  return { cancelled: [...toStop], open };
}

/** Whether there is a command to claim. Only then is a transaction needed. */
function isDue(
  open: readonly OpenCommand[],
  poll: Poll,
  instances: AgentInstances,
  now: number,
): boolean {
  return open.some((command) =>
    command.status === "PENDING" ? command.expiresAt > now : isLost(command, poll, instances, now),
  );
}

/** When a lost command can be delivered to a program that has replaced another one. */
function msUntilDue(
  open: readonly OpenCommand[],
  poll: Poll,
  instances: AgentInstances,
  now: number,
): number {
  const settled = settledAt(instances);
  const isWaiting = settled > now && open.some((each) => isLost(each, poll, instances, settled));
  return isWaiting ? settled - now : Number.POSITIVE_INFINITY;
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
  readonly agent: AgentPrincipal;
  readonly #poll: Poll;
  readonly #waiter: Waiter;

  constructor(ctx: Ctx, agent: AgentPrincipal, poll: Poll, waiter: Waiter) {
    this.#ctx = ctx;
    this.agent = agent;
    this.#poll = poll;
    this.#waiter = waiter;
    waiter.claimant = this;
  }

  claim(tx: Tx, command: Command, mayCall: boolean): Command | null {
    // The wait may have ended since the poll was found, and the poll may be claiming for itself.
    if (!this.#waiter.isWaiting || this.#claims >= roomOf(this.#poll)) return null;
    let claimed: Command | null = null;
    this.#begin();
    tx.afterCommit(() => {
      if (claimed) {
        this.claimed.push(claimed);
        this.#ctx.core.counters.count("commandsDispatched");
      }
      this.#end(claimed ? "rung" : null);
    });
    tx.afterRollback(() => this.#end(null));
    // The next look finds out whether the command has become RUNNING.
    tx.ifUnconfirmed(() => this.#end("rung"));
    if (mayCall) {
      const expiresAt = deadlineOf(command, tx.now);
      const status = "RUNNING";
      claimed = { ...command, status, startedAt: tx.now, expiresAt, deliveries: 1 };
    }
    return claimed;
  }

  dispatchOf(command: Command): AuditRow {
    return { call: this.#ctx, entry: deliveryEntry("command.dispatched", command, 1) };
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

/** A poll that claims commands. */
interface Claim {
  ctx: Ctx;
  agent: AgentPrincipal;
  poll: Poll;
  waiter: Waiter;
}

/** What a poll can get. */
interface Claimable {
  claim: Claim;
  /** Lost commands come first, because they are older. */
  again: OpenCommand[];
  due: Command[];
  unsupported: OpenCommand[];
}

/** Each poll is of another agent. */
async function claimOpen(
  tx: Tx,
  claims: readonly Claim[],
): Promise<PromiseSettledResult<Command[]>[]> {
  const recheck = await recheckAgents(
    tx,
    claims.map(({ agent }) => agent),
  );
  return settleAll(
    claims,
    async (claim) => readClaimable(tx, claim, recheck(claim.agent)),
    async (found) => {
      for (const { claim, unsupported } of found) await endUnsupported(claim.ctx, tx, unsupported);
      await dispatch(
        tx,
        found.flatMap(({ claim, due }) => due.map((command) => ({ ctx: claim.ctx, command }))),
      );
      const claimed = new Map<Claimable, Command[]>();
      for (const each of found) {
        const again = await redeliver(each.claim.ctx, tx, each.again);
        claimed.set(each, [...again, ...each.due]);
      }
      return claimed;
    },
  );
}

/** Claims no more than `held` can list. */
async function readClaimable(
  tx: Tx,
  claim: Claim,
  { agentFeatures }: AgentTokenState,
): Promise<Claimable> {
  const { agent, poll, waiter } = claim;
  const { agentId } = agent;
  const [running, pending, instances] = await Promise.all([
    listRunningCommands(tx, agentId, maxHeldCommands),
    listPendingCommands(tx, agentId, poll.limit),
    findAgentInstances(tx, agentId),
  ]);
  if (waiter.ended) return { claim, again: [], due: [], unsupported: [] };
  const lost = running.filter((each) => isLost(each, poll, instances ?? noInstances, tx.now));
  const due = pending.filter(({ expiresAt }) => expiresAt > tx.now);
  const isSafe = ({ expectedState }: OpenCommand) =>
    expectedState === null || agentFeatures.includes("plan");
  const room = roomOf(poll);
  const again = lost.filter(isSafe).slice(0, room);
  return {
    claim,
    again,
    due: due
      .filter(isSafe)
      .slice(0, room - again.length)
      .map((command) => ({ ...command, expiresAt: deadlineOf(command, tx.now) })),
    unsupported: [...lost, ...due].filter((command) => !isSafe(command)),
  };
}

/** The agent's program was replaced by one that would run these commands in any state. */
async function endUnsupported(ctx: Ctx, tx: Tx, commands: OpenCommand[]): Promise<void> {
  for (const { id } of commands) {
    await endOpenCommand(ctx, tx, await requireCommand(tx, id), "UNSUPPORTED");
  }
}

/** How many commands the response can contain. */
function roomOf({ limit, held = [] }: Poll): number {
  return Math.max(0, Math.min(limit, maxHeldCommands - held.length));
}

async function dispatch(
  tx: Tx,
  dispatched: readonly { ctx: Ctx; command: Command }[],
): Promise<void> {
  const [first] = dispatched;
  if (first === undefined) return;
  await Promise.all([
    claimCommands(
      tx,
      dispatched.map(({ command }) => command),
    ),
    auditAll(
      first.ctx.core,
      tx,
      dispatched.map(({ ctx, command }) => ({
        call: ctx,
        entry: deliveryEntry("command.dispatched", command, 1),
      })),
    ),
  ]);
  for (const { ctx } of dispatched) {
    tx.afterCommit(() => ctx.core.counters.count("commandsDispatched"));
  }
}

/** An operator is waiting for a prepare, so its time limit starts when it is created. */
function deadlineOf(command: Command, now: number): number {
  const isPrepare = command.type === "ACTION_PREPARE";
  return isPrepare ? command.expiresAt : now + command.timeoutSeconds * 1000;
}

async function redeliver(ctx: Ctx, tx: Tx, lost: readonly OpenCommand[]): Promise<Command[]> {
  const commands: Command[] = [];
  for (const { id } of lost) {
    const command = await requireCommand(tx, id);
    await countDelivery(tx, id);
    await audit(ctx, tx, deliveryEntry("command.redelivered", command, command.deliveries + 1));
    commands.push(command);
  }
  return commands;
}

function deliveryEntry(
  action: "command.dispatched" | "command.redelivered",
  { id, action: name, serviceCode }: Command,
  deliveries: number,
): AuditEntry {
  return { action, targetId: id, metadata: { action: name, serviceCode, deliveries } };
}

function isLost(command: OpenCommand, poll: Poll, instances: AgentInstances, now: number): boolean {
  return (
    poll.held !== undefined &&
    command.status === "RUNNING" &&
    command.expiresAt > now &&
    command.deliveries <= maxRedeliveries &&
    !poll.held.includes(command.id) &&
    mayRedeliver(instances, command.startedAt ?? 0, now)
  );
}

function toDelivery(command: Command): Deliveries["commands"][number] {
  const { id, type, serviceCode, action, secrets, expiresAt, expectedState } = command;
  const payload = wholePayload({ ...command, secrets: secrets ?? [] });
  const delivery = { id, type, serviceCode, action, payload, expiresAt: isoTime(expiresAt) };
  return expectedState === null ? delivery : { ...delivery, expectedState };
}
