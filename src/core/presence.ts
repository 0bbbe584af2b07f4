// When agents were last alive and services last reported unchanged, ahead of the database.
// Not authoritative: flushed in one transaction every second, before every read of agents and
// services, and on shutdown. A crash loses at most a second of it. (`architecture.md` "State in memory")

import { markOnline, touchAgent } from "../store/agents.ts";
import { touchService } from "../store/services.ts";
import { audit } from "./audit-trail.ts";
import { type Ctx, systemContext } from "./context.ts";
import type { Core } from "./context.ts";
import { writeCounters } from "./counters.ts";

export class Presence {
  #agents = new Map<string, number>();
  #services = new Map<string, number>();

  /** The agent was alive at `at` (Unix milliseconds). */
  seen(agentId: string, at: number): void {
    this.#agents.set(agentId, at);
  }

  /** These services were reported unchanged at `at`. */
  reported(serviceIds: readonly string[], at: number): void {
    for (const id of serviceIds) this.#services.set(id, at);
  }

  get dirty(): boolean {
    return this.#agents.size > 0 || this.#services.size > 0;
  }

  take(): { agents: Map<string, number>; services: Map<string, number> } {
    const taken = { agents: this.#agents, services: this.#services };
    this.#agents = new Map();
    this.#services = new Map();
    return taken;
  }

  /** Puts back what could not be written, unless something newer is here. */
  restore(taken: { agents: Map<string, number>; services: Map<string, number> }): void {
    for (const [id, at] of taken.agents) if (!this.#agents.has(id)) this.#agents.set(id, at);
    for (const [id, at] of taken.services) if (!this.#services.has(id)) this.#services.set(id, at);
  }
}

/**
 * Makes the database as fresh as memory: last signs of life, unchanged reports, counters. An agent
 * that was OFFLINE becomes ONLINE. Costs nothing when there is nothing new.
 */
export async function flushPresence(core: Core): Promise<void> {
  if (!core.presence.dirty && !core.counters.dirty) return;
  const presence = core.presence.take();
  const counters = core.counters.take();
  const ctx = systemContext(core);
  try {
    await core.db.write(async (tx) => {
      for (const [id, at] of presence.agents) {
        await touchAgent(tx, id, at);
        if (await markOnline(tx, id)) await auditOnline(ctx, tx, id);
      }
      for (const [id, at] of presence.services) await touchService(tx, id, at);
      await writeCounters(tx, counters);
    });
  } catch (error) {
    core.presence.restore(presence);
    core.counters.restore(counters);
    throw error;
  }
}

/** Before a read of agents or services: what is in memory goes to the database first. */
export async function settle(ctx: Ctx): Promise<void> {
  if (ctx.core.presence.dirty) await flushPresence(ctx.core);
}

function auditOnline(ctx: Ctx, tx: Parameters<typeof audit>[1], id: string): Promise<void> {
  return audit(ctx, tx, { action: "agent.online", targetType: "agent", targetId: id });
}
