// Which agents are known to have no open command and none to stop, so that an empty poll needs no look into the
// database, and which have none to stop, so that a heartbeat needs none. Not authoritative: an agent that is not
// known is looked up; every new or cancelled command and every foreign change makes its agent unknown again.

export class OpenWork {
  readonly #idle = new Set<string>();
  readonly #withNoneToStop = new Set<string>();
  /** Counts the changes: an answer that was read before one is not remembered after it. */
  #generation = 0;

  get generation(): number {
    return this.#generation;
  }

  isIdle(agentId: string): boolean {
    return this.#idle.has(agentId);
  }

  hasNoneToStop(agentId: string): boolean {
    return this.#idle.has(agentId) || this.#withNoneToStop.has(agentId);
  }

  /** Remembers what was read while the generation was `generation`, unless it is over. */
  noteIdle(agentId: string, generation: number): void {
    if (generation === this.#generation) this.#idle.add(agentId);
  }

  /** The same for an agent that has nothing to stop, and perhaps open commands. */
  noteNoneToStop(agentId: string, generation: number): void {
    if (generation === this.#generation) this.#withNoneToStop.add(agentId);
  }

  /** A command was made for this agent, or is to be stopped by it. */
  noteWork(agentId: string): void {
    this.#generation++;
    this.#idle.delete(agentId);
    this.#withNoneToStop.delete(agentId);
  }

  forget(): void {
    this.#generation++;
    this.#idle.clear();
    this.#withNoneToStop.clear();
  }
}
