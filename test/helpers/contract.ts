// Holds every answer that the tests see against the OpenAPI document, closed: a reader must bear more fields,
// but we send none that is not written down.

import { type Schema, Validator } from "@cfworker/json-schema";
import { z } from "zod";
import { buildOpenApi } from "../../src/api/contract/openapi.ts";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";

interface Operation {
  operationId: string;
  responses: Record<string, Response | { $ref: string }>;
}

interface Response {
  content: { "application/json": { schema: object } };
}

const document = closed(buildOpenApi()) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response>; schemas: Record<string, object> };
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);
const validators = new Map<string, Validator>();

/** Throws when the document does not allow this answer of this route; `body` is as JSON has it. */
export function checkAnswer(route: RouteName, status: number, body: unknown): void {
  const { produces }: RouteSpec = routes[route];
  if (produces && status < 400) return;
  check(`${route} ${status}`, body, () => {
    const response = responseOf(route, status);
    if (!response) throw new Error(`openapi.json does not know ${route} ${status}`);
    return withComponents(response.content["application/json"].schema);
  });
}

/** Throws when the table does not allow this message of this WebSocket, or it says more. */
export function checkMessage(route: RouteName, message: unknown): void {
  check(`${route} message`, message, () =>
    z.toJSONSchema(routes[route].reply, { io: "output", unrepresentable: "any" }),
  );
}

function check(name: string, sent: unknown, schemaOf: () => object): void {
  let validator = validators.get(name);
  if (!validator) {
    validator = new Validator(schemaOf() as Schema, "2020-12", false);
    validators.set(name, validator);
  }
  const { errors } = validator.validate(sent);
  if (errors.length === 0) return;
  const what = errors.map((error) => `${error.instanceLocation}: ${error.error}`).join("\n");
  throw new Error(`${name} is not what openapi.json says:\n${what}\n${JSON.stringify(sent)}`);
}

function responseOf(route: RouteName, status: number): Response | undefined {
  const response = operations.get(route)?.responses[String(status)];
  if (!response || !("$ref" in response)) return response;
  return document.components.responses[nameIn(response.$ref)];
}

/** With the components that it refers to, and those that they refer to: the validator reads all it gets. */
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

/** A copy in which no object has more properties than it names. */
function closed(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  const isOpen = copy.type === "object" && copy.properties && !("additionalProperties" in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
