// Where a browser says that a request comes from, and whether that is us.

import { describe, expect, test } from "vitest";
import type { Arrival } from "../../../src/http/site/arrival.ts";
import { originCheck } from "../../../src/http/site/origins.ts";

interface Case {
  name: string;
  publicUrl?: string;
  scheme?: Arrival["scheme"];
  host?: string | undefined;
  origin?: string;
  site?: string;
  ours: boolean;
}

const agents = "https://agents.example.com";

const cases: Case[] = [
  { name: "no browser", ours: true },
  { name: "the address bar", site: "none", ours: true },
  { name: "our own page", origin: "http://a:8080", site: "same-origin", ours: true },
  { name: "our own page, in an old browser", origin: "http://a:8080", ours: true },
  { name: "our own page, says only the browser", site: "same-origin", ours: true },
  { name: "a host in capitals", host: "A:8080", origin: "http://a:8080", ours: true },
  { name: "another port", origin: "http://a:8081", ours: false },
  { name: "another host", origin: "http://b:8080", ours: false },
  { name: "a sibling's name that ends like ours", origin: "http://x.a:8080", ours: false },
  { name: "an opaque origin", origin: "null", ours: false },
  { name: "an empty origin", origin: "", ours: false },
  { name: "a scheme without hosts", origin: "file://", ours: false },
  { name: "an extension", origin: "chrome-extension://a:8080", ours: false },
  { name: "no URL at all", origin: "a:8080", ours: false },
  { name: "two origins", origin: "http://a:8080, http://evil", ours: false },
  { name: "no Host to compare with", host: undefined, origin: "http://a", ours: false },
  { name: "a Host that is none", host: "a b", origin: "http://a", ours: false },
  { name: "another site, says the browser", site: "cross-site", ours: false },
  {
    name: "another site, says the browser, whatever the origin",
    origin: "http://a:8080",
    site: "cross-site",
    ours: false,
  },
  { name: "a sibling", origin: "http://b.a:8080", site: "same-site", ours: false },
  { name: "a sibling that hides its origin", site: "same-site", ours: false },
  { name: "a word of tomorrow", site: "same-planet", ours: false },
  {
    name: "a word of tomorrow from our own page",
    origin: "http://a:8080",
    site: "same-planet",
    ours: true,
  },

  // A proxy that we know nothing of may speak HTTPS for us: either scheme may be ours.
  { name: "HTTPS in front, unknown to us", host: "a", origin: "https://a", ours: true },
  { name: "the default port of HTTP", host: "a:80", origin: "http://a", ours: true },
  { name: "the default port of HTTPS", host: "a:443", origin: "https://a", ours: true },
  { name: "the default port of the other", host: "a:443", origin: "http://a", ours: false },

  { name: "over HTTPS", scheme: "https", host: "a", origin: "https://a", ours: true },
  { name: "over HTTPS, from HTTP", scheme: "https", host: "a", origin: "http://a", ours: false },
  { name: "over HTTP, from HTTPS", scheme: "http", host: "a", origin: "https://a", ours: false },
  { name: "over HTTP", scheme: "http", host: "a", origin: "http://a", ours: true },

  { name: "public", publicUrl: agents, host: "agents.example.com", origin: agents, ours: true },
  { name: "public, another Host", publicUrl: agents, host: "10.0.0.5", origin: agents, ours: true },
  {
    name: "public, with a path and in capitals",
    publicUrl: "HTTPS://Agents.example.com:443/admin/",
    host: "inside",
    origin: agents,
    ours: true,
  },
  {
    name: "public, from HTTP",
    publicUrl: agents,
    host: "agents.example.com",
    origin: "http://agents.example.com",
    ours: false,
  },
  {
    name: "public, from another port",
    publicUrl: agents,
    host: "agents.example.com",
    origin: `${agents}:8443`,
    ours: false,
  },
  {
    name: "public, but on the host itself",
    publicUrl: agents,
    host: "localhost:8080",
    origin: "http://localhost:8080",
    ours: true,
  },
  {
    name: "public, as a sibling of the host that was asked",
    publicUrl: "https://console.example.com",
    host: "api.example.com",
    origin: "https://console.example.com",
    site: "same-site",
    ours: true,
  },
  {
    name: "public, and yet another site",
    publicUrl: agents,
    origin: agents,
    site: "cross-site",
    ours: false,
  },
  {
    name: "public over HTTP, where we speak HTTPS ourselves",
    publicUrl: "http://a",
    scheme: "https",
    host: "a",
    origin: "https://a",
    ours: true,
  },
];

describe("comes from here or not", () => {
  test.each(cases)("$name: $ours", ({ publicUrl, scheme = null, origin, site, ours, ...rest }) => {
    const host = "host" in rest ? rest.host : "a:8080";
    const headers = {
      ...(origin === undefined ? {} : { origin }),
      ...(site === undefined ? {} : { "sec-fetch-site": site }),
    };
    const check = () => originCheck(publicUrl ?? null)(headers, { ip: "192.0.2.7", scheme, host });
    if (ours) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "CSRF_INVALID" }));
  });
});
