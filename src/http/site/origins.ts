// Refuses requests that other sites make through an operator's browser. Programs send no origin and
// need a token or key instead. (docs/decisions/0020-browsers.md)

import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../domain/errors.ts";
import type { Arrival } from "./arrival.ts";

/** The returned function throws CSRF_INVALID if the browser reports a request from another site. */
export function originCheck(publicUrl: string | null) {
  const site = publicUrl === null ? null : new URL(publicUrl);
  return (headers: IncomingHttpHeaders, arrival: Arrival): void => {
    const { origin } = headers;
    const ours = origin !== undefined && isOurs(origin, arrival, site);
    if (origin !== undefined && !ours) throw foreign();
    switch (headers["sec-fetch-site"]) {
      case undefined:
      case "same-origin":
      case "none":
        return;
      case "cross-site":
        throw foreign();
      default:
        // "same-site" means a different origin, which is refused unless it is the PUBLIC_URL's.
        if (!ours) throw foreign();
    }
  };
}

/** Whether an Origin is the PUBLIC_URL's or that of the address that the browser used. */
function isOurs(origin: string, { scheme, host }: Arrival, site: URL | null): boolean {
  if (origin === site?.origin) return true;
  const from = URL.canParse(origin) ? new URL(origin) : null;
  // For other schemes, such as those of browser extensions, `URL` has the origin "null".
  if (!from || !/^https?:$/.test(from.protocol) || host === undefined) return false;
  const isSite = site !== null && urlOf(site.protocol, host)?.host === site.host;
  const known = scheme ? `${scheme}:` : isSite ? site.protocol : from.protocol;
  return urlOf(known, host)?.origin === from.origin;
}

function urlOf(protocol: string, host: string): URL | null {
  const text = `${protocol}//${host}`;
  return URL.canParse(text) ? new URL(text) : null;
}

function foreign(): AppError {
  return new AppError("CSRF_INVALID", "The request comes from another site.");
}
