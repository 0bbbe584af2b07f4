// Holds every answer that the tests see against the OpenAPI document.

import { type Schema, Validator } from "@cfworker/json-schema";
import type { RouteName } from "../../src/api/index.ts";
import { buildOpenApi } from "../../src/api/openapi.ts";

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

/** Answers that were checked, by `route status`: what a test can be asked about afterwards. */
export const seen = new Map<string, number>();

/** Throws when the document does not allow this answer of this route. */
export function checkAnswer(route: RouteName, status: number, body: unknown): void {
  const name = `${route} ${status}`;
  seen.set(name, (seen.get(name) ?? 0) + 1);
  const { errors, valid } = validatorFor(route, status).validate(plain(body));
  if (valid) return;
  const what = errors.map((error) => `${error.instanceLocation}: ${error.error}`).join("\n");
  throw new Error(`${name} is not what openapi.json says:\n${what}\n${JSON.stringify(body)}`);
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

function plain(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}
