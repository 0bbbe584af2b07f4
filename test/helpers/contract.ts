// Checks every response in the tests against the OpenAPI document. An undocumented field is an
// error here, although clients must accept new fields.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Schema, Validator } from "@cfworker/json-schema";
import { z } from "zod";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";

interface Operation {
  operationId: string;
  responses: Record<string, Response | { $ref: string }>;
}

interface Response {
  description: string;
  content?: { "application/json"?: { schema: object } };
}

/**
 * Reading the file, which `npm run check` compares with its sources, is faster than building it.
 */
const file = join(import.meta.dirname, "../../openapi.json");
const document = closed(JSON.parse(readFileSync(file, "utf8"))) as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response>; schemas: Record<string, object> };
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);
/** The validators by name. They decide whether a response is valid, and say what is wrong. */
const validators = new Map<string, Validator>();
/**
 * Compiled schemas by name. They accept most responses in a fifth of the time, but may refuse what
 * the document allows.
 */
const quick: Record<string, z.ZodType> = quickSchemas();

/** Throws if the document does not allow this response of the route. `body` is the parsed JSON. */
export function checkAnswer(route: RouteName, status: number, body: unknown): void {
  const { produces }: RouteSpec = routes[route];
  if (produces && status < 400) return;
  check(`${route} ${status}`, body, () => {
    const schema = schemaOf(route, status);
    if (!schema) throw new Error(`openapi.json does not describe ${route} ${status}`);
    return withComponents(schema);
  });
  // An unhealthy server responds with an error status and its health, but without an error.
  const { error } = body as { error?: { code: string } };
  if (error && status >= 400) checkCode(route, status, error.code);
}

/** Throws if the document does not name this error code at the status. */
function checkCode(route: RouteName, status: number, code: string): void {
  const codes = responseOf(route, status)?.description.split(", ") ?? [];
  if (codes.includes(code)) return;
  throw new Error(`openapi.json does not name ${code} at ${route} ${status}: ${codes}`);
}

/** Throws if the route table does not allow this WebSocket message. */
export function checkMessage(route: RouteName, message: unknown): void {
  check(`${route} message`, message, () =>
    z.toJSONSchema(routes[route].reply, { io: "output", unrepresentable: "any" }),
  );
}

function check(name: string, sent: unknown, findSchema: () => object): void {
  if (quick[name]?.safeParse(sent).success) return;
  let validator = validators.get(name);
  if (!validator) {
    validator = new Validator(findSchema() as Schema, "2020-12", false);
    validators.set(name, validator);
  }
  const { errors } = validator.validate(sent);
  if (errors.length === 0) return;
  const what = errors.map((error) => `${error.instanceLocation}: ${error.error}`).join("\n");
  throw new Error(`${name} does not match openapi.json:\n${what}\n${JSON.stringify(sent)}`);
}

function schemaOf(route: string, status: number | string): object | undefined {
  return responseOf(route, status)?.content?.["application/json"]?.schema;
}

function responseOf(route: string, status: number | string): Response | undefined {
  const found = operations.get(route)?.responses[status];
  return found && "$ref" in found ? document.components.responses[nameIn(found.$ref)] : found;
}

function quickSchemas(): Record<string, z.ZodType> {
  const properties: Record<string, object> = {};
  for (const [route, { responses }] of operations) {
    for (const status of Object.keys(responses)) {
      const schema = schemaOf(route, status);
      if (schema) properties[`${route} ${status}`] = schema;
    }
  }
  // Zod finds components in `$defs`. Defaults are removed, because Zod would make properties with a
  // default optional.
  const all = JSON.stringify({
    ...{ type: "object", required: Object.keys(properties), properties },
    $defs: document.components.schemas,
  }).replaceAll("#/components/schemas/", "#/$defs/");
  const schema = z.fromJSONSchema(
    JSON.parse(all, (name, value) => (name === "default" ? undefined : value)),
  );
  return (schema as z.ZodObject).shape as Record<string, z.ZodType>;
}

/** Adds only the components that the schema refers to, because the validator reads all of them. */
function withComponents(schema: object): object {
  const schemas: Record<string, object> = {};
  const add = (part: object) => {
    for (const [, ref = ""] of JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)) {
      const name = nameIn(ref);
      const found = document.components.schemas[name];
      if (schemas[name] || !found) continue;
      schemas[name] = found;
      add(found);
    }
  };
  add(schema);
  return { ...schema, components: { schemas } };
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** Returns a copy of the schema that allows only the listed properties. */
function closed(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  const isOpen = copy.type === "object" && copy.properties && !("additionalProperties" in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
