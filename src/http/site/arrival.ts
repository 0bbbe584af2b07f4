// How a request has arrived: from whom, over what, under which name. What a proxy says of it
// (X-Forwarded-For, -Proto, -Host) counts only when the connection comes from a proxy that the
// operator trusts; of a list the last entry counts, the one which that proxy has written itself.
// (docs/configuration.md#behind-a-proxy)

import type { IncomingMessage } from "node:http";
import { BlockList, isIPv4 } from "node:net";
import { TLSSocket } from "node:tls";
import { parseAddress } from "../../lib/addresses.ts";
import { parseHost } from "../../lib/host.ts";

export interface Arrival {
  /** The client's address; null when the connection is gone already. */
  ip: string | null;
  /** What is known of the client's way here; null when a proxy that we do not know may end TLS. */
  scheme: "https" | "http" | null;
  /** As the client has named us. */
  host: string | undefined;
}

/** None, any, or those in the ranges (`address/bits`). */
export type TrustedProxies = boolean | readonly string[];

/** Whether an address is a proxy's whose word counts. */
export function trustOf(trusted: TrustedProxies): (ip: string) => boolean {
  return trusted === true ? () => true : inRanges(trusted === false ? [] : trusted);
}

export function arrivalReader(trusted: TrustedProxies): (request: IncomingMessage) => Arrival {
  const isTrusted = trustOf(trusted);
  // Whoever may be any proxy is one; of those behind it nothing is known.
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

/** From the nearest on: the first that is no proxy of ours. What is no address ends the list. */
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

/** Some proxies add the port. */
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

/** Of a list, what the nearest proxy has written. */
function lastIn(header: Header): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  return text.slice(text.lastIndexOf(",") + 1).trim();
}

/** The same few proxies ask again and again: answers are remembered, up to a bound. */
function inRanges(ranges: readonly string[]): (ip: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits), family(address));
  }
  const known = new Map<string, boolean>();
  return (ip) => {
    let answer = known.get(ip);
    if (answer === undefined) {
      if (known.size >= maxRemembered) known.clear();
      answer = list.check(ip, family(ip));
      known.set(ip, answer);
    }
    return answer;
  };
}

const maxRemembered = 1000;

type Header = string | string[] | undefined;

function family(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}
