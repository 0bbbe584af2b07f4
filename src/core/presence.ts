// When agents were last alive and services last reported unchanged, ahead of the database.
// Not authoritative: flushed in one transaction every second, before every read of agents and
// services, and on shutdown. A crash loses at most a second of it. (`architecture.md` "State in memory")

export class Presence {
  /** The newest flush; over when what it took is in the database, or back here. */
  flushing: Promise<void> = Promise.resolve();
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
