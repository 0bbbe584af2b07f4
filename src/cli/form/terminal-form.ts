// The form for a terminal, which asks one question after another. Fields that do not fit a simple
// question are entered as JSON.

import { type Field, isPlainChoice } from "../../domain/form/form.ts";
import { readForm } from "../../domain/form/read-form.ts";
import { SchemaReader } from "../../domain/form/schema-reader.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { isMarkedSecret, isSecret } from "../../domain/secrets/secrecy.ts";

export const stars = "********";

export interface TerminalForm {
  schema: JsonObject;
  fields: Field[];
  /** The payload as a single field, if the schema cannot be split into fields. */
  whole: Field | null;
  /** The payload as JSON. */
  json: Field;
  /** Whether the schema has more fields than a form can have. */
  tooMany: boolean;
}

/** With a payload, the schema's conditions are applied to it. */
export function terminalForm(schema: JsonObject, payload?: JsonObject): TerminalForm {
  const { root, tooMany } = readForm(schema, payload);
  const hasSecret = secretFinder(new SchemaReader(schema));
  /** JSON input cannot hide a part, so a secret in one part hides the whole value. */
  const asJson = (field: Field): Field => {
    return { ...field, kind: "json", secret: field.secret || hasSecret(field.schema) };
  };
  const askable = (field: Field): Field => {
    if (field.kind === "group" && field.parts.length > 0) {
      return { ...field, parts: field.parts.map(askable) };
    }
    if (field.kind === "list") {
      const item = askable(field.item);
      if (isPlainChoice(item)) return { ...field, kind: "choices", choices: item.choices };
      return itemKinds.has(item.kind) ? { ...field, item } : asJson(field);
    }
    const isJson = field.kind === "json" || field.kind === "variants" || field.kind === "group";
    return isJson ? asJson(field) : field;
  };
  const json = asJson(root);
  const isSplit = root.kind === "group" && (root.parts.length > 0 || root.options.length === 0);
  const fields = isSplit ? root.parts.map(askable) : [];
  return { schema, fields, whole: isSplit ? null : json, json, tooMany };
}

/** Lists of other items are easier to enter as JSON. */
const itemKinds = new Set<Field["kind"]>(["text", "number", "flag", "choice", "group"]);

/** Whether the value must not be visible while the user types it. */
export function isHidden({ kind, secret }: Field): boolean {
  return secret && (kind === "text" || kind === "number" || kind === "json" || kind === "choice");
}

/** The maximum number of schema nodes to look at, because agents can send any schema. */
const maxSteps = 20_000;

/**
 * Returns a function that finds out whether a schema has secrets. The function also returns true if
 * the search takes too long.
 */
function secretFinder(reader: SchemaReader): (schema: Json | undefined) => boolean {
  let left = maxSteps;
  return (schema) => {
    const seen = new Set<Json>();
    const open = [schema];
    while (open.length > 0) {
      const node = open.pop();
      if (typeof node !== "object" || node === null || seen.has(node)) continue;
      if (--left < 0) return true;
      seen.add(node);
      if (isJsonObject(node)) {
        if (isMarkedSecret(node) || hasSecretProperty(node)) return true;
        if (typeof node.$ref === "string") open.push(reader.at(node.$ref));
      }
      for (const part of Object.values(node)) open.push(part);
    }
    return false;
  };
}

function hasSecretProperty({ properties }: JsonObject): boolean {
  if (!isJsonObject(properties)) return false;
  return Object.entries(properties).some(([name, schema]) => isSecret({ name, schema }));
}
