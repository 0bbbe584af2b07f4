// Converts Unix milliseconds to the API's times, such as `2026-01-02T03:04:05.678Z`.

let lastTime = 0;
let lastText = new Date(0).toISOString();

/** Remembers the last result because a busy server converts the same millisecond many times. */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== lastTime) {
    lastText = new Date(milliseconds).toISOString();
    lastTime = milliseconds;
  }
  return lastText;
}

export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}

type IsoTimes<T, K extends keyof T> = {
  [Name in K]: T[Name] extends number ? string : string | null;
};

export function isoTimes<K extends string, T extends Record<K, number | null>>(
  from: T,
  ...names: K[]
): IsoTimes<T, K> {
  const times = names.map((name) => [name, isoTimeOrNull(from[name])]);
  return Object.fromEntries(times) as IsoTimes<T, K>;
}
