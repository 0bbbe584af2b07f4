// Remembers which open cancellations each agent has received from a poll, so that a cancellation
// ends only one poll. Not authoritative: after a restart each cancellation is sent once more.

export class CancelNotices {
  readonly #brought = new Map<string, ReadonlySet<string>>();

  /** Whether any of these cancellations has not been sent to this agent by a poll. */
  hasNews(agentId: string, ids: readonly string[]): boolean {
    const brought = this.#brought.get(agentId);
    return ids.some((id) => !brought?.has(id));
  }

  /** Notes that a poll has sent these open cancellations to this agent. */
  note(agentId: string, ids: readonly string[]): void {
    if (ids.length > 0) this.#brought.set(agentId, new Set(ids));
    else this.#brought.delete(agentId);
  }
}
