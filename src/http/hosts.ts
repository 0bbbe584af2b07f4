// Which names in the Host header are ours: the guard against DNS rebinding. (`trust.md` "HTTP")

import { parseHost, shortIPv6 } from "../lib/host.ts";

export interface HostPolicy {
  /** Names from the configuration: in lower case, IPv6 in brackets, without a port. */
  allowedHosts: readonly string[];
  publicUrl: string | null;
  /** The address that the server is bound to. */
  boundHost: string;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Answers a test for a Host header's value; the port does not matter. */
export function hostCheck(policy: HostPolicy): (host: string | undefined) => boolean {
  const bound = shortIPv6(policy.boundHost) ?? policy.boundHost.toLowerCase();
  const isLoopback = loopbackNames.includes(bound) || /^127\.[\d.]+$/.test(bound);
  if (policy.allowedHosts.length === 0 && !isLoopback) return () => true;
  const names = new Set([...loopbackNames, ...policy.allowedHosts]);
  if (isLoopback) names.add(bound);
  if (policy.publicUrl) names.add(new URL(policy.publicUrl).hostname);
  let lastHost: string | undefined;
  let lastAnswer = false;
  return (host) => {
    // One name is asked for again and again.
    if (host !== lastHost) {
      const name = host === undefined ? undefined : parseHost(host)?.name;
      lastAnswer = name !== undefined && names.has(name);
      lastHost = host;
    }
    return lastAnswer;
  };
}
