// The sizes of a rollout's waves, and the number of failures that it tolerates.

/** A number of targets, or a share of all: `5` or `10%`. */
export const countPattern = /^(?:\d{1,6}|(?:100|\d{1,2})%)$/;

/** A share is rounded up, so that 1% of a small fleet is still one service. */
function countOf(text: string, total: number): number {
  if (!text.endsWith("%")) return Math.min(Number(text), total);
  return Math.ceil((Number(text.slice(0, -1)) * total) / 100);
}

/**
 * Returns the first count that is not greater than an earlier one, such as `5` in `10,5`; null if
 * each count is greater.
 */
export function waveWithoutGrowth(waves: readonly string[]): string | null {
  const most = { count: 0, share: 0 };
  for (const text of waves) {
    const unit = text.endsWith("%") ? "share" : "count";
    const number = Number.parseInt(text, 10);
    if (number <= most[unit]) return text;
    most[unit] = number;
  }
  return null;
}

/**
 * Returns the size of each wave. Each text says how many of all targets have run after the wave;
 * the last wave always takes the rest. Waves without a target are left out.
 */
export function waveSizes(waves: readonly string[], total: number): number[] {
  const sizes: number[] = [];
  let before = 0;
  for (const text of [...waves, "100%"]) {
    const after = Math.max(before, countOf(text, total));
    if (after > before) sizes.push(after - before);
    before = after;
  }
  return sizes;
}

/**
 * Divides items into waves. The canaries are the first wave, and `waves` divides the others. If
 * there are no others, `waves` divides the canaries.
 */
export function inWaves<T extends { isCanary: boolean }>(
  items: readonly T[],
  waves: readonly string[],
): { waves: T[][]; canaries: number } {
  const canaries = items.filter(({ isCanary }) => isCanary);
  const others = items.filter(({ isCanary }) => !isCanary);
  if (canaries.length === 0 || others.length === 0) {
    return { waves: divided(items, waves), canaries: 0 };
  }
  return { waves: [canaries, ...divided(others, waves)], canaries: canaries.length };
}

function divided<T>(items: readonly T[], waves: readonly string[]): T[][] {
  let begin = 0;
  return waveSizes(waves, items.length).map((size) => {
    begin += size;
    return items.slice(begin - size, begin);
  });
}

/** A share is rounded down, so that no more failures are tolerated than it says. */
export function failuresOf(text: string, total: number): number {
  if (!text.endsWith("%")) return Number(text);
  return Math.floor((Number(text.slice(0, -1)) * total) / 100);
}
