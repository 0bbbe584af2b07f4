import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { defaultsOf } from "../../../src/domain/payload/json-schema.ts";

test.each<[title: string, schema: JsonObject, payload: Json]>([
  ["nothing", {}, {}],
  ["no defaults", { type: "object", properties: { a: { type: "string" } } }, {}],
  [
    "defaults of fields",
    { properties: { a: { default: 1 }, b: {}, c: { default: "x" } } },
    { a: 1, c: "x" },
  ],
  [
    "falsy defaults",
    { properties: { a: { default: 0 }, b: { default: false } } },
    { a: 0, b: false },
  ],
  ["a default of null", { properties: { a: { default: null } } }, { a: null }],
  [
    "a nested default",
    { properties: { a: { properties: { b: { default: 1 } } } } },
    { a: { b: 1 } },
  ],
  ["nested fields without defaults", { properties: { a: { properties: { b: {} } } } }, {}],
  [
    "a default for the whole object",
    { default: { z: 1 }, properties: { a: { default: 2 } } },
    { z: 1 },
  ],
  ["a list as a default", { properties: { a: { type: "array", default: [1, 2] } } }, { a: [1, 2] }],
  ["fields that are not schemas", { properties: { a: true, b: null, c: [1], d: "x" } }, {}],
  ["invalid properties", { properties: [{ default: 1 }] }, {}],
])("the payload is built from a schema with %s", (_title, schema, payload) => {
  expect(defaultsOf(schema)).toEqual(payload);
});

test("a very deeply nested schema is cut off", () => {
  let schema: JsonObject = { default: "deep" };
  for (let depth = 0; depth < 10_000; depth++) schema = { properties: { a: schema } };
  expect(defaultsOf(schema)).toEqual({});
});
