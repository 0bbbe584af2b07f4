// Combines what a listener knows about its own names, its proxies and HTTPS.

import { type Arrival, arrivalReader, type TrustedProxies, trustOf } from "./arrival.ts";
import { type HostPolicy, hostCheck } from "./hosts.ts";
import { originCheck } from "./origins.ts";
import { ownUrlCheck } from "./own-urls.ts";

export interface SitePolicy extends HostPolicy {
  trustProxy: TrustedProxies;
}

export type Site = ReturnType<typeof createSite>;

export function createSite(policy: SitePolicy) {
  const isPublicHttps = policy.publicUrl?.toLowerCase().startsWith("https:") ?? false;
  return {
    arrivalOf: arrivalReader(policy.trustProxy),
    /** Many clients can share the address of a trusted proxy. */
    isProxy: trustOf(policy.trustProxy),
    isOurHost: hostCheck(policy),
    checkOrigin: originCheck(policy.publicUrl),
    /** Whether the URL leads here. A server that relays the request cannot change the result. */
    isOwnUrl: ownUrlCheck(policy),
    /**
     * With an https PUBLIC_URL, cookies are secure even behind an untrusted proxy. A client that
     * uses plain HTTP merely loses its cookie.
     */
    securesCookies: ({ scheme }: Arrival) => isPublicHttps || scheme === "https",
  };
}
