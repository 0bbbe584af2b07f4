// What this process remembers of the agents' polls. delivery.ts explains how it is used.

import type { AgentPrincipal } from "../../domain/access/principals.ts";
import type { AuditRow } from "../../domain/audit/audit-events.ts";
import type { Command } from "../../domain/commands/commands.ts";
import type { Waiter } from "../changes/doorbell.ts";
import { InvalidatedMap } from "../changes/invalidated-map.ts";

/** A poll that has not been answered yet. */
export interface HeldPoll {
  agent: AgentPrincipal;
  /** The call that the audit row of a claim names. */
  call: AuditRow["call"];
  waiter: Waiter;
  /** How many commands the response can contain. */
  room: number;
  /** The commands that were claimed while the poll waited. These claims are committed. */
  claimed: Command[];
  /** The number of claims whose transaction has not ended, or has ended with an unknown outcome. */
  unsure: number;
}

export class Polls {
  /** The newest poll of each agent, by the agent's id. */
  readonly #held = new Map<string, HeldPoll>();
  /** The cancellations that were sent to each agent in the response to a poll. */
  readonly #sent = new Map<string, ReadonlySet<string>>();
  /**
   * Agents without an open command, whose polls need no read, and agents without a command to stop,
   * whose heartbeats need no read.
   */
  readonly idle = new InvalidatedMap<string, "idle" | "none to stop">();

  hold(poll: HeldPoll): void {
    this.#held.set(poll.agent.agentId, poll);
  }

  answered(poll: HeldPoll): void {
    const { agentId } = poll.agent;
    if (this.#held.get(agentId) === poll) this.#held.delete(agentId);
  }

  /** Returns the agent's poll if it waits for a command. */
  waiting(agentId: string): HeldPoll | null {
    const poll = this.#held.get(agentId);
    return poll?.waiter.isWaiting ? poll : null;
  }

  /** Wakes polls that may have claimed a command in a transaction whose outcome is unknown. */
  ringUnsure(): void {
    for (const { unsure, waiter } of this.#held.values()) if (unsure > 0) waiter.ring();
  }

  /** Whether at least one of these cancellations has not been sent to the agent yet. */
  hasUnsent(agentId: string, cancelled: readonly string[]): boolean {
    const sent = this.#sent.get(agentId);
    return cancelled.some((id) => !sent?.has(id));
  }

  noteSent(agentId: string, cancelled: readonly string[]): void {
    if (cancelled.length > 0) this.#sent.set(agentId, new Set(cancelled));
    else this.#sent.delete(agentId);
  }
}
