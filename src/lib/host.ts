// Hosts in URLs and Host headers: a name or an address (IPv6 in brackets), with or without a port.

import { isIPv6 } from "node:net";

export interface Host {
  /** In lower case. IPv6 addresses are in their short form, in brackets. */
  name: string;
  /** The port as written. */
  port: string | null;
}

const form = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?)(?::(\d{1,5}))?$/i;

export function parseHost(text: string): Host | null {
  const match = form.exec(text);
  if (!match?.[1]) return null;
  const name = match[1].startsWith("[") ? shortIPv6(match[1].slice(1, -1)) : match[1].toLowerCase();
  return name === null ? null : { name, port: match[3] ?? null };
}

/** Returns `[…]` with the short form; null if the address is not IPv6. */
export function shortIPv6(address: string): string | null {
  return isIPv6(address) && !address.includes("%") ? new URL(`http://[${address}]`).hostname : null;
}
