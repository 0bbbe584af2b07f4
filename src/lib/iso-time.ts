// Converts Unix milliseconds to the API's times, such as `2026-01-02T03:04:05.678Z`.

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
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
