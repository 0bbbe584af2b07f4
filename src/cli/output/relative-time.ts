// Short times for people.

type Unit = [size: number, name: string];

const units: Unit[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1000, "s"],
];

/** Returns, for example, `2m ago` or `in 5h30m`. `now` is in Unix milliseconds. */
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

/** Returns `20:44:11`, or `11-28 20:44` for another day, in local time. */
export function clockTime(iso: string, now: number): string {
  const at = new Date(iso);
  const two = (count: number) => String(count).padStart(2, "0");
  const minute = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const isToday = at.toDateString() === new Date(now).toDateString();
  return isToday
    ? `${minute}:${two(at.getSeconds())}`
    : `${two(at.getMonth() + 1)}-${two(at.getDate())} ${minute}`;
}
