import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { defaultsOf } from "../../../src/domain/payload/json-schema.ts";

test.each<[title: string, schema: JsonObject, payload: Json]>([
  ["an empty schema", {}, {}],
  ["no defaults", { type: "object", properties: { a: { type: "string" } } }, {}],
  ["fields", { properties: { a: { default: 1 }, b: {}, c: { default: "x" } } }, { a: 1, c: "x" }],
  ["falsy ones", { properties: { a: { default: 0 }, b: { default: false } } }, { a: 0, b: false }],
  ["null", { properties: { a: { default: null } } }, { a: null }],
  ["nested", { properties: { a: { properties: { b: { default: 1 } } } } }, { a: { b: 1 } }],
  [
    "an optional object that would lack a value is absent",
    { properties: { a: { properties: { b: { default: 1 }, c: {} }, required: ["c"] } } },
    {},
  ],
  [
    "a required object has its defaults",
    {
      properties: { a: { properties: { b: { default: 1 }, c: {} }, required: ["c"] } },
      required: ["a"],
    },
    { a: { b: 1 } },
  ],
  ["its own default first", { default: { z: 1 }, properties: { a: { default: 2 } } }, { z: 1 }],
  ["a list", { properties: { a: { type: "array", default: [1, 2] } } }, { a: [1, 2] }],
  ["no schemas", { properties: { a: true, b: null, c: [1], d: "x" } }, {}],
  ["invalid properties", { properties: [{ default: 1 }] }, {}],
])("the payload is built from the defaults: %s", (_title, schema, payload) => {
  expect(defaultsOf(schema)).toEqual(payload);
});

test("a very deeply nested schema is cut off", () => {
  let schema: JsonObject = { default: "deep" };
  for (let depth = 0; depth < 10_000; depth++) schema = { properties: { a: schema } };
  expect(defaultsOf(schema)).toEqual({});
});
