// How a command gets to its agent. (docs/decisions/0006-command-delivery.md)
//
// An agent fetches its commands by polling. A poll that takes a command claims it: one transaction
// checks the agent's token again, makes the command RUNNING, and writes its deadline and audit row.
// The response is sent after the commit is durable. A poll can get a command in three ways:
//
// - The poll finds a pending command that is already stored, and claims it (`claimOpen`).
// - The poll is waiting when a command for its agent is created. The transaction that creates the
//   command claims it, too (`claimForWaitingPolls`), so one flush is enough for both.
// - The poll lists the commands that the agent holds, and a running one is not among them. Its
//   delivery was lost, so it is delivered again (`redeliver`).
//
// A poll that finds nothing waits at the doorbell. A ring means only that it must look again.
// polls.ts keeps what is remembered between calls.
//
// Two rules prevent a command from being delivered twice by mistake. First, a command is claimed
// only for a poll that is waiting at that moment, so no `await` may separate the check from the
// claim (`claimFor`). Second, a poll that has stopped waiting does nothing else until it knows
// whether anything was claimed for it (`becomeSure`).

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import type { QueryOutput, ReplyData } from "../../api/contract/route.ts";
import type { AgentPrincipal } from "../../domain/access/principals.ts";
import type { AuditEntry, AuditRow } from "../../domain/audit/audit-events.ts";
import type { Command } from "../../domain/commands/commands.ts";
import {
  type AgentInstances,
  mayRedeliver,
  noInstances,
  takeoverEndsAt,
} from "../../domain/fleet/agent-instances.ts";
import { cancelNoticeMs, maxHeldCommands, maxRedeliveries } from "../../domain/limits.ts";
import { wholePayload } from "../../domain/secrets/payload-secrets.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import type { AgentTokenState } from "../../store/tables/access/agent-tokens.ts";
import {
  claimCommands,
  countDelivery,
  listCommandsToStop,
  listOpenCommands,
  listPendingCommands,
  listRunningCommands,
  type OpenCommand,
} from "../../store/tables/commands/command-deliveries.ts";
import { findCommand } from "../../store/tables/commands/commands.ts";
import { findAgentInstances } from "../../store/tables/fleet/agent-instances.ts";
import { recheckAgent, recheckAgents, whoMayStillCall } from "../access/credentials.ts";
import { audit, auditAll } from "../audit/trail.ts";
import { readThenWrite } from "../batches.ts";
import { agentKey, type Waiter } from "../changes/doorbell.ts";
import type { Core, Ctx } from "../context.ts";
import { noteInstance } from "./agent-instances.ts";
import { endOpenCommand } from "./endings.ts";
import type { HeldPoll } from "./polls.ts";

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
  if (poll.wait === 0 && core.polls.idle.get(agent.agentId) === "idle") return nothing;
  return hold(ctx, agent, poll);
}

async function hold(ctx: Ctx, agent: AgentPrincipal, poll: Poll): Promise<Deliveries> {
  const { core } = ctx;
  const { polls } = core;
  const { agentId } = agent;
  const deadline = core.monotonic() + poll.wait * 1000;
  const waiter = core.doorbell.register(agentKey(agentId), ctx.caller);
  const held: HeldPoll = { agent, call: ctx, waiter, room: roomOf(poll), claimed: [], unsure: 0 };
  polls.hold(held);
  let isRung = false;
  try {
    while (true) {
      const { generation } = polls.idle;
      const { cancelled, open } = await look(core, agent, poll, isRung);
      const isIdle = open.length + cancelled.length === 0;
      if (isIdle) polls.idle.set(agentId, "idle", generation);
      const now = core.now();
      const instances = core.instances.get(agentId) ?? noInstances;
      const commands = isDue(open, poll, instances, now)
        ? await core.db.batch(claimOpen, { ctx, agent, poll, waiter }, agentId)
        : [];
      const hasUnsent = polls.hasUnsent(agentId, cancelled);
      const leftMs = deadline - core.monotonic();
      const soonMs = msUntilDue(open, poll, instances, now);
      const outcome =
        commands.length > 0 || hasUnsent ? "news" : await waiter.wait(Math.min(leftMs, soonMs));
      if (held.unsure > 0) await becomeSure(core);
      const isEmpty = held.claimed.length === 0;
      isRung = outcome === "rung" && isEmpty;
      if (isRung || (outcome === "time" && soonMs < leftMs && isEmpty)) continue;
      // Cancellations count as sent only if the caller still waits for this response.
      if (!waiter.ended) polls.noteSent(agentId, cancelled);
      return { commands: [...commands, ...held.claimed].map(toDelivery), cancelled };
    }
  } finally {
    waiter.close();
    polls.answered(held);
  }
}

/**
 * Waits for the end of every transaction that may have claimed a command for a poll: writes run one
 * after another, so a new write comes after them. If the outcome of such a transaction is unknown,
 * the next look finds out whether the command has become RUNNING. Throws AppError UNAVAILABLE.
 */
async function becomeSure({ db }: Core): Promise<void> {
  await db.write(async () => undefined);
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
  const isIdle = core.polls.idle.get(agentId) === "idle";
  const [toStop, open] = await Promise.all([
    commandsToStop(core, agentId),
    isIdle ? [] : listOpenCommands(core.db.read, agentId, core.now(), poll.limit, maxHeldCommands),
    mustRecheck ? recheckAgent(core.db.read, agent) : undefined,
  ]);
  return { cancelled: [...toStop], open };
}

/**
 * Returns the ids of cancelled commands whose end the agent has not confirmed. Returns a promise
 * only if the database must be read.
 */
export function commandsToStop(core: Core, agentId: string): readonly string[] | Promise<string[]> {
  return core.polls.idle.get(agentId) ? [] : readCommandsToStop(core, agentId);
}

async function readCommandsToStop(core: Core, agentId: string): Promise<string[]> {
  const { idle } = core.polls;
  const { generation } = idle;
  const since = core.now() - cancelNoticeMs;
  const ids = await listCommandsToStop(core.db.read, agentId, since, maxHeldCommands);
  if (ids.length === 0) idle.set(agentId, "none to stop", generation);
  return ids;
}

/** Whether there is a command to claim. If there is none, no transaction is needed. */
function isDue(
  open: readonly OpenCommand[],
  poll: Poll,
  instances: AgentInstances,
  now: number,
): boolean {
  return open.some(
    (command) => command.status === "PENDING" || isLost(command, poll, instances, now),
  );
}

/**
 * Returns how many milliseconds remain until a lost command can be delivered to a program that has
 * replaced another one; Infinity if there is no such command.
 */
function msUntilDue(
  open: readonly OpenCommand[],
  poll: Poll,
  instances: AgentInstances,
  now: number,
): number {
  const settled = takeoverEndsAt(instances);
  const isWaiting = settled > now && open.some((each) => isLost(each, poll, instances, settled));
  return isWaiting ? settled - now : Number.POSITIVE_INFINITY;
}

/** A new command in its claimed state, and the audit row of the claim. */
interface NewClaim {
  command: Command;
  row: AuditRow;
}

/** Claims commands that this transaction creates, for the polls that wait for them. */
export async function claimForWaitingPolls(
  core: Core,
  tx: Tx,
  commands: readonly Command[],
): Promise<ReadonlyMap<Command, NewClaim>> {
  const found = commands.flatMap((command) => {
    const poll = core.polls.waiting(command.agentId);
    return poll === null ? [] : [{ command, poll }];
  });
  const mayCall = await whoMayStillCall(
    tx,
    found.map(({ poll }) => poll.agent),
  );
  const claims = new Map<Command, NewClaim>();
  for (const { command, poll } of found) {
    const claimed = mayCall(poll.agent) ? claimFor(core, tx, poll, command) : null;
    if (claimed === null) continue;
    const entry = deliveryEntry("command.dispatched", claimed, 1);
    claims.set(command, { command: claimed, row: { call: poll.call, entry } });
  }
  return claims;
}

/**
 * Returns null if the poll has no room, or no longer waits: then it may be claiming commands
 * itself.
 */
function claimFor(core: Core, tx: Tx, poll: HeldPoll, command: Command): Command | null {
  if (!poll.waiter.isWaiting || poll.unsure >= poll.room) return null;
  const claimed: Command = {
    ...command,
    status: "RUNNING",
    startedAt: tx.now,
    expiresAt: deadlineOf(command, tx.now),
    deliveries: 1,
  };
  poll.unsure++;
  tx.afterRollback(() => poll.unsure--);
  // The new command then rings the doorbell, and so ends the wait.
  tx.afterCommit(() => {
    poll.unsure--;
    poll.claimed.push(claimed);
    core.counters.count("commandsDispatched");
  });
  return claimed;
}

/** A poll that claims commands. */
interface Claim {
  ctx: Ctx;
  agent: AgentPrincipal;
  poll: Poll;
  waiter: Waiter;
}

/** The commands that a poll can get. */
interface Claimable {
  claim: Claim;
  /** Lost commands come first, because they are older. */
  again: OpenCommand[];
  due: Command[];
  unsupported: OpenCommand[];
}

/** Each poll belongs to a different agent. */
async function claimOpen(
  tx: Tx,
  claims: readonly Claim[],
): Promise<PromiseSettledResult<Command[]>[]> {
  const recheck = await recheckAgents(
    tx,
    claims.map(({ agent }) => agent),
  );
  return readThenWrite(
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

/** Finds no more commands than the agent can later list in `held`. */
async function readClaimable(
  tx: Tx,
  claim: Claim,
  { agentFeatures }: AgentTokenState,
): Promise<Claimable> {
  const { agent, poll, waiter } = claim;
  const { agentId } = agent;
  const [running, due, instances] = await Promise.all([
    listRunningCommands(tx, agentId, maxHeldCommands),
    listPendingCommands(tx, agentId, tx.now, poll.limit),
    findAgentInstances(tx, agentId),
  ]);
  if (waiter.ended) return { claim, again: [], due: [], unsupported: [] };
  const lost = running.filter((each) => isLost(each, poll, instances ?? noInstances, tx.now));
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

/**
 * Ends commands that depend on a state, because the agent's new program would run them in any
 * state.
 */
async function endUnsupported(ctx: Ctx, tx: Tx, commands: OpenCommand[]): Promise<void> {
  for (const { id } of commands) {
    await endOpenCommand(ctx, tx, (await findCommand(tx, id)) as Command, "UNSUPPORTED");
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

/** An operator is waiting for a prepare command, so its time limit starts when it is created. */
function deadlineOf(command: Command, now: number): number {
  const isPrepare = command.type === "ACTION_PREPARE";
  return isPrepare ? command.expiresAt : now + command.timeoutSeconds * 1000;
}

async function redeliver(ctx: Ctx, tx: Tx, lost: readonly OpenCommand[]): Promise<Command[]> {
  const commands: Command[] = [];
  for (const { id } of lost) {
    const command = (await findCommand(tx, id)) as Command;
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
