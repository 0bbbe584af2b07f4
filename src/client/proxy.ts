// Chooses the proxy for a server. Lower-case variables take precedence.

import { isIP } from "node:net";
import { inRanges, parseRanges } from "../lib/addresses.ts";
import { isLoopback, plainHost } from "../lib/host.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns what is wrong with the text, without quoting its password; null if it is valid. */
export function problemOfProxy(text: string): string | null {
  return parsed(text) === null ? "must be a URL like http://proxy.example.com:3128" : null;
}

/** `proxy.example.com:3128` means HTTP. The text must be valid. */
export function proxyUrl(text: string): string {
  return parsed(text)?.href ?? text;
}

/** Returns the proxy for messages, without user name and password. */
export function shownProxy(text: string): string {
  const url = parsed(text);
  return url === null ? "the proxy" : `${url.protocol}//${url.host}`;
}

/** Returns null if this server has no proxy. A server on this host never has one. */
export function proxyFromEnvironment(
  server: string,
  environment: Environment,
): { text: string; variable: string } | null {
  if (!URL.canParse(server)) return null;
  const url = new URL(server);
  const variable = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const said = saidBy(environment, variable);
  if (said === null || isLoopback(url.hostname)) return null;
  const exempt = saidBy(environment, "NO_PROXY")?.text ?? "";
  return isExempt(url, exempt) ? null : said;
}

function saidBy(environment: Environment, name: string) {
  for (const variable of [name.toLowerCase(), name]) {
    const text = environment[variable]?.trim();
    if (text) return { text, variable };
  }
  return null;
}

function parsed(text: string): URL | null {
  const full = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  const isPlain = url.pathname.length <= 1 && url.search === "" && url.hash === "";
  return /^https?:$/.test(url.protocol) && isPlain && hasReadableUser(url) ? url : null;
}

function hasReadableUser({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

export function isOpenToOthers(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !isLoopback(hostname);
}

/** Entries are `*`, names with their subdomains, addresses and ranges, with an optional port. */
function isExempt(url: URL, entries: string): boolean {
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return entries.split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    const [, name = entry, only] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    return (only === undefined || only === port) && isNamed(host, plainHost(name));
  });
}

function isNamed(host: string, name: string): boolean {
  if (isIP(host) !== 0) {
    const [network = ""] = name.split("/");
    return isIP(network) === isIP(host) && inRanges(parseRanges(name) ?? [])(host);
  }
  const domain = name.replace(/^\*?\./, "");
  return host === domain || host.endsWith(`.${domain}`);
}
