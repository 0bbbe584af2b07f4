import { expect, test } from "vitest";
import type { Arrival } from "../../../src/http/site/arrival.ts";
import { originCheck } from "../../../src/http/site/origins.ts";

interface Case {
  publicUrl?: string;
  scheme?: Arrival["scheme"];
  host?: string | undefined;
  origin?: string;
  site?: string;
}

const agents = "https://agents.example.com";
const own = "http://a:8080";
const published = { publicUrl: agents, host: "agents.example.com" };

const ours: [name: string, Case][] = [
  ["no browser", {}],
  ["the address bar", { site: "none" }],
  ["our own page", { origin: own, site: "same-origin" }],
  ["our own page, in an old browser", { origin: own }],
  ["a host in capitals", { host: "A:8080", origin: own }],
  ["an unknown Sec-Fetch-Site value from our own page", { origin: own, site: "same-planet" }],
  // A proxy that we do not know can use HTTPS, so both schemes are accepted.
  ["HTTPS in an unknown proxy", { host: "a", origin: "https://a" }],
  ["the default port of HTTP", { host: "a:80", origin: "http://a" }],
  ["the default port of HTTPS", { host: "a:443", origin: "https://a" }],
  ["over HTTPS", { scheme: "https", host: "a", origin: "https://a" }],
  ["public", { ...published, origin: agents }],
  ["public, another Host", { publicUrl: agents, host: "10.0.0.5", origin: agents }],
  [
    "the public origin, configured with a path and in capitals",
    { publicUrl: "HTTPS://Agents.example.com:443/admin/", host: "inside", origin: agents },
  ],
  [
    "the host itself, although a public URL is set",
    { publicUrl: agents, host: "localhost:8080", origin: "http://localhost:8080" },
  ],
  [
    "the public origin, which is a sibling of the requested host",
    { publicUrl: agents, host: "api.example.com", origin: agents, site: "same-site" },
  ],
  [
    "the public HTTP origin of our own HTTPS server",
    { publicUrl: "http://a", scheme: "https", host: "a", origin: "https://a" },
  ],
];

const foreign: [name: string, Case][] = [
  ["another port", { origin: "http://a:8081" }],
  ["another host", { origin: "http://b:8080" }],
  ["a subdomain", { origin: "http://x.a:8080" }],
  ["an opaque origin", { origin: "null" }],
  ["an empty origin", { origin: "" }],
  ["a scheme without hosts", { origin: "file://" }],
  ["an extension", { origin: "chrome-extension://a:8080" }],
  ["not a URL", { origin: "a:8080" }],
  ["two origins", { origin: `${own}, http://evil` }],
  ["no Host to compare with", { host: undefined, origin: "http://a" }],
  ["an invalid Host", { host: "a b", origin: "http://a" }],
  ["another site, whatever the origin", { origin: own, site: "cross-site" }],
  ["a sibling site without an Origin", { site: "same-site" }],
  ["an unknown value", { site: "same-planet" }],
  ["the default port of the other scheme", { host: "a:443", origin: "http://a" }],
  ["an HTTP page for an HTTPS server", { scheme: "https", host: "a", origin: "http://a" }],
  ["an HTTPS page for an HTTP server", { scheme: "http", host: "a", origin: "https://a" }],
  ["public, from HTTP", { ...published, origin: "http://agents.example.com" }],
  ["public, from another site", { publicUrl: agents, origin: agents, site: "cross-site" }],
];

function check({ publicUrl, scheme = null, origin, site, ...rest }: Case): void {
  const host = "host" in rest ? rest.host : "a:8080";
  const headers = {
    ...(origin === undefined ? {} : { origin }),
    ...(site === undefined ? {} : { "sec-fetch-site": site }),
  };
  originCheck(publicUrl ?? null)(headers, { ip: "192.0.2.7", scheme, host });
}

test.each(ours)("accepted: %s", (_, request) => {
  expect(() => check(request)).not.toThrow();
});

test.each(foreign)("refused: %s", (_, request) => {
  expect(() => check(request)).toThrow(expect.objectContaining({ code: "CSRF_INVALID" }));
});
