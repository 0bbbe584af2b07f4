// Hosts as they stand in URLs and Host headers: a name, an IPv4 address, or an IPv6 address in
// brackets, each with a port or without.

import { isIPv6 } from "node:net";

export interface Host {
  /** In lower case; an IPv6 address in its short form, in brackets. */
  name: string;
  /** As it was written; null without one. */
  port: string | null;
}

const form = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?)(?::(\d{1,5}))?$/i;

/** Null when the text is no host. */
export function parseHost(text: string): Host | null {
  const match = form.exec(text);
  if (!match?.[1]) return null;
  const name = match[1].startsWith("[") ? shortIPv6(match[1].slice(1, -1)) : match[1].toLowerCase();
  return name === null ? null : { name, port: match[3] ?? null };
}

/** `[…]` around the short form of the address; null when it is none. */
export function shortIPv6(address: string): string | null {
  return isIPv6(address) && !address.includes("%") ? new URL(`http://[${address}]`).hostname : null;
}
