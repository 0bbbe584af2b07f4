// Decides which URLs lead only to this server, so that it can confirm them to an agent. The headers
// of the request prove nothing, because a relay can send any.

import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { parseAddress } from "../../lib/addresses.ts";
import { isLoopback, shortIPv6 } from "../../lib/host.ts";
import type { HostPolicy } from "./hosts.ts";

/**
 * Accepts the PUBLIC_URL, the ALLOWED_HOSTS with this listener's port or the scheme's default port,
 * and the address at which the request arrived directly. A loopback name leads to a different
 * server on each host, so only the last rule applies to it.
 */
export function ownUrlCheck(policy: HostPolicy) {
  const { publicUrl, allowedHosts } = policy;
  const site = publicUrl === null ? null : new URL(publicUrl);
  return (request: IncomingMessage, text: string): boolean => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || url.username || url.password || url.search || url.hash) return false;
    if (isWhereItArrived(request, url)) return true;
    if (isLoopback(url.hostname)) return false;
    if (site && placeOf(url) === placeOf(site)) return true;
    if (!allowedHosts.includes(url.hostname) || url.pathname !== "/") return false;
    const { localPort } = request.socket;
    const isSecured = site?.protocol === "https:" || request.socket instanceof TLSSocket;
    return (
      (url.port === "" || url.port === `${localPort}`) && (url.protocol === "https:" || !isSecured)
    );
  };
}

/** The path is included because a proxy can require one. */
function placeOf({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, "");
}

function isWhereItArrived({ socket, headers }: IncomingMessage, url: URL): boolean {
  if (forwarding.some((name) => headers[name] !== undefined)) return false;
  const address = parseAddress(socket.localAddress ?? "");
  if (address === null || url.pathname !== "/") return false;
  const isSecure = socket instanceof TLSSocket;
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  if (url.protocol !== (isSecure ? "https:" : "http:") || port !== socket.localPort) return false;
  const host = shortIPv6(address) ?? address;
  return url.hostname === "localhost" ? isLoopback(host) : url.hostname === host;
}

/** Proxies add these headers. With one of them, the local address is not the client's target. */
const forwarding = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];
