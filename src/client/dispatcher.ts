import tls from "node:tls";
import type { Dispatcher } from "undici";
import { proxyUrl } from "./proxy.ts";

export interface Way {
  /** The PEM certificates of the only CAs to trust. Default: the default root CAs. */
  ca?: string | undefined;
  /** Whether to accept any certificate, including an attacker's. */
  insecureSkipTlsVerify?: boolean | undefined;
  /** A URL that problemOfProxy has checked: `http://user:password@proxy.example.com:3128`. */
  proxy?: string | undefined;
}

export const connectMs = 10_000;
/** Used if the server does not say how long it keeps an unused connection open. */
const keepAliveTimeout = 30_000;

/**
 * Closes connections that are unused for `idleMs`. undici is imported lazily, because loading it
 * takes longer than most calls.
 */
export async function openDispatcher(way: Way, idleMs?: number) {
  const { Agent, request } = await import("./undici.ts");
  const { proxy } = way;
  const toServer = { timeout: connectMs, ...trustOf(way) };
  const idle =
    idleMs === undefined
      ? { keepAliveTimeout }
      : { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs };
  if (proxy === undefined) {
    const dispatcher: Dispatcher = new Agent({ connect: toServer, ...idle });
    return { request, dispatcher };
  }
  const { Pool, ProxyAgent } = await import("undici");
  const dispatcher: Dispatcher = new ProxyAgent({
    uri: proxyUrl(proxy),
    // Without this, `idle` would not apply to an `http:` server.
    factory: (origin, options) => new Pool(origin, { ...options, ...idle }),
    requestTls: toServer,
    proxyTls: { timeout: connectMs, ...trustOfProxy(way) },
    // Without this timeout, a proxy that does not respond would delay a call for minutes.
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: connectMs }),
  });
  return { request, dispatcher };
}

export function trustOf({ ca, insecureSkipTlsVerify }: Way) {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
}

/** An HTTPS proxy's certificate may be from a private or a public CA. */
export function trustOfProxy({ ca }: Way) {
  // Node parses all root certificates when this property is first read.
  return ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] };
}
