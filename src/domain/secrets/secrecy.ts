// Decides what is secret in payloads, forms, configuration and everything that agents report. The
// store, the command line and the console all use this rule. (docs/decisions/0011-secrets.md)

import type { Json, JsonObject } from "../payload/json.ts";

/** A field of a form, a payload or a configuration, as far as it is known. */
export interface Field {
  name?: string | undefined;
  /** The JSON Schema of the field. It comes from an agent and is not trusted. */
  schema?: Json | undefined;
  value?: Json | undefined;
  /** Whether an agent has marked an entry of its configuration as sensitive. */
  sensitive?: boolean | undefined;
}

/** Who gave the stored secrets, and in which version of their object. */
export interface SecretsGiven {
  /** The id of a user or of an API key, or `local`. */
  by: string;
  version: number;
}

/**
 * A field is secret by its mark (`writeOnly`, `format: password`, `sensitive`) or by its name. The
 * names of booleans, such as "Reset the password?", and of numbers such as `maxTokens` do not
 * count.
 */
export function isSecret({ name, schema, value, sensitive }: Field): boolean {
  if (sensitive === true || isMarkedSecret(schema)) return true;
  if (name === undefined || !isSecretName(name)) return false;
  const types = typesOf(schema, value);
  if (types.every((type) => type === "boolean")) return types.length === 0;
  return !types.every(isNumeric) || !wordsOf(name).some((word) => measures.has(word));
}

export function isMarkedSecret(schema: Json | undefined): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const { writeOnly, format }: JsonObject = schema;
  return writeOnly === true || format === "password";
}

/** Decides by the name alone, without the type of the value, as for keys in an agent's reports. */
export function isSecretName(name: string): boolean {
  if (secretPart.test(name)) return !workingFolder.test(name);
  return mayHaveSecretWord.test(name) && hasSecretWord(name);
}

/** The types of a value, or those that its schema allows; empty if nothing is known. */
function typesOf(schema: Json | undefined, value: Json | undefined): string[] {
  if (value !== undefined && value !== null) return [typeof value];
  const type = typeof schema === "object" && schema !== null && "type" in schema && schema.type;
  const types = Array.isArray(type) ? type : [type];
  return types.filter((each) => typeof each === "string" && each !== "null") as string[];
}

function isNumeric(type: string): boolean {
  return type === "number" || type === "integer";
}

/** A number is not secret even if its name contains one of these words, as `maxTokens` does. */
const measures = new Set([
  ...["max", "maximum", "min", "minimum", "count", "counts", "limit", "limits", "length", "size"],
  ...["ttl", "ms", "seconds", "minutes", "hours", "days", "budget", "used", "per"],
]);

/** These words mean a secret anywhere in a name. */
const secretPart =
  /token|secret|password|passwd|passphrase|pwd|cookie|authorization|api[-_]?key|private[-_]?key|generatedkey|credential/i;
/** A quick test of whether the words of a name need to be checked. */
const mayHaveSecretWord = /dsn|keys?$/i;
/** These words mean a secret only at the end of a name: `accessKey`, but not `accessKeyId`. */
const secretEndings = new Set(
  ["raw", "plaintext", "access", "signing", "encryption", "master"].map((kind) => `${kind}key`),
);
/** `PWD` and `OLDPWD` name folders in a shell's environment, not passwords. */
const workingFolder = /^(?:OLD)?PWD$/;

/** Accepts `sentryDsn`, `raw_key` and `plainTextKey`, but not `goodsNote` and `publicKey`. */
function hasSecretWord(name: string): boolean {
  const words = wordsOf(name);
  const endsWith = (count: number) => words.slice(-count).join("").replace(/s$/, "");
  return words.includes("dsn") || [1, 2, 3].some((count) => secretEndings.has(endsWith(count)));
}

/** `maxTokens` and `MAX_TOKENS` become "max" and "tokens". */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
