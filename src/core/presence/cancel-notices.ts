// Remembers which cancellations each agent has received from a poll, so that a cancellation ends
// only one poll. After a restart, each is sent once more.

export class CancelNotices {
  readonly #brought = new Map<string, ReadonlySet<string>>();

  hasNews(agentId: string, ids: readonly string[]): boolean {
    const brought = this.#brought.get(agentId);
    return ids.some((id) => !brought?.has(id));
  }

  note(agentId: string, ids: readonly string[]): void {
    if (ids.length > 0) this.#brought.set(agentId, new Set(ids));
    else this.#brought.delete(agentId);
  }
}
