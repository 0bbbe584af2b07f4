// A number of things in words.

/** "1 agent", "2 agents"; `plural` where an s does not do. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
