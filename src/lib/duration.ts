// Parses and formats durations such as "15m" and "1h30m". A number without a unit means seconds.

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

const secondsPer = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

const pattern = /^(?:(?<d>\d+)d)?(?:(?<h>\d+)h)?(?:(?<m>\d+)m)?(?:(?<s>\d+)s)?$/;

/** Returns null if the text is not a duration or the result is not a safe integer. */
export function parseDurationSeconds(text: string): number | null {
  if (text === "") return null;
  const counts = /^\d+$/.test(text) ? { s: text } : pattern.exec(text)?.groups;
  if (!counts) return null;
  let seconds = 0;
  for (const [unit, size] of Object.entries(secondsPer))
    seconds += Number(counts[unit] ?? 0) * size;
  return Number.isSafeInteger(seconds) ? seconds : null;
}

/** Writes the largest units first: "1d2h". Drops fractions of a second. */
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
