import { z } from "zod";
import { sidecarConfig } from "./config.ts";

export type Schema = z.core.JSONSchema.JSONSchema;

let whole: Schema | null = null;

/** Returns the fields that the path can have. Empty if it can have any field, or no fields. */
export function fieldsAt(path: readonly PropertyKey[]): string[] {
  let here = kinds(root());
  for (const step of path) here = here.flatMap((schema) => below(schema, step));
  return [...new Set(here.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** The path has the form `services[].health.http.url`. */
export interface Field {
  path: string;
  schema: Schema;
  isRequired: boolean;
  /** If the field is required, the fields that can be given instead of it. */
  instead: string[];
}

/** Returns every field once, in the order of the schema. */
export function everyField(): Field[] {
  const found = new Map<string, Field>();
  for (const field of fieldsOf(root(), "")) {
    if (!found.has(field.path)) found.set(field.path, field);
  }
  return [...found.values()];
}

function root(): Schema {
  whole ??= z.toJSONSchema(sidecarConfig, { io: "input", unrepresentable: "any" });
  return whole;
}

function kinds(schema: unknown): Schema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { anyOf = [] } = schema as Schema;
  return [schema as Schema, ...anyOf.flatMap(kinds)];
}

function below({ properties, items }: Schema, step: PropertyKey): Schema[] {
  return kinds(typeof step === "number" ? items : properties?.[String(step)]);
}

function fieldsOf(schema: unknown, above: string): Field[] {
  const forms = kinds(schema);
  return forms.flatMap(({ properties = {}, required = [], items }) => {
    const ofOthers = forms.flatMap((other) => other.required ?? []);
    const instead = ofOthers.filter((name) => !(name in properties));
    const named = Object.entries(properties).flatMap(([name, inner]) => {
      const path = above === "" ? name : `${above}.${name}`;
      const field = { path, schema: inner as Schema, isRequired: required.includes(name), instead };
      return [field, ...fieldsOf(inner, path)];
    });
    return [...named, ...fieldsOf(items, `${above}[]`)];
  });
}
