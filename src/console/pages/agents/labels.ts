// Labels as people write them, and as the list's filter takes them.

export function labelTexts(labels: Record<string, string>): string[] {
  return Object.entries(labels).map(([key, value]) => `${key}:${value}`);
}
