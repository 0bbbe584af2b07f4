// Parses hosts in URLs and Host headers: a name or an address, with or without a port.

import { isIPv6 } from "node:net";

interface Host {
  /** The name is in lower case. An IPv6 address is in its short form and in brackets. */
  name: string;
  /** The port as it was written. */
  port: string | null;
}

const form = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?)(?::(\d{1,5}))?$/i;

export function parseHost(text: string): Host | null {
  const match = form.exec(text);
  if (!match?.[1]) return null;
  const name = match[1].startsWith("[") ? shortIPv6(match[1].slice(1, -1)) : match[1].toLowerCase();
  return name === null ? null : { name, port: match[3] ?? null };
}

/** Returns the name in lower case, without the brackets of an address and without a final dot. */
export function plainHost(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[(.+)\]$/, "$1")
    .replace(/(.)\.$/, "$1");
}

/** Whether this name or address leads to the local host. */
export function isLoopback(name: string): boolean {
  return /^((.+\.)?localhost|127\.[\d.]+|::1)$/.test(plainHost(name));
}

/** Returns the address in its short form and in brackets; null if it is not IPv6. */
export function shortIPv6(address: string): string | null {
  return isIPv6(address) && !address.includes("%") ? new URL(`http://[${address}]`).hostname : null;
}
