// Converts between the value of a date and time field, in local time, and the times of the API.

/** `2026-01-02T03:04` in local time; empty if `at` is not a time. */
export function toLocal(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const [year = "", month = "", dayOfMonth = ""] = day.map(twoDigits);
  const time = [date.getHours(), date.getMinutes()];
  // Browsers also omit seconds that are zero.
  if (date.getSeconds() > 0) time.push(date.getSeconds());
  return `${year.padStart(4, "0")}-${month}-${dayOfMonth}T${time.map(twoDigits).join(":")}`;
}

/** ISO 8601 in UTC; empty if the text is not a complete time. */
export function fromLocal(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
