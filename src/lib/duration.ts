// Durations as people type them: "90", "15m", "24h", "1h30m". Days, hours, minutes and seconds,
// from the greatest unit to the smallest; a bare number is seconds. And what is
// an hour and a day in milliseconds.

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

const secondsPer = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

const pattern = /^(?:(?<d>\d+)d)?(?:(?<h>\d+)h)?(?:(?<m>\d+)m)?(?:(?<s>\d+)s)?$/;

/** The number of seconds, or null when the text is no duration, or one beyond all counting. */
export function parseDurationSeconds(text: string): number | null {
  if (text === "") return null;
  const counts = /^\d+$/.test(text) ? { s: text } : pattern.exec(text)?.groups;
  if (!counts) return null;
  let seconds = 0;
  for (const [unit, size] of Object.entries(secondsPer))
    seconds += Number(counts[unit] ?? 0) * size;
  return Number.isSafeInteger(seconds) ? seconds : null;
}

/** The shortest text that parses to these seconds: "1h30m", "0s". Parts of a second are dropped. */
export function formatDuration(seconds: number): string {
  let rest = Math.trunc(Math.abs(seconds));
  if (rest === 0) return "0s";
  let text = seconds < 0 ? "-" : "";
  for (const [unit, size] of Object.entries(secondsPer)) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}
