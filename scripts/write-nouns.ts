// Makes src/api/contract/nouns.ts: the nouns of the API as plain data, with the filters for their
// lists.

import { join } from "node:path";
import { z } from "zod";
import type {
  CreateSpec,
  DefinedNoun,
  FilterSpec,
  Noun,
  NounField,
  NounFilter,
} from "../src/api/contract/noun.ts";
import type { RouteSpec } from "../src/api/contract/route.ts";
import { nouns } from "../src/api/index.ts";
import type { JsonObject } from "../src/domain/payload/json.ts";
import type { Role } from "../src/domain/principals.ts";
import { formatted } from "./formatted.ts";

export const nounsFile = join(import.meta.dirname, "../src/api/contract/nouns.ts");

const head = `// The nouns of the API as data. Written by scripts/write-nouns.ts from src/api: do not edit.

import type { Noun } from "./noun.ts";

`;

export function nounsText(): string {
  const all = Object.fromEntries(nouns.map((defined) => [defined.noun, generated(defined)]));
  return formatted(
    nounsFile,
    `${head}export const nouns = ${JSON.stringify(all)} as const satisfies Record<string, Noun>;

export type NounName = keyof typeof nouns;
`,
  );
}

function generated({ routes, filters = {}, create: special, ...spec }: DefinedNoun): Noun {
  const { noun, group = noun, acts = {} } = spec;
  const wordOf = (route: string) => route.slice(noun.length + 1);
  const list = routes[`${noun}.list`];
  const query = list?.query ? propertiesOf(list.query) : {};
  const own = Object.entries(routes).filter(([, { exportOf }]) => exportOf === undefined);
  const byWord = <T>(read: (route: RouteSpec) => T) =>
    Object.fromEntries(own.map(([name, route]) => [wordOf(name), read(route)]));
  const create = createOf(routes[`${noun}.create`], special);
  return {
    ...spec,
    group,
    title: spec.title ?? capitalized(noun.replaceAll("-", " ")),
    ...(list?.bus ? { bus: true } : {}),
    param: Object.keys(routes[`${noun}.get`]?.params?.shape ?? {})[0] ?? "id",
    summaries: byWord(({ summary }) => summary),
    access: byWord(({ access }) => access as Role),
    filters: Object.entries(query).flatMap(([name, schema]) =>
      filterOf(name, schema, filters[name]),
    ),
    searches: "q" in query,
    sorts: ((query.sort?.enum ?? []) as string[]).filter((word) => !word.startsWith("-")),
    isLong: "before" in query,
    acts,
    ...(create ? { create } : {}),
  };
}

/** A body that is not flat needs its own form. */
function createOf(route: RouteSpec | undefined, spec: CreateSpec = {}): Noun["create"] {
  if (!route?.body) return undefined;
  const schema = z.toJSONSchema(route.body, { io: "input", unrepresentable: "any" }) as JsonObject;
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  const fields: NounField[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const field = fieldOf(name, property, required.includes(name));
    // An object is a field only where the noun says so.
    const isForm = field?.kind === "map" && !spec.fields?.[name];
    if (!field || isForm) return undefined;
    fields.push({ ...field, ...spec.fields?.[name] });
  }
  const { idempotent } = route;
  const repeated = idempotent ? { idempotent: true as const } : {};
  return { ...spec, fields, ...repeated, ...(typeof idempotent === "object" ? idempotent : {}) };
}

const kinds: Readonly<Record<string, NounField["kind"]>> = {
  string: "text",
  integer: "number",
  number: "number",
  boolean: "flag",
};

/** Whether the schema is of an object with any names, whose values are texts. */
function isTextMap({ type, properties, additionalProperties: values }: JsonObject): boolean {
  return type === "object" && !properties && (values as JsonObject | undefined)?.type === "string";
}

function fieldOf(name: string, given: JsonObject, required: boolean): NounField | null {
  const variants = (given.anyOf ?? [given]) as JsonObject[];
  const [schema, ...others] = variants.filter(({ type }) => type !== "null");
  if (!schema || others.length > 0) return null;
  const kind = schema.enum ? "choice" : isTextMap(schema) ? "map" : kinds[String(schema.type)];
  if (!kind) return null;
  const hint = given.description ?? schema.description;
  return {
    name,
    kind: schema.format === "date-time" ? "time" : kind,
    ...(required ? { required } : {}),
    ...(schema.enum ? { choices: schema.enum as string[] } : {}),
    ...(typeof schema.maxLength === "number" ? { maxLength: schema.maxLength } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Fields have their output form, except times, which are sent as numbers. */
function propertiesOf(query: z.ZodType): Record<string, JsonObject> {
  const [output, input] = (["output", "input"] as const).map(
    (io) => z.toJSONSchema(query, { io, unrepresentable: "any" }).properties,
  ) as [Record<string, JsonObject>, Record<string, JsonObject>];
  const isEmpty = (schema: JsonObject) => schema.type === undefined && schema.enum === undefined;
  return Object.fromEntries(
    Object.entries(output).map(([name, schema]) => [
      name,
      isEmpty(schema) ? { ...input[name], ...schema } : schema,
    ]),
  );
}

const notFilters = ["page", "pageSize", "before", "afterSeq", "sort"];

function filterOf(name: string, schema: JsonObject, spec: FilterSpec = {}): NounFilter[] {
  if (notFilters.includes(name)) return [];
  const of = nouns.find(({ noun, routes }) => {
    const params = routes[`${noun}.get`]?.params?.shape ?? {};
    return Object.keys(params)[0] === name;
  })?.noun;
  const items = schema.items as JsonObject | undefined;
  const choices = (items?.enum ?? schema.enum) as string[] | undefined;
  const kind = kindOf(name, schema, of);
  const flag = kind === "search" ? "search" : name.replace(/Id$/, "");
  const summary = summaryOf(name, schema, choices);
  const more = { ...(choices ? { choices } : {}), ...(of ? { of } : {}) };
  const hint = kind === "selector" ? { hint: "region=eu,!canary" } : {};
  return [{ name, flag, kind, ...more, ...hint, summary, ...spec }];
}

function kindOf(name: string, schema: JsonObject, of: string | undefined): NounFilter["kind"] {
  if (name === "q") return "search";
  if (name === "selector") return "selector";
  if (of) return "id";
  if (schema.format === "date-time") return "time";
  if (schema.type === "array") return (schema.items as JsonObject).enum ? "several" : "all";
  return schema.enum ? "choice" : "text";
}

function summaryOf(name: string, { description }: JsonObject, choices?: readonly string[]): string {
  if (typeof description !== "string") {
    throw new Error(`The filter ${name} has no description: give its schema one with .meta().`);
  }
  // Help uses the description as a part of a sentence.
  const text = description
    .replace(/\.$/, "")
    .replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
  return choices ? `${choices.join(", ")}: ${text}` : text;
}
