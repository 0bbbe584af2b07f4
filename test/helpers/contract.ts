// Holds every answer that the tests see against the OpenAPI document, and its data against the route's
// own schema, closed: a reader must bear more fields, but we do not send what is not written down.

import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { z } from "zod";
import { buildOpenApi } from "../../src/api/contract/openapi.ts";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";

interface Operation {
  operationId: string;
  responses: Record<string, { content: { "application/json": { schema: object } } }>;
}

const document = buildOpenApi() as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);
const validators = new Map<string, Validator>();
const closed = new Map<RouteName, Validator>();

/** Answers that were checked, by `route status`: what a test can be asked about afterwards. */
export const seen = new Map<string, number>();

/** Throws when the document does not allow this answer of this route. */
export function checkAnswer(route: RouteName, status: number, body: unknown): void {
  const name = `${route} ${status}`;
  seen.set(name, (seen.get(name) ?? 0) + 1);
  const { produces }: RouteSpec = routes[route];
  if (produces && status < 400) return;
  const sent = plain(body);
  const { errors } = validatorFor(route, status).validate(sent);
  if (status < 400 || status === 503) errors.push(...undocumented(route, sent));
  if (errors.length === 0) return;
  const what = errors.map((error) => `${error.instanceLocation}: ${error.error}`).join("\n");
  throw new Error(`${name} is not what openapi.json says:\n${what}\n${JSON.stringify(body)}`);
}

/** Throws when the document does not allow this message of this WebSocket, or it says more. */
export function checkMessage(route: RouteName, message: unknown): void {
  const name = `${route} message`;
  seen.set(name, (seen.get(name) ?? 0) + 1);
  const { errors } = closedValidator(route).validate(message);
  if (errors.length === 0) return;
  const what = errors.map((error) => `${error.instanceLocation}: ${error.error}`).join("\n");
  throw new Error(`${name} is not what the table says:\n${what}\n${JSON.stringify(message)}`);
}

function validatorFor(route: RouteName, status: number): Validator {
  const name = `${route} ${status}`;
  let validator = validators.get(name);
  if (!validator) {
    const response = operations.get(route)?.responses[String(status)];
    if (!response) throw new Error(`openapi.json does not know ${name}`);
    const schema = {
      ...response.content["application/json"].schema,
      components: document.components,
    };
    validator = new Validator(schema as Schema, "2020-12", false);
    validators.set(name, validator);
  }
  return validator;
}

/** Fields of the data that the route's schema does not name. */
function undocumented(route: RouteName, sent: unknown): OutputUnit[] {
  const spec: RouteSpec = routes[route];
  const { success, data } = sent as { success?: boolean; data?: unknown };
  if (spec.raw || success !== true) return [];
  return closedValidator(route).validate(data).errors;
}

function closedValidator(route: RouteName): Validator {
  let validator = closed.get(route);
  if (!validator) {
    const { reply }: RouteSpec = routes[route];
    const schema = z.toJSONSchema(reply, { io: "output", unrepresentable: "any" });
    validator = new Validator(schema as Schema, "2020-12", false);
    closed.set(route, validator);
  }
  return validator;
}

function plain(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}
