// Between what a person writes into a field for date and time, in their own time, and what the API takes.

/** `2026-01-02T03:04` of the reader's own time; empty for what is no moment. */
export function toLocal(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const [year = "", month = "", dayOfMonth = ""] = day.map(twoDigits);
  const time = [date.getHours(), date.getMinutes()];
  // What a field does not need to show, browsers leave away as well.
  if (date.getSeconds() > 0) time.push(date.getSeconds());
  return `${year.padStart(4, "0")}-${month}-${dayOfMonth}T${time.map(twoDigits).join(":")}`;
}

/** ISO 8601 in UTC; empty for what is no moment, or not one yet. */
export function fromLocal(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
