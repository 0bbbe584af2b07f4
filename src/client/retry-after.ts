// Parses Retry-After (RFC 9110): a number of seconds, or a time that is compared with the Date
// header.

import type { IncomingHttpHeaders } from "node:http";

/** Returns the seconds, 0 or more; undefined if the response has no Retry-After. */
export function retryAfterSecondsOf(headers: IncomingHttpHeaders): number | undefined {
  const said = headers["retry-after"]?.trim();
  if (said === undefined || said === "") return undefined;
  if (/^\d+$/.test(said)) return Number(said);
  const ms = Date.parse(said) - Date.parse(headers.date ?? "");
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}
