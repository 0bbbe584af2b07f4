// Which URLs lead to this server and to nobody else: what it may confirm to an agent that asks whether the
// server at a URL is this one. No header counts for that: a relay sends what it likes.

import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { parseAddress } from "../../lib/addresses.ts";
import { shortIPv6 } from "../../lib/host.ts";
import { type HostPolicy, isLoopback } from "./hosts.ts";

export type OwnUrlCheck = (request: IncomingMessage, url: string) => boolean;

/**
 * A URL is ours when it is the PUBLIC_URL; when its host is one of the ALLOWED_HOSTS, at the port of this
 * listener or the usual one of its scheme; and when the request has come straight to the address and the port
 * in it. A loopback name leads somewhere else on each host: for one, only the last of these counts.
 */
export function ownUrlCheck(policy: HostPolicy): OwnUrlCheck {
  const { publicUrl, allowedHosts } = policy;
  const site = publicUrl === null ? null : new URL(publicUrl);
  return (request, text) => {
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

/** In full, with the path that a proxy may add. */
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

/** What proxies add: the address that such a request has come to is the way from the proxy, not the client's. */
const forwarding = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];
