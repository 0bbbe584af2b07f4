// Which names in the Host header are ours: the guard against DNS rebinding.
// (docs/decisions/0020-browsers.md)

import { parseHost, shortIPv6 } from "../../lib/host.ts";

export interface HostPolicy {
  /** Names from the configuration: in lower case, IPv6 in brackets, without a port. */
  allowedHosts: readonly string[];
  publicUrl: string | null;
  /** The address that the server is bound to. */
  boundHost: string;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Whether the name, as a URL has it, leads to the host itself, whichever that is. */
export function isLoopback(name: string): boolean {
  return /(^|\.)localhost$/.test(name) || /^127\.[\d.]+$/.test(name) || name === "[::1]";
}

/** Answers a test for a Host header's value; the port does not matter. */
export function hostCheck(policy: HostPolicy): (host: string | undefined) => boolean {
  const bound = shortIPv6(policy.boundHost) ?? policy.boundHost.toLowerCase();
  const isBoundToLoopback = isLoopback(bound);
  if (policy.allowedHosts.length === 0 && !isBoundToLoopback) return () => true;
  const names = new Set([...loopbackNames, ...policy.allowedHosts]);
  if (isBoundToLoopback) names.add(bound);
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
