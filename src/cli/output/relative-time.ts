// Relative times: "2m ago", "in 5h".

const units: [size: number, name: string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1000, "s"],
];

/** `now` is in Unix milliseconds. */
export function relativeTime(iso: string, now: number): string {
  const exact = Date.parse(iso) - now;
  // A token created just now for a day expires "in 1d", not "in 23h".
  const distance = exact > 0 ? Math.round(exact / 1000) * 1000 : exact;
  const size = Math.abs(distance);
  const [unit, name] = units.find(([unitSize]) => size >= unitSize) ?? [0, ""];
  if (unit === 0) return "now";
  const count = Math.floor(size / unit);
  return distance < 0 ? `${count}${name} ago` : `in ${count}${name}`;
}
