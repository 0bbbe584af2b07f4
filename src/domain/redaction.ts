// The wire-boundary pass: what an agent reports is cleaned of secrets before anything keeps it.
// A value whose key looks like a secret is replaced at any depth; one of our own tokens inside any
// string keeps its prefix and loses the rest. (`service.md` "Command"; `decisions.md` 8)

import type { Json } from "./json.ts";
import type { ConfigEntry } from "./services.ts";

export const redacted = "[REDACTED]";

const secretKey =
  /token|secret|password|passwd|cookie|authorization|api[-_]?key|private[-_]?key|generatedkey|credential/i;
const ownToken = /platform_(reg|agent|key)_[0-9A-Za-z]+/g;

/** Whether a field of this name holds a secret, by its look. */
export function looksSecret(key: string): boolean {
  return secretKey.test(key);
}

/** Text with our own tokens cut down to their prefix. */
export function redactText(text: string): string {
  if (!text.includes("platform_")) return text;
  return text.replace(ownToken, (_, kind: string) => `platform_${kind}_${redacted}`);
}

/**
 * A copy of `value` with secrets replaced: by key and by look. Input is JSON of bounded depth
 * (`jsonMaxDepth`), so recursion is bounded too. A null under a secret-looking key stays null.
 */
export function redact<T>(value: T): T {
  return walk(value, true) as T;
}

/** Only the second rule: for metadata that the server builds itself (`tokenCount` survives). */
export function redactOwnTokens<T>(value: T): T {
  return walk(value, false) as T;
}

/**
 * A config entry: its fields are known and kept; its values are hidden when the entry's own key
 * looks like a secret's name.
 */
export function redactConfig(entry: ConfigEntry): ConfigEntry {
  const { valuePreview, defaultValue, ...rest } = entry;
  const hide = looksSecret(entry.key);
  const clean = (value: Json): Json => (hide && value !== null ? redacted : redact(value));
  return {
    ...redactOwnTokens(rest),
    ...(valuePreview === undefined ? {} : { valuePreview: clean(valuePreview) }),
    ...(defaultValue === undefined ? {} : { defaultValue: clean(defaultValue) }),
  };
}

/**
 * The output of a prepare. Its `inputSchema` is a form: a field may be *named* `password` there without
 * being one, so only a default or an example below such a name is left out. From `initialPayload`, which
 * comes back with the execution, secrets are left out rather than replaced.
 */
export function redactPrepared<T>(output: T): T {
  if (output === null || typeof output !== "object" || Array.isArray(output)) return redact(output);
  const { inputSchema, initialPayload, ...rest } = output as Record<string, unknown>;
  const clean = redact(rest);
  if (inputSchema !== undefined) clean.inputSchema = walkSchema(inputSchema, false);
  if (initialPayload !== undefined) clean.initialPayload = withoutSecrets(initialPayload);
  return clean as T;
}

/** Keywords of JSON Schema that hold a value somebody may have put there. */
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
      redactText(name),
      walkSchema(schema, secret || looksSecret(name)),
    ]),
  );
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return walk(value, false);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !looksSecret(key))
      .map(([key, item]) => [redactText(key), withoutSecrets(item)]),
  );
}

function walk(value: unknown, byKey: boolean): unknown {
  if (typeof value === "string") return redactText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => walk(item, byKey));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const hide = byKey && item !== null && item !== undefined && looksSecret(key);
    copy[redactText(key)] = hide ? redacted : walk(item, byKey);
  }
  return copy;
}
