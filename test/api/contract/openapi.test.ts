// openapi.json is complete, follows the route table, and is valid OpenAPI 3.1.

import { type Schema, Validator } from "@cfworker/json-schema";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { expect, test } from "vitest";
import { openApiText } from "../../../scripts/write-openapi.ts";
import type { RouteSpec } from "../../../src/api/contract/route.ts";
import { parameterNames, schemaNames } from "../../../src/api/contract/schema-names.ts";
import { type RouteName, routes } from "../../../src/api/index.ts";
import { type ErrorCode, errorCodes } from "../../../src/domain/errors.ts";

interface Operation {
  operationId: string;
  summary: string;
  "x-access": string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}

const document = JSON.parse(openApiText());
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, written]) => {
    const operation = {
      ...written,
      parameters: written.parameters.map(resolved),
      responses: Object.fromEntries(
        Object.entries(written.responses).map(([status, response]) => [status, resolved(response)]),
      ),
    };
    return { path, method, operation, name: operation.operationId };
  }),
);
const schemas = [...schemasIn(document, "#")];

test("it is an OpenAPI 3.1 document, and its schemas are valid JSON Schema 2020-12", async () => {
  expect(document.jsonSchemaDialect).toBe("https://json-schema.org/draft/2020-12/schema");
  const schema = "https://spec.openapis.org/oas/3.1/schema-draft-2020-12";
  expect(await validate(schema, document, "BASIC")).toMatchObject({ valid: true });
});

const spellings = Object.entries<RouteSpec>(routes).flatMap(([name, spec]) =>
  [spec.path, ...(spec.aliases ?? [])].map((path) => ({ name, spec, path })),
);

test("every path of a route has an operation with the route's summary and access, and there is no other", () => {
  for (const { name, spec, path } of spellings) {
    const found = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[spec.method.toLowerCase()];
    expect(found?.operationId.split("~")[0], path).toBe(name);
    expect(found.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(found["x-access"], path).toBe(spec.access);
  }
  expect(operations).toHaveLength(spellings.length);
});

test("every operation has its parameters, a response for its success, and known security", () => {
  for (const { path, method, operation, name } of operations) {
    const at = `${method} ${path}`;
    const { otherStatus, produces, websocket }: RouteSpec = routes[name.split("~")[0] as RouteName];
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
    const template = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath.map(({ name }) => name).sort(), at).toEqual(template.sort());
    const parameters = operation.parameters.map((one) => `${one.in} ${one.name}`);
    expect(new Set(parameters).size, at).toBe(parameters.length);
    if (method === "get") expect(operation.requestBody, at).toBeUndefined();
    const statuses = Object.keys(operation.responses);
    expect(statuses.filter((status) => !/^(101|304|[245]\d\d)$/.test(status))).toEqual([]);
    const successes = statuses.filter((status) => status < "300" && status !== String(otherStatus));
    expect(successes, at).toHaveLength(1);
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      expect(description, at).not.toBe("");
      // A WebSocket has a schema for its messages instead of a body.
      if (status === "101") expect(operation).toHaveProperty("x-websocket-message.schema.$ref");
      if (status === "304" || (websocket && status === "101")) continue;
      const types = produces && status.startsWith("2") ? produces : ["application/json"];
      expect(Object.keys(content), at).toEqual(types);
    }
    for (const scheme of operation.security.flatMap((either) => Object.keys(either))) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
  }
});

test("no two operations have the same id, and no two paths have the same form", () => {
  const ids = operations.map(({ name }) => name);
  expect(new Set(ids).size).toBe(ids.length);
  const forms = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
  expect(new Set(forms).size).toBe(forms.length);
});

const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
  ([, reference = ""]) => reference,
);

test("every reference leads to a component, and every component is used", () => {
  const { securitySchemes: _schemes, ...components } = document.components;
  const written = Object.entries<object>(components).flatMap(([kind, contents]) =>
    Object.keys(contents).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...new Set(references)].sort()).toEqual(written.sort());
});

test("each component name is used once, in PascalCase", () => {
  for (const names of [schemaNames, parameterNames]) {
    const given = [...names.values()];
    expect(given.filter((name, index) => given.indexOf(name) !== index)).toEqual([]);
    expect(given.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  }
});

test("every body, response, object and enumeration is a component", () => {
  const unnamed = schemas.filter(({ at, schema: { type, properties, enum: values, $ref } }) => {
    const isWhole = at.endsWith("/content/application~1json/schema") && type !== "string";
    if (isWhole) return !$ref;
    const isComponent = /^#\/components\/schemas\/\w+$/.test(at);
    return at.startsWith("#/components/schemas/") && !isComponent && (properties || values);
  });
  expect(unnamed.map(({ at }) => at)).toEqual([anyObject]);
});

test("a reference has only a default or a description next to it", () => {
  const beside = schemas.flatMap(({ schema: { $ref, ...others } }) =>
    $ref ? Object.keys(others) : [],
  );
  expect([...new Set(beside)].sort()).toEqual(["default", "description"]);
});

/** The response that contains the OpenAPI document itself. */
const anyObject =
  "#/paths/~1api~1system~1openapi.json/get/responses/200/content/application~1json/schema";

test("no two components are the same", () => {
  const byContent = Map.groupBy(Object.keys(document.components.schemas), (name) =>
    JSON.stringify(document.components.schemas[name]),
  );
  expect([...byContent.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test("schemas have only known keywords and valid patterns", () => {
  expect(schemas.length).toBeGreaterThan(1000);
  const unknown = schemas.flatMap(({ at, schema }) =>
    Object.keys(schema)
      .filter((keyword) => !keywords.has(keyword))
      .map((keyword) => `${at}: ${keyword}`),
  );
  expect(unknown).toEqual([]);
  for (const { schema } of schemas) {
    if (schema.pattern) expect(() => new RegExp(schema.pattern as string, "u")).not.toThrow();
  }
});

const keywords = new Set(
  [
    "$ref type const enum default description example format pattern minLength maxLength minimum maximum",
    "minItems maxItems required properties propertyNames additionalProperties items anyOf oneOf not",
  ].flatMap((line) => line.split(" ")),
);

test("every example matches its schema", () => {
  const withExample = schemas.filter(({ schema }) => "example" in schema);
  expect(withExample.length).toBeGreaterThan(0);
  const wrong = withExample.filter(
    ({ schema }) => !new Validator(schema as Schema, "2020-12").validate(schema.example).valid,
  );
  expect(wrong.map(({ at, schema }) => `${at}: ${schema.example}`)).toEqual([]);
});

/** Errors of requests that match no route, and therefore belong to no operation. */
const withoutOperation: ErrorCode[] = ["NOT_FOUND", "METHOD_NOT_ALLOWED"];

test("every error code is in the response of some operation", () => {
  const documented = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ description }) => description.split(", ")),
  );
  const missing = errorCodes.filter((code) => !documented.includes(code));
  expect(withoutOperation).toEqual(expect.arrayContaining(missing));
  expect(document.components.schemas.ErrorCode.enum).toEqual([...errorCodes]);
});

interface Found {
  at: string;
  schema: Record<string, unknown>;
}

/** Every schema of the document, including nested ones. */
function* schemasIn(value: unknown, at: string): Generator<Found> {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value as object)) {
    const here = `${at}/${key.replaceAll("/", "~1")}`;
    if (key === "schema") yield* within(inner, here);
    else if (key === "schemas") {
      for (const [name, schema] of Object.entries(inner)) yield* within(schema, `${here}/${name}`);
    } else if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) yield* schemasIn(item, `${here}/${index}`);
    } else yield* schemasIn(inner, here);
  }
}

function* within(schema: unknown, at: string): Generator<Found> {
  if (!isObject(schema)) return;
  const found = schema as Record<string, unknown>;
  yield { at, schema: found };
  for (const keyword of ["items", "additionalProperties", "propertyNames"]) {
    yield* within(found[keyword], `${at}/${keyword}`);
  }
  for (const keyword of ["properties", "$defs", "anyOf", "allOf", "oneOf"]) {
    for (const [name, inner] of Object.entries(found[keyword] ?? {})) {
      yield* within(inner, `${at}/${keyword}/${name}`);
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Resolves a reference; returns other values unchanged. */
function resolved<T extends object>(value: T): T {
  const { $ref } = value as { $ref?: string };
  if (!$ref) return value;
  return $ref
    .split("/")
    .slice(1)
    .reduce((at, step) => at[step], document);
}
