// Combines what a listener knows about its own names, its proxies and HTTPS.

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
  /** Many clients can share the address of a trusted proxy. */
  isProxy(ip: string): boolean;
  isOurHost(host: string | undefined): boolean;
  checkOrigin: OriginCheck;
  /** Whether the URL leads here. A server that relays the request cannot change the result. */
  isOwnUrl: OwnUrlCheck;
  /**
   * With an https PUBLIC_URL, cookies are secure even behind an untrusted proxy. A client that uses
   * plain HTTP only loses its cookie.
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
