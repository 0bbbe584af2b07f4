import { expect, test } from "vitest";
import type { Json } from "../../../src/domain/payload/json.ts";
import { type Field, isSecret } from "../../../src/domain/secrets/secrecy.ts";

test.for<[title: string, field: Field, secret: boolean]>([
  ["marked writeOnly", { name: "pin", schema: { writeOnly: true } }, true],
  ["marked as a password", { name: "pin", schema: { format: "password" } }, true],
  ["writeOnly with another value than true", { name: "pin", schema: { writeOnly: "yes" } }, false],
  ["sensitive", { name: "level", sensitive: true }, true],
  ["not sensitive, but named like a secret", { name: "token", sensitive: false }, true],
  ["a name alone", { name: "password" }, true],
  ["a boolean value", { name: "resetPassword", value: true }, false],
  ["a boolean by its schema", { name: "resetPassword", schema: { type: "boolean" } }, false],
  ["a nullable boolean", { name: "hasToken", schema: { type: ["boolean", "null"] } }, false],
  ["a boolean that is marked", { name: "x", schema: { type: "boolean", writeOnly: true } }, true],
  ["a measure", { name: "maxTokens", value: 5 }, false],
  ["a measure by its schema", { name: "token_ttl", schema: { type: "integer" } }, false],
  ["a number that is not a measure", { name: "secretPin", value: 4711 }, true],
  ["a text with the name of a measure", { name: "maxTokens", value: "5" }, true],
  ["a text or a number", { name: "maxTokens", schema: { type: ["string", "integer"] } }, true],
  ["an object", { name: "credentials", value: { user: "a" } }, true],
  ["a schema that is not an object", { name: "password", schema: true as Json }, true],
  [
    "the value decides, not the schema",
    { name: "token", schema: { type: "boolean" }, value: "x" },
    true,
  ],
])("%s", ([_title, field, secret]) => {
  expect(isSecret(field)).toBe(secret);
});
