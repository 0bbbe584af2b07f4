// Which names in the Host header are ours: the guard against DNS rebinding. (`trust.md` "HTTP")

export interface HostPolicy {
  /** Names from the configuration. */
  allowedHosts: string[];
  publicUrl: string | null;
  /** The address that the server is bound to. */
  boundHost: string;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Answers a test for a Host header's value; the port does not matter. */
export function hostCheck(policy: HostPolicy): (host: string | undefined) => boolean {
  const isLoopback = [...loopbackNames, "::1"].includes(policy.boundHost);
  if (policy.allowedHosts.length === 0 && !isLoopback) return () => true;
  const names = new Set([
    ...loopbackNames,
    ...policy.allowedHosts.map((name) => name.toLowerCase()),
  ]);
  if (policy.publicUrl) names.add(new URL(policy.publicUrl).hostname.toLowerCase());
  return (host) => host !== undefined && names.has(withoutPort(host));
}

function withoutPort(host: string): string {
  const end = host.endsWith("]") ? -1 : host.lastIndexOf(":");
  return (end === -1 ? host : host.slice(0, end)).toLowerCase();
}
