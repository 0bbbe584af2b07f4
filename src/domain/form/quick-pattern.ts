// Patterns that cannot take long to match, because they have no groups or alternatives, and few
// repetitions. Browsers cannot stop a match.

const maxLength = 200;
/** Each part that can repeat or be absent multiplies the number of ways to match. */
const maxRepeats = 2;

export function isQuick(pattern: string, value: string): boolean {
  if (pattern.length > maxLength || value.length > maxLength) return false;
  const plain = pattern.replace(/\\./gs, "a").replace(/\[[^\]]*\]/g, "a");
  const repeats = plain.match(/[*+?]|\{\d+,\d*\}/g) ?? [];
  return !/[(|]/.test(plain) && repeats.length <= maxRepeats;
}
