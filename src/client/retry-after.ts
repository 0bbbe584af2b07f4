// The header Retry-After: seconds, or a moment, which is held against the answer's own Date. (RFC 9110)

import type { IncomingHttpHeaders } from "node:http";

/** Seconds, 0 or more; undefined when the answer does not say. */
export function retryAfterSecondsOf(headers: IncomingHttpHeaders): number | undefined {
  const said = headers["retry-after"]?.trim();
  if (said === undefined || said === "") return undefined;
  if (/^\d+$/.test(said)) return Number(said);
  const ms = Date.parse(said) - Date.parse(headers.date ?? "");
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}
