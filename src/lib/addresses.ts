// IP addresses and ranges of them (CIDR), as an operator writes them and as sockets tell them.

import { isIP } from "node:net";

/** Ranges that operators know by a word. */
const words: Record<string, readonly string[]> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** The ranges, each as `address/bits`, of an address, a range or a word; null when it is none. */
export function parseRanges(text: string): readonly string[] | null {
  const known = Object.hasOwn(words, text) ? words[text] : undefined;
  if (known) return known;
  const [address = "", bits, ...rest] = text.split("/");
  const family = address.includes("%") ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return null;
  const most = family === 4 ? 32 : 128;
  if (bits === undefined) return [`${address}/${most}`];
  return /^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most ? [text] : null;
}

/**
 * The address, one of IPv4 always in its own form: a socket that listens for both families tells
 * `::ffff:192.0.2.1`. Null when the text is none.
 */
export function parseAddress(text: string): string | null {
  const address = text.startsWith("::ffff:") && text.includes(".") ? text.slice(7) : text;
  return isIP(address) === 0 || address.includes("%") ? null : address;
}

/**
 * What stands for one client where calls are counted: an IPv4 address, but the /64 network of an IPv6
 * address, since whoever has one has all of it.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(missing).fill("0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
