// Makes src/domain/route-facts.json from the schemas. Columns that the file already lists keep
// their place.

import { join } from "node:path";
import { z } from "zod";
import type { RouteSpec } from "../src/api/contract/route.ts";
import { routes } from "../src/api/index.ts";
import type { JsonObject } from "../src/domain/payload/json.ts";
import {
  type FieldFacts,
  type Fields,
  type RouteFacts,
  routeFacts,
} from "../src/domain/route-facts.ts";

export const factsFile = join(import.meta.dirname, "../src/domain/route-facts.json");

/** Each route is on one line. */
export function factsText(): string {
  const lines = Object.entries<RouteSpec>(routes).map(
    ([name, spec]) => `  ${JSON.stringify(name)}: ${JSON.stringify(factsFrom(name, spec))}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

function factsFrom(name: string, spec: RouteSpec): RouteFacts {
  const { method, path, access, summary, status, paginated, bus, metrics, fixed } = spec;
  const { produces, websocket, slowSeconds, exportOf, idempotent, heavy, workLimit } = spec;
  const { changesNothing } = spec;
  const own = { method, path, access, summary, status, paginated, bus, metrics, fixed };
  const special = { produces, websocket, slowSeconds, exportOf, idempotent, heavy, workLimit };
  const facts = { ...own, ...special, changesNothing } as RouteFacts;
  // An export has the parameters of its list.
  if (exportOf !== undefined) return facts;
  const params = spec.params && withoutDescriptions(fieldsOf(spec.params));
  const query = spec.query && fieldsOf(spec.query);
  if (isSimple(spec, params, query)) Object.assign(facts, { simple: true, params, query });
  const body = spec.body && name.endsWith(".create") ? bodyOf(spec.body) : null;
  if (body) facts.body = body;
  if (paginated) {
    facts.columns = inKnownOrder(columnsOf(spec.reply), routeFacts[name]?.columns ?? []);
  }
  return facts;
}

/** Routes for programs, and those with a body or a special response, always use their schemas. */
function isSimple(spec: RouteSpec, params: Fields = {}, query: Fields = {}): boolean {
  const isSpecial = spec.body || spec.produces || spec.websocket || spec.idempotent || spec.fixed;
  if (isSpecial || !["owner", "operator", "viewer"].includes(spec.access)) return false;
  if (!Object.values(params).every(({ complete }) => complete)) return false;
  const { shape = {}, def } = spec.query ?? {};
  // The only rule that involves several fields limits the page numbers of long lists.
  const hasRules = (def?.checks?.length ?? 0) > 0 && !("before" in shape);
  // Every field must be optional, or have a default that is known.
  const canBeMissing = ([name, schema]: [string, z.core.$ZodType]) =>
    schema instanceof z.ZodOptional || query[name]?.default !== undefined;
  return !hasRules && Object.entries(shape).every(canBeMissing);
}

function fieldsOf(schema: z.ZodObject): Fields {
  const described = propertiesOf(schema);
  const fields = Object.entries(schema.shape).map(([name, field]): [string, FieldFacts] => {
    const { description } = described[name] ?? {};
    const facts: FieldFacts = (name === "sort"
      ? { kind: "sort", ...choicesIn(described[name]), complete: true }
      : completeFactsOf(field)) ?? {
      kind: kindOf(described[name] ?? {}),
      ...choicesIn(described[name]),
    };
    return [name, { ...facts, ...(typeof description === "string" ? { description } : {}) }];
  });
  const { page, before, ...others } = Object.fromEntries(fields);
  // Only the first pages of a long list have a number.
  return page && before
    ? { page: { ...page, max: 1 }, before, ...others }
    : Object.fromEntries(fields);
}

/** Only the parameters of lists are shown to people, as filters. */
function withoutDescriptions(fields: Fields): Fields {
  const plain = Object.entries(fields).map(([name, { description, ...facts }]) => [name, facts]);
  return Object.fromEntries(plain);
}

/**
 * Properties have their output form. Those whose output form is empty, such as times, which the
 * schema converts to numbers, have their input form.
 */
function propertiesOf(schema: z.ZodType): Record<string, JsonObject> {
  const [output, input] = (["output", "input"] as const).map(
    (io) => z.toJSONSchema(schema, { io, unrepresentable: "any" }).properties,
  ) as [Record<string, JsonObject>, Record<string, JsonObject>];
  const isEmpty = (property: JsonObject) => property.type === undefined && !property.enum;
  return Object.fromEntries(
    Object.entries(output).map(([name, property]) => [
      name,
      isEmpty(property) ? { ...input[name], ...property } : property,
    ]),
  );
}

function kindOf({ type, format, items, enum: words }: JsonObject): FieldFacts["kind"] {
  if (format === "date-time") return "time";
  if (type === "array") return (items as JsonObject).enum ? "several" : "all";
  return words ? "choice" : "text";
}

function choicesIn(property: JsonObject = {}): Pick<FieldFacts, "choices"> {
  const words = (property.items as JsonObject | undefined)?.enum ?? property.enum;
  return words ? { choices: words as string[] } : {};
}

/** Returns null if only the schema can tell which values are valid. */
function completeFactsOf(schema: z.core.$ZodType): FieldFacts | null {
  if (schema instanceof z.ZodOptional) return completeFactsOf(schema.def.innerType);
  if (schema instanceof z.ZodDefault) {
    const field = completeFactsOf(schema.def.innerType);
    if (field?.kind !== "number") return null;
    return { ...field, default: schema.def.defaultValue as number };
  }
  // The first part of a pipe splits text, or converts digits; the second checks the result.
  if (schema instanceof z.ZodPipe) return pipedFactsOf(schema.def.out);
  if (schema instanceof z.ZodEnum && hasOnly([], schema)) {
    return { kind: "choice", choices: schema.options as string[], complete: true };
  }
  if (schema instanceof z.ZodString && hasOnly(["min_length", "max_length"], schema)) {
    const { minLength: min, maxLength: max } = schema;
    return max === null ? null : { kind: "text", min: min ?? 0, max, complete: true };
  }
  return null;
}

function pipedFactsOf(schema: z.core.$ZodType): FieldFacts | null {
  if (schema instanceof z.ZodArray && hasOnly(["min_length"], schema)) {
    const field = completeFactsOf(schema.def.element);
    return field?.kind === "choice" ? { ...field, kind: "several" } : null;
  }
  const bounds = ["number_format", "greater_than", "less_than"];
  if (!(schema instanceof z.ZodNumber) || !hasOnly(bounds, schema)) return null;
  const { minValue: min, maxValue: max } = schema;
  return { kind: "number", min: min as number, max: max as number, complete: true };
}

function hasOnly(known: readonly string[], { def }: z.ZodType): boolean {
  return (def.checks ?? []).every(({ _zod }) => known.includes(_zod.def.check));
}

/** Returns null if a field is a list or an object with known fields. */
function bodyOf(body: z.ZodType): Fields | null {
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as JsonObject;
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  const fields: Record<string, FieldFacts> = {};
  for (const [name, property] of Object.entries(properties)) {
    const field = bodyFieldOf(property);
    if (!field) return null;
    fields[name] = { ...field, ...(required.includes(name) ? { required: true as const } : {}) };
  }
  return fields;
}

function bodyFieldOf(given: JsonObject): FieldFacts | null {
  const variants = (given.anyOf ?? [given]) as JsonObject[];
  const [schema, ...others] = variants.filter(({ type }) => type !== "null");
  if (!schema || others.length > 0) return null;
  const kind = bodyKindOf(schema);
  if (!kind) return null;
  const description = given.description ?? schema.description;
  return {
    kind,
    ...choicesIn(schema),
    ...(typeof schema.maxLength === "number" ? { max: schema.maxLength } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function bodyKindOf(schema: JsonObject): FieldFacts["kind"] | undefined {
  const { type, format, enum: words, properties, additionalProperties: values } = schema;
  if (format === "date-time") return "time";
  if (words) return "choice";
  const isMap =
    type === "object" && !properties && (values as JsonObject | undefined)?.type === "string";
  if (isMap) return "map";
  const kinds = { string: "text", integer: "number", number: "number", boolean: "flag" } as const;
  return kinds[type as keyof typeof kinds];
}

function inKnownOrder(columns: readonly string[], known: readonly string[]): string[] {
  return [
    ...known.filter((column) => columns.includes(column)),
    ...columns.filter((column) => !known.includes(column)),
  ];
}

/** The fields of a row, and those of the objects in it. */
function columnsOf(reply: z.ZodType): string[] {
  if (!(reply instanceof z.ZodArray)) throw new Error("a list must return an array");
  return Object.entries(shapeOf(reply.element) ?? {}).flatMap(([name, schema]) => {
    const nested = shapeOf(schema);
    return nested ? Object.keys(nested).map((field) => `${name}.${field}`) : [name];
  });
}

/** Null if the value is not an object with known fields. */
function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape | null {
  if (schema instanceof z.ZodObject) return schema.shape;
  const isWrapper = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return isWrapper ? shapeOf(schema.def.innerType) : null;
}
