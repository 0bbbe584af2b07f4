import { expect, test } from "vitest";
import { isLoopback, parseHost, shortIPv6 } from "../../src/lib/host.ts";

test.each([
  ["localhost", "localhost", null],
  ["Agents.Example.com:8080", "agents.example.com", "8080"],
  ["my_service", "my_service", null],
  ["10.0.0.5:1", "10.0.0.5", "1"],
  ["[::1]", "[::1]", null],
  ["[2001:DB8:0:0:0:0:0:1]:443", "[2001:db8::1]", "443"],
])("%s", (text, name, port) => {
  expect(parseHost(text)).toEqual({ name, port });
});

test.each([
  ...["", ":80", "a:", "a:b", "a:123456", "a b", "a/b", "a@b", "*.example.com", "http://a", "-a"],
  "a-",
  ...["::1", "[::1", "[::1]x", "[1.2.3.4]", "[fe80::1%eth0]", "[:::::]", "a,b", "é", "a\n"],
])("'%s' is not a host", (text) => {
  expect(parseHost(text)).toBeNull();
});

test.each([
  ["::1", "[::1]"],
  ["0:0:0:0:0:0:0:1", "[::1]"],
  ["fe80::1%eth0", null],
  ["[::1]", null],
  ["10.0.0.5", null],
])("the short form of %s is %s", (address, short) => {
  expect(shortIPv6(address)).toBe(short);
});

test.each(["localhost", "Localhost.", "a.localhost", "127.0.0.1", "127.1", "::1", "[::1]"])(
  "%s is the local host",
  (name) => {
    expect(isLoopback(name)).toBe(true);
  },
);

test.each(["alocalhost", "localhost.example", "127.example", "128.0.0.1", "::", "[::2]", ""])(
  "'%s' is not the local host",
  (name) => {
    expect(isLoopback(name)).toBe(false);
  },
);
