// Opens the connections of the HTTP transport: straight to the server or through a proxy, and by whose
// word the server is believed to be the server.

import { rootCertificates } from "node:tls";
import type { Dispatcher } from "undici";
import { proxyUrl } from "./proxy.ts";

export interface Way {
  /** Certificates in PEM: only what they vouch for is trusted. Absent: the well-known authorities. */
  ca?: string | undefined;
  /** Every server is believed, whatever it shows: an attacker, too. */
  insecureSkipTlsVerify?: boolean | undefined;
  /** `http://user:password@proxy.example.com:3128`; without problems (problemOfProxy). */
  proxy?: string | undefined;
}

const connectMs = 10_000;
const keepAliveTimeout = 30_000;

/** Undici takes longer to load than most calls take: it is loaded here, and not before. */
export async function openDispatcher(way: Way) {
  const { Agent, Pool, ProxyAgent, request } = await import("undici");
  const { proxy } = way;
  const toServer = { timeout: connectMs, ...trustOf(way) };
  if (proxy === undefined) {
    const dispatcher: Dispatcher = new Agent({ connect: toServer, keepAliveTimeout });
    return { request, dispatcher };
  }
  const dispatcher: Dispatcher = new ProxyAgent({
    uri: proxyUrl(proxy),
    keepAliveTimeout,
    requestTls: toServer,
    proxyTls: { timeout: connectMs, ...trustOfProxy(way) },
    // A proxy that says nothing would hold a call for minutes.
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: connectMs }),
  });
  return { request, dispatcher };
}

/** Options of `tls.connect`. */
export function trustOf({ ca, insecureSkipTlsVerify }: Way) {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
}

/** The same for a proxy that speaks HTTPS itself: a firm's own CA may have signed it, too, or not. */
export function trustOfProxy({ ca }: Way) {
  return ca === undefined ? {} : { ca: [...rootCertificates, ca] };
}
