// Parses IP addresses and CIDR ranges.

import { BlockList, isIP } from "node:net";

const named: Record<string, readonly string[]> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * Returns the ranges that the text means, as `address/bits`. The text may be an address, a range,
 * or the name `loopback` or `private`. Returns null for other text.
 */
export function parseRanges(text: string): readonly string[] | null {
  if (Object.hasOwn(named, text)) return named[text] ?? null;
  const [address = "", bits, ...rest] = text.split("/");
  const family = address.includes("%") ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return null;
  const most = family === 4 ? 32 : 128;
  if (bits === undefined) return [`${address}/${most}`];
  return /^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most ? [text] : null;
}

/** Returns a function that checks whether an address is in one of the ranges (`address/bits`). */
export function inRanges(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family(network));
  }
  return (address) => list.check(address, family(address));
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

/**
 * Returns null if the text is not an address. Returns IPv4 addresses in IPv4 form, although a
 * dual-stack socket reports them as `::ffff:192.0.2.1`.
 */
export function parseAddress(text: string): string | null {
  const address = text.startsWith("::ffff:") && text.includes(".") ? text.slice(7) : text;
  return isIP(address) === 0 || address.includes("%") ? null : address;
}

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address, because a client usually has the
 * whole network.
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
