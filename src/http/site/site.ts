// This server as browsers and proxies see it: under which names it answers, which origin is its own,
// whom it believes, and when a browser's way to it is HTTPS. One object for each listener.

import type { IncomingMessage } from "node:http";
import { type Arrival, arrivalReader, type TrustedProxies, trustOf } from "./arrival.ts";
import { type HostPolicy, hostCheck } from "./hosts.ts";
import { type OriginCheck, originCheck } from "./origins.ts";
import { type OwnUrlCheck, ownUrlCheck } from "./own-urls.ts";

export interface SitePolicy extends HostPolicy {
  trustProxy: TrustedProxies;
}

export interface Site {
  arrivalOf(request: IncomingMessage): Arrival;
  /** Whether connections from there are a trusted proxy's, with many clients behind. */
  isProxy(ip: string): boolean;
  isOurHost(host: string | undefined): boolean;
  checkOrigin: OriginCheck;
  /** Whether the URL leads here, and a server that passes the request on cannot have it answer so. */
  isOwnUrl: OwnUrlCheck;
  /**
   * Whether cookies are for HTTPS only. With a PUBLIC_URL of https they always are: the proxy in
   * front need not be a trusted one, since who asks over plain HTTP loses the cookie, and no more.
   */
  securesCookies(arrival: Arrival): boolean;
}

export function createSite(policy: SitePolicy): Site {
  const isPublicHttps = policy.publicUrl?.toLowerCase().startsWith("https:") ?? false;
  return {
    arrivalOf: arrivalReader(policy.trustProxy),
    isProxy: trustOf(policy.trustProxy),
    isOurHost: hostCheck(policy),
    checkOrigin: originCheck(policy.publicUrl),
    isOwnUrl: ownUrlCheck(policy),
    securesCookies: ({ scheme }) => isPublicHttps || scheme === "https",
  };
}
