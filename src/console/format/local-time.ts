// Converts between the local time in a date and time field and the API's times.

/** Returns `2026-01-02T03:04` in local time, or an empty string if `at` is not a time. */
export function toLocal(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  // Browsers also omit seconds that are zero.
  return local.replace(/(:00)?\.\d+Z$/, "");
}

/** Returns ISO 8601 in UTC, or an empty string if the text is not a complete time. */
export function fromLocal(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString();
}
