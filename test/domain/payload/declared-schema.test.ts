import { expect, test } from "vitest";
import { problemOfSchema } from "../../../src/domain/payload/check.ts";

test.each([
  ["an invalid pattern", false, { properties: { a: { pattern: "(" } } }],
  ["an invalid name pattern", false, { patternProperties: { "(": {} } }],
  ["a reference to a missing schema", false, { $ref: "#/nowhere" }],
  ["a pattern that is too long", false, { properties: { a: { pattern: "x".repeat(600) } } }],
  ["an example of a pattern", true, { enum: [{ pattern: "(" }] }],
  ["a field called pattern", true, { properties: { pattern: { type: "string" } } }],
  ["a resolvable reference", true, { $ref: "#/$defs/a", $defs: { a: { type: "object" } } }],
])("a schema with %s is usable: %s", (_, isUsable, schema) => {
  expect(problemOfSchema(schema) === null).toBe(isUsable);
});
