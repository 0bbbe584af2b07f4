// Relative times: "2m ago", "in 5h30m".

type Unit = [size: number, name: string];

const units: Unit[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1000, "s"],
];

/** `now` is in Unix milliseconds. */
export function relativeTime(iso: string, now: number): string {
  const exact = Date.parse(iso) - now;
  // A token created just now for a day expires "in 1d", not "in 23h59m".
  const distance = exact > 0 ? Math.round(exact / 1000) * 1000 : exact;
  const size = Math.abs(distance);
  const at = units.findIndex(([unitSize]) => size >= unitSize);
  if (at < 0) return "now";
  const inUnit = ([unit, name]: Unit, rest: number) => `${Math.floor(rest / unit)}${name}`;
  const [first, second] = units.slice(at) as [Unit, Unit?];
  if (distance < 0) return `${inUnit(first, size)} ago`;
  // Otherwise, 23 hours and 59 minutes would be "in 23h".
  const rest = size % first[0];
  return `in ${inUnit(first, size)}${second && rest >= second[0] ? inUnit(second, rest) : ""}`;
}
