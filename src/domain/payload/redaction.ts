// The wire-boundary pass: what an agent reports is cleaned of secrets before anything keeps it.
// A value whose key looks like a secret is replaced at any depth; inside any string our own tokens keep
// their prefix and lose the rest, and URLs lose their passwords.
// (docs/decisions/0011-secrets.md)

import type { ConfigEntry } from "../services.ts";
import type { Json } from "./json.ts";

export const redacted = "[REDACTED]";

/** Long enough to mean a secret wherever in a name they occur. */
const secretPart =
  /token|secret|password|passwd|passphrase|pwd|cookie|authorization|api[-_]?key|private[-_]?key|generatedkey|credential/i;
/** Whether a look at the single words of a name is worth its time. */
const mayHaveSecretWord = /dsn|keys?$/i;
/** At the end of a name: `accessKey` is a secret, `accessKeyId` is none. */
const secretEndings = new Set(
  ["raw", "plaintext", "access", "signing", "encryption", "master"].map((kind) => `${kind}key`),
);
/** Of a shell's environment: the folder that it is in, and the one before. */
const workingFolder = /^(?:OLD)?PWD$/;
const ownToken = /platform_(reg|agent|key)_[0-9A-Za-z]+/g;
/**
 * From the slashes of a URL to the `@` before its host. The lengths are bounded, so that no text takes
 * more than linear time.
 */
const urlPassword = /(:\/\/[^\s/?#:@"'<>]{0,256}:)[^\s/?#"'<>]{1,1024}(?=@)/g;

/** Whether a field of this name holds a secret, by its look. */
export function looksSecret(key: string): boolean {
  if (secretPart.test(key)) return !workingFolder.test(key);
  return mayHaveSecretWord.test(key) && hasSecretWord(key);
}

/** The words of a name in camel case or with separators: `maxTokens` and `MAX_TOKENS` are "max" and "tokens". */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** `sentryDsn`, `raw_key`, `plainTextKey`; not `goodsNote`, `rawKeyboard`, `publicKey`. */
function hasSecretWord(key: string): boolean {
  const words = wordsOf(key);
  const endsWith = (count: number) => words.slice(-count).join("").replace(/s$/, "");
  return words.includes("dsn") || [1, 2, 3].some((count) => secretEndings.has(endsWith(count)));
}

/** Text with our own tokens cut down to their prefix, and URLs without their passwords. */
export function redactText(text: string): string {
  const cut = redactTokens(text);
  return cut.includes("://") ? cut.replace(urlPassword, `$1${redacted}`) : cut;
}

function hasUrlPassword(value: unknown): boolean {
  return typeof value === "string" && value.search(urlPassword) !== -1;
}

/** Text with our own tokens cut down to their prefix. */
function redactTokens(text: string): string {
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

/**
 * Only our own tokens: for metadata that the server builds itself (`tokenCount` survives), and for
 * schemas, in which what looks like a URL may be a pattern.
 */
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
      redactTokens(name),
      walkSchema(schema, secret || looksSecret(name)),
    ]),
  );
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return walk(value, false);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !looksSecret(key) && !hasUrlPassword(item))
      .map(([key, item]) => [redactTokens(key), withoutSecrets(item)]),
  );
}

function walk(value: unknown, byKey: boolean): unknown {
  if (typeof value === "string") return byKey ? redactText(value) : redactTokens(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => walk(item, byKey));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const hide = byKey && item !== null && item !== undefined && looksSecret(key);
    copy[redactTokens(key)] = hide ? redacted : walk(item, byKey);
  }
  return copy;
}
