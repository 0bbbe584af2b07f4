// From the text of a setting to its value. What cannot be read is told in plain words, which follow
// the setting's name: "must be a whole number from 0 to 65535".

import { isIPv6 } from "node:net";
import { parseRanges } from "../lib/addresses.ts";
import { parseHost, shortIPv6 } from "../lib/host.ts";
import { usernamePattern, usernameRule } from "../lib/username-rule.ts";
import { parseWholeNumber } from "../lib/whole-number.ts";

/** Answers the value. Throws NotReadable. */
export type Read<T> = (text: string) => T;

/** The message is the problem, in words that follow the name of the setting. */
export class NotReadable extends Error {}

export function wholeNumber(min: number, max: number): Read<number> {
  return (text) => {
    const number = parseWholeNumber(text);
    if (number !== null && number >= min && number <= max) return number;
    throw new NotReadable(`must be a whole number from ${min} to ${max}, not ${quoted(text)}`);
  };
}

/** The value is not told: it may be a secret. */
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

/** Composed, as names are kept. */
export function username(text: string): string {
  const name = text.normalize("NFKC");
  if (usernamePattern.test(name)) return name;
  throw new NotReadable(`${usernameRule}, 100 characters at most, not ${quoted(text)}`);
}

/** An address to listen on: IPv6 without brackets, and no port. */
export function bindAddress(text: string): string {
  const host = parseHost(text);
  if (host && host.port === null && !host.name.startsWith("[")) return text;
  if (isIPv6(text)) return text;
  throw new NotReadable(
    `must be an address or a host name, without a port or brackets, not ${quoted(text)}`,
  );
}

/** The value is not told: it may hold a password. */
export function siteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:\/\//i.test(text)) {
    throw new NotReadable("must be a URL that begins with https:// or http://");
  }
  if (url.username || url.password) throw new NotReadable("must not hold a name or a password");
  if (url.search || url.hash) throw new NotReadable("must end with its path, without ? or #");
  return text;
}

/** Names and addresses, with commas between. A port is left out: any port will do. */
export function hostNames(text: string): string[] {
  return listOf(text, (entry) => {
    const name = shortIPv6(entry) ?? parseHost(entry)?.name;
    if (name !== undefined) return [name];
    throw new NotReadable(
      `must be host names or addresses with commas between; ${quoted(entry)} is none`,
    );
  });
}

/** Which proxies are believed: none, any, or those in the ranges. */
export function proxies(text: string): boolean | string[] {
  if (text === "true" || text === "false") return text === "true";
  return listOf(text, (entry) => {
    const ranges = parseRanges(entry);
    if (ranges) return ranges;
    throw new NotReadable(
      "must be false, true, or addresses, ranges, loopback, private with commas between; " +
        `${quoted(entry)} is none`,
    );
  });
}

/** Answers it with milliseconds. */
export function utcTime(text: string): string {
  const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(text);
  const time = Date.parse(text);
  const written = Number.isNaN(time) ? "" : new Date(time).toISOString();
  // A 30th of February is read as a day in March.
  if (form?.[1] && written.startsWith(form[1])) return written;
  throw new NotReadable(`must be a time in UTC, in the form of ISO 8601, not ${quoted(text)}`);
}

/** A list without an entry is refused: it would be read as "no restriction". */
function listOf(text: string, read: (entry: string) => readonly string[]): string[] {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0) throw new NotReadable(`must not be an empty list: ${quoted(text)}`);
  return entries.flatMap((entry) => read(entry));
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function inWords(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
