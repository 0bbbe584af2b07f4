// Formats a number with its noun.

/** Returns "1 agent" or "2 agents". Pass `plural` if the plural is not just the noun with an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
