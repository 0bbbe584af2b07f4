// Checks the Host header against the server's names, to prevent DNS rebinding.
// (docs/decisions/0020-browsers.md)

import { isLoopback, parseHost, shortIPv6 } from "../../lib/host.ts";

export interface HostPolicy {
  /** Each name is in lower case and has no port. IPv6 addresses are in brackets. */
  allowedHosts: readonly string[];
  publicUrl: string | null;
  /** The address that the server listens on. */
  boundHost: string;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Returns a function that checks a Host header without regard to the port. */
export function hostCheck(policy: HostPolicy): (host: string | undefined) => boolean {
  const bound = shortIPv6(policy.boundHost) ?? policy.boundHost.toLowerCase();
  const isBoundToLoopback = isLoopback(bound);
  if (policy.allowedHosts.length === 0 && !isBoundToLoopback) return () => true;
  const names = new Set([...loopbackNames, ...policy.allowedHosts]);
  if (isBoundToLoopback) names.add(bound);
  if (policy.publicUrl) names.add(new URL(policy.publicUrl).hostname);
  return (host) => {
    const name = host === undefined ? undefined : parseHost(host)?.name;
    return name !== undefined && names.has(name);
  };
}
