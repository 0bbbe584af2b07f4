// Finds due times in another way than the server does: minute by minute, with local times from
// Intl.

const minute = 60_000;
/** Since 1973, clocks have changed only at multiples of this duration. */
const quarter = 15 * minute;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time of a zone minus UTC, in milliseconds. */
export function offsetAt(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    const [year, month, day] = ["numeric", "numeric", "numeric"] as const;
    const clock = { hour: "numeric", minute: "numeric", hourCycle: "h23" } as const;
    format = new Intl.DateTimeFormat("en-US", { timeZone, year, month, day, ...clock });
    formats.set(timeZone, format);
  }
  const parts = format.formatToParts(at).map(({ type, value }) => [type, Number(value)]);
  const local: Record<string, number> = Object.fromEntries(parts);
  const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0 } = local;
  return Date.UTC(year, month - 1, day, hour, minutes) - Math.floor(at / minute) * minute;
}

/** The numbers in a field such as `1,10-20/5`. */
function numbersIn(text: string, min: number, max: number): Set<number> {
  const numbers = new Set<number>();
  for (const item of text.split(",")) {
    const [range = "", step = "1"] = item.split("/");
    const [from, to = from] = range === "*" ? [min, max] : range.split("-").map(Number);
    for (let n = from ?? min; n <= (to ?? max); n += Number(step)) numbers.add(n);
  }
  return numbers;
}

/**
 * Creates a function that returns whether a local time, written as if it were UTC, matches the
 * expression.
 */
function matcherOf(cron: string): (local: number) => boolean {
  const [m = "", h = "", d = "", mon = "", w = ""] = cron.split(" ");
  const [minutes, hours] = [numbersIn(m, 0, 59), numbersIn(h, 0, 23)];
  const [days, months, weekdays] = [numbersIn(d, 1, 31), numbersIn(mon, 1, 12), numbersIn(w, 0, 6)];
  return (local) => {
    const time = new Date(local);
    if (!minutes.has(time.getUTCMinutes()) || !hours.has(time.getUTCHours())) return false;
    if (!months.has(time.getUTCMonth() + 1)) return false;
    const [isDay, isWeekday] = [days.has(time.getUTCDate()), weekdays.has(time.getUTCDay())];
    return d === "*" || w === "*" ? isDay && isWeekday : isDay || isWeekday;
  };
}

/** Returns the first due time after `after` and before `limit`, or null. */
export function walkToNext(
  cron: string,
  timeZone: string,
  after: number,
  limit: number,
): number | null {
  const matches = matcherOf(cron);
  const isFixed = cron
    .split(" ")
    .slice(0, 2)
    .every((field) => !field.includes("*"));
  // The latest local time so far. A local time that is not later has occurred before.
  let latest = -Infinity;
  const begin = Math.floor(after / quarter) * quarter - 12 * quarter;
  for (let from = begin; from < limit; from += quarter) {
    const offset = offsetAt(timeZone, from);
    for (let at = from; at < from + quarter; at += minute) {
      const local = at + offset;
      const before = latest;
      latest = Math.max(latest, local);
      if (at <= after) continue;
      if (!isFixed && matches(local)) return at;
      if (!isFixed || local <= before) continue;
      for (let each = before + minute; each <= local; each += minute) {
        if (matches(each)) return at;
      }
    }
  }
  return null;
}
