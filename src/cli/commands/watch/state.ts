// The data of a live view: the newest rows, updated by the messages of the stream.

import type { StreamMessage } from "../../../client/client.ts";
import type { AuditEvent } from "../audit/filters.ts";
import { type Agent, type Command, rowsKept, type Service, type Snapshot } from "./snapshot.ts";

export type Connection = { kind: "live" } | { kind: "lost"; reason: string };

export class WatchState {
  /** Null if the state is not being updated. */
  connection: Connection | null = null;
  counts: Snapshot["counts"] = { agents: {}, services: {}, commands: {} };
  services: readonly Service[] = [];
  #agents = new Map<string, Agent>();
  #commands = new Map<string, Command>();
  #audit: AuditEvent[] = [];

  get agents(): Agent[] {
    return [...this.#agents.values()].sort((a, b) => descending(a.updatedAt, b.updatedAt));
  }

  /** Ids are in order of time. */
  get commands(): Command[] {
    return [...this.#commands.values()].sort((a, b) => descending(a.id, b.id));
  }

  get audit(): readonly AuditEvent[] {
    return this.#audit;
  }

  begin({ commands, audit, ...numbers }: Snapshot): void {
    this.#commands = new Map(commands.map((command) => [command.id, command]));
    this.#audit = audit;
    this.#agents.clear();
    this.renew(numbers);
  }

  renew({ counts, agents, services }: Pick<Snapshot, "counts" | "agents" | "services">): void {
    this.counts = counts;
    this.services = services;
    // A list that is not full contains every agent, so the others were deleted.
    if (agents.length < rowsKept) this.#agents.clear();
    for (const agent of agents) this.#agents.set(agent.id, agent);
    this.#agents = firstOf(this.agents);
  }

  /** Returns whether the message can have changed the counts. */
  apply(message: StreamMessage): boolean {
    switch (message.type) {
      case "audit":
        this.#addEvent(message.data);
        return false;
      case "command":
        this.#commands.set(message.data.id, message.data);
        this.#commands = firstOf(this.commands);
        return true;
      case "agent":
        this.#agents.set(message.data.id, message.data);
        this.#agents = firstOf(this.agents);
        return true;
      default:
        return true;
    }
  }

  #addEvent(event: AuditEvent): void {
    if (event.seq <= (this.#audit[0]?.seq ?? 0)) return;
    this.#audit = [event, ...this.#audit].slice(0, rowsKept);
  }
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}

function firstOf<T extends { id: string }>(sorted: T[]): Map<string, T> {
  return new Map(sorted.slice(0, rowsKept).map((item) => [item.id, item]));
}
