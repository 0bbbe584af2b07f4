// Determines how a request arrived. Uses only those entries of X-Forwarded-* headers that trusted
// proxies have added. (docs/reference/configuration.md#behind-a-proxy)

import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { inRanges, parseAddress } from "../../lib/addresses.ts";
import { parseHost } from "../../lib/host.ts";

export interface Arrival {
  /** The client's address, or null if the connection is already closed. */
  ip: string | null;
  /** Null if unknown: a proxy may terminate TLS, and no trusted proxy reports the scheme. */
  scheme: "https" | "http" | null;
  /** The host name that the client used. */
  host: string | undefined;
}

/** False means no proxy, true means any proxy, and a list has ranges (`address/bits`). */
export type TrustedProxies = boolean | readonly string[];

export function trustOf(trusted: TrustedProxies): (ip: string) => boolean {
  return trusted === true ? () => true : inRanges(trusted === false ? [] : trusted);
}

export function arrivalReader(trusted: TrustedProxies): (request: IncomingMessage) => Arrival {
  const isTrusted = trustOf(trusted);
  // If every proxy is trusted, only the nearest one counts, because the others are unknown.
  const isHop = trusted === true ? () => false : isTrusted;
  return ({ socket, headers }) => {
    const ip = parseAddress(socket.remoteAddress ?? "");
    const own = socket instanceof TLSSocket ? "https" : null;
    if (ip === null || !isTrusted(ip)) return { ip, scheme: own, host: headers.host };
    return {
      ip: clientBehind(ip, headers["x-forwarded-for"], isHop),
      scheme: own ?? schemeIn(lastIn(headers["x-forwarded-proto"])),
      host: hostIn(lastIn(headers["x-forwarded-host"])) ?? headers.host,
    };
  };
}

/** Returns the nearest address that is not a trusted proxy. An invalid entry ends the search. */
function clientBehind(peer: string, hops: Header, isHop: (ip: string) => boolean): string {
  let client = peer;
  for (const hop of hops === undefined ? [] : String(hops).split(",").reverse()) {
    const address = addressIn(hop.trim());
    if (address === null) break;
    client = address;
    if (!isHop(address)) break;
  }
  return client;
}

/** Removes the port, which some proxies add. */
function addressIn(hop: string): string | null {
  const bare = parseAddress(hop);
  if (bare !== null) return bare;
  const [, inBrackets, v4] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::\d{1,5})?$/i.exec(hop) ?? [];
  return parseAddress(inBrackets ?? v4 ?? "");
}

function schemeIn(text: string | undefined): "https" | "http" | null {
  const scheme = text?.toLowerCase();
  return scheme === "https" || scheme === "http" ? scheme : null;
}

function hostIn(text: string | undefined): string | null {
  return text !== undefined && parseHost(text) !== null ? text : null;
}

function lastIn(header: Header): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  return text.slice(text.lastIndexOf(",") + 1).trim();
}

type Header = string | string[] | undefined;
