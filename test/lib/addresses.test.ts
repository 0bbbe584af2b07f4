import { expect, test } from "vitest";
import { clientNetwork, parseAddress, parseRanges } from "../../src/lib/addresses.ts";

test.each([
  ["10.0.0.1", ["10.0.0.1/32"]],
  ["2001:db8::1", ["2001:db8::1/128"]],
  ["10.0.0.0/8", ["10.0.0.0/8"]],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]],
])("%s", (text, ranges) => {
  expect(parseRanges(text)).toEqual(ranges);
});

test.each([
  ...["", "1", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0/8", "::/129"],
  ...["fe80::1%eth0", "localhost", "constructor", "example.com"],
])("'%s' is not a range", (text) => {
  expect(parseRanges(text)).toBeNull();
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::1", "::1"],
  ["::ffff:999.0.2.1", null],
  ["fe80::1%eth0", null],
  ["192.0.2.1:80", null],
  ["unknown", null],
  ["", null],
])("'%s' has the address %s", (text, address) => {
  expect(parseAddress(text)).toBe(address);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
])("%s counts as %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
