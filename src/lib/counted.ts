// A number with its noun.

/** "1 agent", "2 agents"; `plural` if an s is not enough. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
