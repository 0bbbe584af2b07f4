// Parsers of settings. Their errors follow the setting's name: "must be a number".

import { isIPv6 } from "node:net";
import { parseRanges } from "../lib/addresses.ts";
import { quoted } from "../lib/cut-text.ts";
import { parseHost, shortIPv6 } from "../lib/host.ts";
import { usernamePattern, usernameRule } from "../lib/username-rule.ts";
import { parseWholeNumber } from "../lib/whole-number.ts";

/** Throws NotReadable. */
export type Read<T> = (text: string) => T;

/** The message follows the setting's name. */
export class NotReadable extends Error {}

export function wholeNumber(min: number, max: number): Read<number> {
  return (text) => {
    const number = parseWholeNumber(text);
    if (number !== null && number >= min && number <= max) return number;
    throw new NotReadable(`must be a whole number from ${min} to ${max}, not ${quoted(text)}`);
  };
}

/** Errors do not quote the text, which may be a secret. */
export function textOf(min: number, max = Number.POSITIVE_INFINITY): Read<string> {
  const bounded = max < Number.POSITIVE_INFINITY;
  const size = bounded ? `${min} to ${max} characters` : `${min} characters or more`;
  return (text) => {
    if (text.length >= min && text.length <= max) return text;
    throw new NotReadable(`must have ${size}`);
  };
}

export function oneOf<const T extends string>(...words: T[]): Read<T> {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new NotReadable(`must be ${inWords(words)}, not ${quoted(text)}`);
  };
}

export function yesOrNo(text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new NotReadable(`must be true or false, not ${quoted(text)}`);
}

/** Returns the normalized form that is stored. */
export function username(text: string): string {
  const name = text.normalize("NFKC");
  if (usernamePattern.test(name)) return name;
  throw new NotReadable(`${usernameRule}, and at most 100 characters, not ${quoted(text)}`);
}

/** An IPv6 address has no brackets, and a port is not allowed. */
export function bindAddress(text: string): string {
  const host = parseHost(text);
  if (host && host.port === null && !host.name.startsWith("[")) return text;
  if (isIPv6(text)) return text;
  throw new NotReadable(
    `must be an address or a host name, without a port or brackets, not ${quoted(text)}`,
  );
}

/** Errors do not quote the value, which may contain a password. */
export function siteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:\/\//i.test(text)) {
    throw new NotReadable("must be a URL that begins with https:// or http://");
  }
  if (url.username || url.password)
    throw new NotReadable("must not contain a user name or password");
  if (url.search || url.hash) throw new NotReadable("must not contain ? or #");
  return text;
}

/** The names are separated by commas. A port is dropped, because any port is accepted. */
export function hostNames(text: string): string[] {
  return listOf(text, (entry) => {
    const name = shortIPv6(entry) ?? parseHost(entry)?.name;
    if (name !== undefined) return [name];
    throw new NotReadable(
      `must be host names or addresses separated by commas; ${quoted(entry)} is neither`,
    );
  });
}

/** True trusts all proxies, false trusts none, and a list trusts the ranges in it. */
export function proxies(text: string): boolean | string[] {
  if (text === "true" || text === "false") return text === "true";
  return listOf(text, (entry) => {
    const ranges = parseRanges(entry);
    if (ranges) return ranges;
    throw new NotReadable(
      "must be false, true, or a list of addresses, ranges, loopback and private; " +
        `${quoted(entry)} is none of these`,
    );
  });
}

/** Returns the time with milliseconds. */
export function utcTime(text: string): string {
  const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(text);
  const time = Date.parse(text);
  const written = Number.isNaN(time) ? "" : new Date(time).toISOString();
  // Date.parse reads February 30 as a day in March.
  if (form?.[1] && written.startsWith(form[1])) return written;
  throw new NotReadable(`must be a UTC time in ISO 8601, not ${quoted(text)}`);
}

/** Refuses an empty list, which would mean "no restriction". */
function listOf(text: string, read: (entry: string) => readonly string[]): string[] {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0) throw new NotReadable(`must not be an empty list: ${quoted(text)}`);
  return entries.flatMap((entry) => read(entry));
}

function inWords(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
