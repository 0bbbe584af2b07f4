// Unix milliseconds to the wire's form of time, and null to null.

/** `2026-01-02T03:04:05.678Z` */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}
