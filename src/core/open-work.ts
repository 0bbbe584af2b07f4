// Which agents are known to have no open command and none to stop, so that an empty poll needs no look into the
// database. Not authoritative: an agent that is not known to be idle is looked up; every new command
// and every foreign change makes its agent unknown again.

export class OpenWork {
  readonly #idle = new Set<string>();
  /** Counts the changes: an answer that was read before one is not remembered after it. */
  #generation = 0;

  get generation(): number {
    return this.#generation;
  }

  isIdle(agentId: string): boolean {
    return this.#idle.has(agentId);
  }

  /** Remembers what was read while the generation was `generation`, unless it is over. */
  noteIdle(agentId: string, generation: number): void {
    if (generation === this.#generation) this.#idle.add(agentId);
  }

  /** A command was made for this agent. */
  noteWork(agentId: string): void {
    this.#generation++;
    this.#idle.delete(agentId);
  }

  forget(): void {
    this.#generation++;
    this.#idle.clear();
  }
}
