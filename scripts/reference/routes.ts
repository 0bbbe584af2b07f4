// The routes of the API and the types of their bodies and responses, from the OpenAPI document.

import { buildOpenApi } from "../../src/api/contract/openapi.ts";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";
import type { JsonObject } from "../../src/domain/payload/json.ts";
import { inCode, tableOf, type Writer, wrapped } from "./fill.ts";
import { hasExport, headings, isExport } from "./route-groups.ts";

interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  "x-access": string;
  parameters: JsonObject[];
  requestBody?: JsonObject;
  responses: Record<string, JsonObject>;
}

interface Route extends Operation {
  method: string;
  path: string;
}

interface Components {
  schemas: Record<string, JsonObject>;
  parameters: Record<string, JsonObject>;
  responses: Record<string, JsonObject>;
}

const document = buildOpenApi();
const components = document.components as unknown as Components;
const typesPage = "types.md";

export const routeWriters: Record<"routes" | "types", Writer> = {
  routes: () => {
    const groups = Map.groupBy(allRoutes(), ({ tags: [tag] }) => tag);
    const chapters = headings.map(([tag, title]) => {
      const listed = groups.get(tag) ?? [];
      return [
        `## ${title}`,
        ...listed.filter((route) => !isExport(route.operationId)).map(sectionOf),
      ];
    });
    const missing = [...groups.keys()].filter((tag) => !headings.some(([known]) => known === tag));
    if (missing.length > 0) throw new Error(`no heading for the routes of ${missing.join(", ")}`);
    return chapters.flat().join("\n\n");
  },
  types: () => {
    const names = [...typesIn(allRoutes())].sort();
    return names.map((name) => typeSection(name)).join("\n\n");
  },
};

/** Returns the routes in the order of the document, without other spellings of a path. */
function allRoutes(): Route[] {
  const paths = Object.entries(
    document.paths as unknown as Record<string, Record<string, Operation>>,
  );
  return paths.flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => !operationId.includes("~"))
      .map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, ":$1"),
      })),
  );
}

function sectionOf(route: Route): string {
  const { method, path, summary, description, operationId } = route;
  const facts = [
    `Access: ${callersOf(route)}.`,
    ...bodyOf(route),
    ...responseOf(route),
    ...(hasExport(operationId) ? [`As CSV: \`GET ${path}/export\`.`] : []),
    ...aliasesOf(operationId),
    ...errorsOf(route),
  ];
  return [
    `### ${method} ${path}`,
    wrapped(`${summary}.`),
    ...(description ? [wrapped(description)] : []),
    ...parametersOf(route),
    facts.map((fact) => wrapped(fact, "- ")).join("\n"),
  ].join("\n\n");
}

function callersOf({ "x-access": access, operationId }: Route): string {
  const { metrics, orAgentToken } = (routes as Record<string, RouteSpec>)[operationId] ?? {};
  switch (access) {
    case "public":
      return "anyone, without a credential";
    case "registration":
      return `a registration token${orAgentToken ? ", or the agent's own token" : ""}`;
    case "agent":
      return "the agent's own token";
    default: {
      const atLeast = access === "owner" ? "" : "at least ";
      const orMetrics = metrics ? ", and API keys with the `metrics` role" : "";
      return `users and API keys with ${atLeast}the ${inCode(access)} role${orMetrics}`;
    }
  }
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonObject;
}

function parametersOf({ parameters }: Route): string[] {
  const rows = parameters.map((given) => {
    const parameter = resolved(given, "parameters") as unknown as Parameter;
    const { name, in: place, required, description = "", schema } = parameter;
    const isExtra = required && place !== "path";
    return [inCode(name), isExtra ? `${place}, required` : place, typeOf(schema), description];
  });
  return rows.length === 0 ? [] : [tableOf(["Parameter", "In", "Type", "Meaning"], rows)];
}

function bodyOf({ requestBody }: Route): string[] {
  const schema = jsonSchemaIn(requestBody);
  if (!schema) return [];
  const optional = requestBody?.required ? "" : " (optional)";
  return [`Body: ${typeOf(schema)}${optional}.`];
}

function responseOf({ responses }: Route): string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, given]) => `Response ${status}: ${contentOf(given)}.`);
}

function contentOf(response: JsonObject): string {
  const { content } = response as { content?: Record<string, JsonObject> };
  if (!content) return "no JSON";
  const schema = jsonSchemaIn(response);
  if (!schema) return Object.keys(content).map(inCode).join(" or ");
  const { properties = {} } = resolved(schema, "schemas") as {
    properties?: Record<string, JsonObject>;
  };
  const { data, pagination } = properties;
  if (!data) return `${typeOf(schema)}, without \`success\` and \`data\``;
  if (pagination) return `a page of ${typeOf(data.items as JsonObject)}`;
  return typeOf(data).replace(/^list of /, "a list of ");
}

function aliasesOf(operationId: string): string[] {
  const { aliases = [] } = (routes as Record<string, RouteSpec>)[operationId] ?? {};
  return aliases.map((path) => `Also at ${inCode(path)}.`);
}

/** The errors of all routes, which are described once, above the routes. */
const common = new Set([
  ...["INVALID_JSON", "INVALID_REQUEST", "UNAUTHORIZED", "FORBIDDEN", "CSRF_INVALID"],
  ...["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "MISDIRECTED_HOST", "VALIDATION_FAILED"],
  ...["RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE", "CAPSULE_BUS_DISABLED"],
]);

function errorsOf({ responses }: Route): string[] {
  const codes = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, response]) => String(resolved(response, "responses").description).split(", "))
    .filter((code) => /^[A-Z_]+$/.test(code) && !common.has(code));
  const links = codes.map((code) => `[${inCode(code)}](errors.md#${code.toLowerCase()})`);
  return links.length === 0 ? [] : [`Errors: ${links.join(", ")}.`];
}

/** Returns the names of the types to show: those that bodies and responses refer to. */
function typesIn(from: readonly Route[]): Set<string> {
  const names = new Set<string>();
  const pending: unknown[] = from.flatMap((route) => [
    route.requestBody,
    Object.values(route.responses),
  ]);
  while (pending.length > 0) {
    const text = JSON.stringify(pending.pop()) ?? "";
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      pending.push(components.schemas[name]);
    }
  }
  return new Set([...names].filter(isShown));
}

/** Envelopes, enumerations and texts with a format are described where they are used. */
function isShown(name: string): boolean {
  const { properties, oneOf, anyOf } = components.schemas[name] ?? {};
  const isEnvelope = properties && "success" in (properties as object) && name.endsWith("Response");
  return !isEnvelope && Boolean(properties || oneOf || anyOf);
}

function typeSection(name: string): string {
  const schema = components.schemas[name] as JsonObject;
  const {
    description,
    oneOf,
    anyOf,
    properties = {},
    required = [],
  } = schema as {
    description?: string;
    oneOf?: JsonObject[];
    anyOf?: JsonObject[];
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  const variants = oneOf ?? anyOf;
  const rows = Object.entries(properties).map(([field, property]) => [
    required.includes(field) ? inCode(field) : `${inCode(field)}, optional`,
    typeOf(property),
    meaningOf(property),
  ]);
  return [
    `### ${name}`,
    ...(description ? [wrapped(description)] : []),
    ...(variants ? [wrapped(`One of: ${variants.map(typeOf).join("; ")}.`)] : []),
    ...(rows.length > 0 ? [tableOf(["Field", "Type", "Meaning"], rows)] : []),
    ...(rows.length === 0 && !variants ? ["An object without fields."] : []),
  ].join("\n\n");
}

/** A field without a description has that of its type. A nullable field has two types. */
function meaningOf({ description, anyOf = [], $ref }: JsonObject): string {
  if (description !== undefined) return String(description);
  const [only, ...others] = (anyOf as JsonObject[]).filter(({ type }) => type !== "null");
  if (only) return others.length === 0 ? meaningOf(only) : "";
  const type = typeof $ref === "string" ? components.schemas[nameIn($ref)] : undefined;
  return String(type?.description ?? "");
}

function typeOf(schema: JsonObject): string {
  const { $ref, anyOf, oneOf, type, items, format, const: fixed, additionalProperties } = schema;
  if (typeof $ref === "string") return namedType(nameIn($ref));
  if (fixed !== undefined) return inCode(JSON.stringify(fixed));
  const variants = (anyOf ?? oneOf) as JsonObject[] | undefined;
  if (variants) return oneOfThem(variants.map(typeOf));
  if (schema.enum) return (schema.enum as unknown[]).map((word) => inCode(String(word))).join(", ");
  if (Array.isArray(type)) {
    return oneOfThem(type.map((one) => typeOf({ ...schema, type: one as string })));
  }
  if (type === "array") return `list of ${items ? typeOf(items as JsonObject) : "any values"}`;
  if (type === "object") return objectType(schema, additionalProperties);
  if (format === "date-time") return "time";
  const words: Record<string, string> = {
    string: "text",
    integer: "whole number",
    number: "number",
    boolean: "true or false",
    null: "null",
  };
  return words[type as string] ?? "any value";
}

/** A flag in a query can be a boolean or a text, which readers need not distinguish. */
function oneOfThem(words: readonly string[]): string {
  const flag = "true or false";
  const known = new Set(
    words.filter((word) => word !== "`true`, `false`" || !words.includes(flag)),
  );
  const others = [...known];
  const last = others.pop() ?? "";
  if (others.length === 0) return last;
  const isLong = others.some((word) => /^(list of|object whose) | or /.test(word));
  return `${others.join(" or ")}${isLong ? "," : ""} or ${last}`;
}

function objectType({ properties }: JsonObject, values: unknown): string {
  if (properties) {
    const fields = Object.entries(properties as Record<string, JsonObject>);
    return `object with ${fields.map(([name, field]) => `${inCode(name)} (${typeOf(field)})`).join(", ")}`;
  }
  return typeof values === "object" && values !== null && Object.keys(values).length > 0
    ? `object whose values are ${typeOf(values as JsonObject).replace(/^object$/, "objects")}`
    : "object";
}

function namedType(name: string): string {
  const schema = components.schemas[name] as JsonObject;
  if (isShown(name)) return `[${name}](${typesPage}#${name.toLowerCase()})`;
  if (name.endsWith("Id") && schema.pattern) return "id";
  return typeOf(schema);
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

function resolved(value: JsonObject, kind: keyof Components): JsonObject {
  return typeof value.$ref === "string"
    ? (components[kind][nameIn(value.$ref)] as JsonObject)
    : value;
}

function jsonSchemaIn(part: JsonObject | undefined): JsonObject | undefined {
  const { content } = (part ?? {}) as { content?: Record<string, { schema: JsonObject }> };
  return content?.["application/json"]?.schema;
}
