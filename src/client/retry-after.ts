import type { IncomingHttpHeaders } from "node:http";

/** Accepts seconds, or a time, which is compared with the Date header (RFC 9110). */
export function retryAfterSecondsOf(headers: IncomingHttpHeaders): number | undefined {
  const said = headers["retry-after"]?.trim();
  if (said === undefined || said === "") return undefined;
  if (/^\d+$/.test(said)) return Number(said);
  const ms = Date.parse(said) - Date.parse(headers.date ?? "");
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}
