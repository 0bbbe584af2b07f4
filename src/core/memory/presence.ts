// When agents were last alive, services last reported unchanged and API keys last used, ahead of the
// database.
// Not authoritative: flushed in one transaction every second, before every read of agents and
// services, and on shutdown. A crash loses at most a second of it.
// (docs/decisions/0005-state-in-memory.md)

/** By id, Unix milliseconds. */
interface Taken {
  agents: Map<string, number>;
  services: Map<string, number>;
  keys: Map<string, number>;
}

export class Presence {
  /** The newest flush; over when what it took is in the database, or back here. */
  flushing: Promise<void> = Promise.resolve();
  #agents = new Map<string, number>();
  #services = new Map<string, number>();
  #keys = new Map<string, number>();
  /** Taken, and neither written nor back here. */
  readonly #taken = new Set<Taken>();

  /** The agent was alive at `at` (Unix milliseconds). */
  seen(agentId: string, at: number): void {
    this.#agents.set(agentId, at);
  }

  /**
   * The agent has said that it stops: nothing it did before counts as a sign of life any more, not
   * even what a flush under way has taken.
   */
  forgetAgent(agentId: string): void {
    this.#agents.delete(agentId);
    for (const { agents } of this.#taken) agents.delete(agentId);
  }

  /** These services were reported unchanged at `at`. */
  reported(serviceIds: readonly string[], at: number): void {
    for (const id of serviceIds) this.#services.set(id, at);
  }

  /** The API key was used at `at`. */
  keyUsed(keyId: string, at: number): void {
    this.#keys.set(keyId, at);
  }

  /** When the agent was last alive, if the database does not know of it yet; else null. */
  lastSeen(agentId: string): number | null {
    let last = this.#agents.get(agentId) ?? null;
    for (const { agents } of this.#taken) {
      const at = agents.get(agentId);
      if (at !== undefined && (last === null || at > last)) last = at;
    }
    return last;
  }

  /** Whether the service was reported in a way that the database does not know of yet. */
  hasReported(serviceId: string): boolean {
    if (this.#services.has(serviceId)) return true;
    for (const { services } of this.#taken) if (services.has(serviceId)) return true;
    return false;
  }

  get dirty(): boolean {
    return this.#agents.size + this.#services.size + this.#keys.size > 0;
  }

  take(): Taken {
    const taken = { agents: this.#agents, services: this.#services, keys: this.#keys };
    this.#taken.add(taken);
    this.#agents = new Map();
    this.#services = new Map();
    this.#keys = new Map();
    return taken;
  }

  /** What was taken is in the database now. */
  written(taken: Taken): void {
    this.#taken.delete(taken);
  }

  /** Puts back what could not be written, unless something newer is here. */
  restore(taken: Taken): void {
    this.#taken.delete(taken);
    putBack(this.#agents, taken.agents);
    putBack(this.#services, taken.services);
    putBack(this.#keys, taken.keys);
  }
}

function putBack(current: Map<string, number>, taken: Map<string, number>): void {
  for (const [id, at] of taken) if (!current.has(id)) current.set(id, at);
}
