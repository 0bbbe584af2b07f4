// Which open cancellations a poll has brought to each agent already, so that one ends a single poll and
// not every poll after it. Not authoritative: after a restart each is brought once more.

export class CancelNotices {
  readonly #brought = new Map<string, ReadonlySet<string>>();

  /** Whether one of them was in no answer to a poll of this agent yet. */
  hasNews(agentId: string, ids: readonly string[]): boolean {
    const brought = this.#brought.get(agentId);
    return ids.some((id) => !brought?.has(id));
  }

  /** All that is open was in an answer to a poll of this agent. */
  note(agentId: string, ids: readonly string[]): void {
    if (ids.length > 0) this.#brought.set(agentId, new Set(ids));
    else this.#brought.delete(agentId);
  }
}
