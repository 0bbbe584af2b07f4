import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import {
  type Arrival,
  arrivalReader,
  type TrustedProxies,
} from "../../../src/http/site/arrival.ts";
import { parseRanges } from "../../../src/lib/addresses.ts";

const proxy = "10.0.0.1";
const forwarded = {
  "x-forwarded-for": "192.0.2.7",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "agents.example.com",
};

function arrive(trusted: TrustedProxies, from: string | undefined, headers: object): Arrival {
  const request = { socket: { remoteAddress: from }, headers: { host: "inside:8080", ...headers } };
  return arrivalReader(trusted)(request as unknown as IncomingMessage);
}

const ranges = (...words: string[]) => words.flatMap((word) => parseRanges(word) ?? []);

describe("trusted proxies", () => {
  const believed = { ip: "192.0.2.7", scheme: "https", host: "agents.example.com" };

  test.each<[name: string, trusted: TrustedProxies, from: string]>([
    ["anybody", true, "203.0.113.9"],
    ["an address", ranges(proxy), proxy],
    ["an address in the form of a dual-stack socket", ranges(proxy), `::ffff:${proxy}`],
    ["a range", ranges("10.0.0.0/8"), "10.255.255.255"],
    ["an IPv6 range", ranges("2001:db8::/32"), "2001:db8:1::1"],
    ["the second of two trusted proxies", ranges("10.0.0.1", "10.0.0.2"), "10.0.0.2"],
    ["loopback", ranges("loopback"), "127.0.0.1"],
    ["loopback of IPv6", ranges("loopback"), "::1"],
    ["private", ranges("private"), "172.31.0.1"],
    ["private IPv6", ranges("private"), "fd00::1"],
  ])("include %s: %o from %s", (_, trusted, from) => {
    expect(arrive(trusted, from, forwarded)).toEqual(believed);
  });

  test.each<{ trusted: TrustedProxies; from: string | undefined }>([
    { trusted: false, from: proxy },
    { trusted: [], from: proxy },
    { trusted: ranges(proxy), from: "10.0.0.2" },
    { trusted: ranges("10.0.0.0/8"), from: "11.0.0.0" },
    { trusted: ranges("private"), from: "172.32.0.1" },
    { trusted: ranges("loopback"), from: "2001:db8::1" },
  ])("do not include $from if $trusted is trusted", ({ trusted, from }) => {
    expect(arrive(trusted, from, forwarded)).toEqual({
      ip: from,
      scheme: null,
      host: "inside:8080",
    });
  });

  test("a closed connection has no address", () => {
    const gone = { ip: null, scheme: null, host: "inside:8080" };
    expect(arrive(true, undefined, forwarded)).toEqual(gone);
    expect(arrive(ranges("0.0.0.0/0", "::/0"), undefined, forwarded)).toEqual(gone);
  });

  test("are checked for each request", () => {
    const reader = arrivalReader(ranges(proxy));
    const ipOf = (remoteAddress: string) =>
      reader({ socket: { remoteAddress }, headers: forwarded } as unknown as IncomingMessage).ip;
    const senders = [proxy, "10.0.0.2", proxy, proxy, "10.0.0.2"];
    const client = "192.0.2.7";
    expect(senders.map(ipOf)).toEqual([client, "10.0.0.2", client, client, "10.0.0.2"]);
  });
});

describe("X-Forwarded-For", () => {
  const chain = ranges("10.0.0.0/8");

  test.each<{ header: string | undefined; trusted?: TrustedProxies; ip: string }>([
    { header: undefined, ip: proxy },
    { header: "", ip: proxy },
    { header: "192.0.2.7", ip: "192.0.2.7" },
    { header: "192.0.2.7:4711", ip: "192.0.2.7" },
    { header: "2001:db8::7", ip: "2001:db8::7" },
    { header: "[2001:db8::7]:4711", ip: "2001:db8::7" },
    { header: "::ffff:192.0.2.7", ip: "192.0.2.7" },
    // The client's own entries are on the left.
    { header: "1.1.1.1, 192.0.2.7", ip: "192.0.2.7" },
    { header: "1.1.1.1,192.0.2.7 ,10.0.0.3,10.0.0.2", ip: "192.0.2.7" },
    { header: "10.0.0.3, 10.0.0.2", ip: "10.0.0.3" },
    { header: "192.0.2.7, unknown", ip: proxy },
    { header: "192.0.2.7, <script>, 10.0.0.2", ip: "10.0.0.2" },
    { header: "192.0.2.7;", ip: proxy },
    { header: "999.1.1.1", ip: proxy },
    { header: "1.1.1.1, 192.0.2.7", trusted: true, ip: "192.0.2.7" },
    { header: "192.0.2.7, 10.0.0.2", trusted: true, ip: "10.0.0.2" },
  ])("'$header' with $trusted is $ip", ({ header, trusted = chain, ip }) => {
    expect(arrive(trusted, proxy, { "x-forwarded-for": header }).ip).toBe(ip);
  });
});

test.each([
  [undefined, null],
  ["https", "https"],
  ["HTTPS", "https"],
  ["http,https", "https"],
  ["wss", null],
  ["", null],
  ["https;", null],
])("X-Forwarded-Proto '%s' is %s", (header, scheme) => {
  expect(arrive(true, proxy, { "x-forwarded-proto": header }).scheme).toBe(scheme);
});

test.each([
  [undefined, "inside:8080"],
  ["agents.example.com:8443", "agents.example.com:8443"],
  ["evil.example, agents.example.com", "agents.example.com"],
  ["http://a", "inside:8080"],
  ["a b", "inside:8080"],
])("X-Forwarded-Host '%s' makes it %s", (header, host) => {
  expect(arrive(true, proxy, { "x-forwarded-host": header }).host).toBe(host);
});
