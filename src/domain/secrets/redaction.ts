// Removes secrets from what agents send, before it is stored: values whose keys look like secrets,
// the platform's own tokens, and passwords in URLs. (docs/decisions/0011-secrets.md)

import type { ConfigEntry } from "../fleet/services.ts";
import type { Json } from "../payload/json.ts";
import { isSecret, isSecretName } from "./secrecy.ts";

export const redacted = "[REDACTED]";

const ownToken = /platform_(reg|agent|key)_[0-9A-Za-z]+/g;
/** Matches from a URL's slashes to the `@` before its host. The limits keep the time linear. */
const urlPassword = /(:\/\/[^\s/?#:@"'<>]{0,256}:)[^\s/?#"'<>]{1,1024}(?=@)/g;

/** A field of an object in text that is JSON. The limits keep the time linear. */
const jsonField = /"([^"\\\s]{1,64})"\s?:\s?"((?:[^"\\]|\\.){1,4096})"/g;

export function redactText(text: string): string {
  const cut = redactTokens(text);
  return cut.includes("://") ? cut.replace(urlPassword, `$1${redacted}`) : cut;
}

/** The position of a secret's first character in a text, and the position after its last one. */
export type Span = readonly [from: number, to: number];

/**
 * Returns where `redactText` would remove something. The text may be a program's JSON, so this also
 * returns the positions of values in fields whose names look secret.
 */
export function secretSpans(text: string): Span[] {
  const spans: Span[] = [];
  const add = (match: RegExpExecArray, kept: number, length: number) =>
    spans.push([match.index + kept, match.index + kept + length]);
  if (text.includes("platform_")) {
    for (const match of text.matchAll(ownToken)) {
      const kept = `platform_${match[1]}_`.length;
      add(match, kept, match[0].length - kept);
    }
  }
  if (text.includes("://")) {
    for (const match of text.matchAll(urlPassword)) {
      const kept = (match[1] ?? "").length;
      add(match, kept, match[0].length - kept);
    }
  }
  for (const match of text.matchAll(jsonField)) {
    const [whole, key = "", value = ""] = match;
    if (isSecretName(key)) add(match, whole.length - value.length - 1, value.length);
  }
  return spans;
}

/** What `secretSpans` would recognize if more text followed. The limits keep the time linear. */
const openToken = /platform_(?:reg|agent|key)_[0-9A-Za-z]{0,64}$/;
const openPassword = /:\/\/[^\s/?#:@"'<>]{0,256}:[^\s/?#"'<>]{0,1024}$/;
const openField = /"([^"\\\s]{1,64})"\s?:\s?"(?:[^"\\]|\\.){0,4096}\\?$/;
const longestOpen = 4200;

/**
 * Returns how many characters at the end of a text may be part of a secret, depending on what
 * follows.
 */
export function openSecretLength(text: string): number {
  const end = text.slice(-longestOpen);
  const found = [openToken.exec(end), openPassword.exec(end)];
  const field = openField.exec(end);
  if (field && isSecretName(field[1] ?? "")) found.push(field);
  return Math.max(0, ...found.map((match) => match?.[0].length ?? 0));
}

function hasUrlPassword(value: unknown): boolean {
  return typeof value === "string" && value.search(urlPassword) !== -1;
}

function redactTokens(text: string): string {
  if (!text.includes("platform_")) return text;
  return text.replace(ownToken, (_, kind: string) => `platform_${kind}_${redacted}`);
}

/**
 * The value must be JSON of bounded depth (`jsonMaxDepth`). Undefined members are left out, as in
 * stored JSON.
 */
export function redact<T>(value: T): T {
  return walk(value, true) as T;
}

/**
 * Replaces only the platform's own tokens: metadata may contain `tokenCount`, and a pattern in a
 * schema may look like a URL.
 */
export function redactOwnTokens<T>(value: T): T {
  return walk(value, false) as T;
}

export function redactConfig(entry: ConfigEntry): ConfigEntry {
  const { valuePreview, defaultValue, ...rest } = entry;
  const hide = isSecret({ name: entry.key, sensitive: entry.sensitive });
  const clean = (value: Json): Json => (hide && value !== null ? redacted : redact(value));
  return {
    ...redactOwnTokens(rest),
    ...(valuePreview === undefined ? {} : { valuePreview: clean(valuePreview) }),
    ...(defaultValue === undefined ? {} : { defaultValue: clean(defaultValue) }),
  };
}

/**
 * In `inputSchema`, a field may be named `password`, so only its defaults and examples are removed.
 * Secrets in `initialPayload` are removed instead of replaced, because the operator sends that
 * payload back to run the action.
 */
export function redactPrepared<T>(output: T): T {
  if (output === null || typeof output !== "object" || Array.isArray(output)) return redact(output);
  const { inputSchema, initialPayload, ...rest } = output as Record<string, unknown>;
  const clean = redact(rest);
  if (inputSchema !== undefined) clean.inputSchema = walkSchema(inputSchema, false);
  if (initialPayload !== undefined) clean.initialPayload = withoutSecrets(initialPayload);
  return clean as T;
}

/** JSON Schema keywords that may contain real values. */
const sampleKeywords = new Set(["default", "examples", "example"]);

function walkSchema(schema: unknown, secret: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => walkSchema(item, secret));
  if (schema === null || typeof schema !== "object") return walk(schema, false);
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (sampleKeywords.has(keyword)) {
      if (!secret) copy[keyword] = withoutSecrets(value);
    } else if (keyword === "enum" || keyword === "const") copy[keyword] = walk(value, false);
    else if (keyword === "properties") copy[keyword] = walkProperties(value, secret);
    else copy[keyword] = walkSchema(value, secret);
  }
  return copy;
}

function walkProperties(properties: unknown, secret: boolean): unknown {
  if (properties === null || typeof properties !== "object" || Array.isArray(properties)) {
    return walkSchema(properties, secret);
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      redactTokens(name),
      walkSchema(schema, secret || isSecretName(name)),
    ]),
  );
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return walk(value, false);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !isSecretName(key) && !hasUrlPassword(item))
      .map(([key, item]) => [redactTokens(key), withoutSecrets(item)]),
  );
}

function walk(value: unknown, byKey: boolean): unknown {
  if (typeof value === "string") return byKey ? redactText(value) : redactTokens(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => walk(item, byKey));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const hide = byKey && item !== null && isSecretName(key);
    copy[redactTokens(key)] = hide ? redacted : walk(item, byKey);
  }
  return copy;
}
