// How a terminal asks for the fields of a form.

import { describe, expect, test } from "vitest";
import { terminalForm } from "../../../src/cli/form/terminal-form.ts";
import { missingPlaces, placeOfIssue } from "../../../src/cli/form/walk.ts";
import { labelOf, wantedOf } from "../../../src/cli/form/words.ts";
import type { Field } from "../../../src/domain/form/form.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";

const of = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  required,
  properties,
});
const one = (schema: Json): Field | undefined => terminalForm(of({ a: schema }, ["a"])).fields[0];
const text = { type: "string" };
const marked = { writeOnly: true };
test.each<[schema: Json, kind: Field["kind"], wanted: string]>([
  [text, "text", "text"],
  [{ ...text, minLength: 1, maxLength: 9 }, "text", "text, 1 to 9 characters"],
  [{ ...text, maxLength: 4, minLength: 4 }, "text", "text, exactly 4 characters"],
  [{ ...text, format: "uri", pattern: "^h" }, "text", "text, uri, matches ^h"],
  [{ ...text, writeOnly: true }, "text", "text, hidden"],
  [{ ...text, format: "password" }, "text", "text, hidden"],
  [{ type: "boolean" }, "flag", "yes or no"],
  [{ type: "integer", minimum: 0 }, "number", "whole number, at least 0"],
  [{ type: "number", maximum: 1.5 }, "number", "number, at most 1.5"],
  [
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
    "number",
    "number, more than 0, less than 1, a multiple of 0.1",
  ],
  [{ enum: ["a", 1, null, ""] }, "choice", 'one of a, 1, null, ""'],
  [{ ...text, enum: [..."abcdefgh"] }, "choice", "one of a, b, c, d, e, f and 2 more"],
  [{ enum: [] }, "choice", "one of (no choices)"],
  [{ oneOf: [{ const: 1, title: "One" }, { const: 2 }] }, "choice", "one of 1: One, 2"],
  [{ enum: [1, "b", "c"], enumLabels: ["One", "b", 3] }, "choice", "one of 1: One, b, c"],
  [{ const: { x: 1 } }, "fixed", 'always {"x":1}'],
  [{ type: "array", items: { enum: ["a", "b"] } }, "choices", "any of a, b"],
  [{ type: "array", items: text, maxItems: 2 }, "list", "list of texts, at most 2 items"],
  [{ items: { type: "integer" }, uniqueItems: true }, "list", "list of whole numbers, no repeats"],
  [{ type: "array", items: of({ b: text }) }, "list", "list of objects"],
  [{ type: "array", items: { type: "array", items: text } }, "json", "JSON"],
  [of({ b: text }), "group", "object"],
  [{ oneOf: [of({}), text] }, "json", "JSON"],
  [{ type: ["string", "null"] }, "text", "text, or null"],
  [{ enum: ["a"], type: ["string", "null"] }, "choice", "one of a, null"],
  [of({ again: { $ref: "#/properties/a" } }, ["again"]), "group", "object"],
  [{ ...text, minLength: "many", format: 3, pattern: [] }, "text", "text"],
])("%j becomes a %s field with the hint %j", (schema, kind, wanted) => {
  const field = one(schema);
  expect(field?.kind).toBe(kind);
  expect(field && wantedOf(field)).toBe(wanted);
});

test.each<[key: string, schema: JsonObject, required: boolean, label: string]>([
  ["level", text, true, "level (text)"],
  ["level", { ...text, title: "How loud" }, false, "level (How loud; text; optional)"],
  ["level", { enum: ["a"], title: "Level" }, true, "level"],
  ["path", { ...text, placeholder: " /var/log " }, true, "path (text; such as /var/log)"],
  ["path", { ...text, placeholder: 7 }, true, "path (text)"],
  ["a\u001b[31m", { type: "boolean" }, false, "a\\u001b[31m (optional)"],
  ["level", { ...text, title: "two\nlines" }, true, "level (two lines; text)"],
])("the field %j with the schema %j has the right label", (key, schema, required, label) => {
  const [field] = terminalForm(of({ [key]: schema }, required ? [key] : [])).fields;
  expect(field && labelOf(field, [key])).toBe(label);
});

describe("a schema", () => {
  test.each<[what: string, schema: JsonObject]>([
    ["alternatives", { oneOf: [of({ a: text }), of({ b: text })] }],
    ["another type", { type: "array" }],
  ])("for %s is one JSON field", (_what, schema) => {
    const { fields, whole } = terminalForm(schema);
    expect([fields, whole?.kind]).toEqual([[], "json"]);
  });
});

test("missing fields are named, and constants are filled in", () => {
  const form = terminalForm(
    of(
      {
        kind: { const: "v1" },
        name: text,
        note: text,
        inner: of({ x: text, y: text }, ["x"]),
        loose: of({ z: text }, ["z"]),
        given: of({ z: text }, ["z"]),
      },
      ["kind", "name", "inner"],
    ),
  );
  const payload: JsonObject = { given: {} };
  const paths = missingPlaces(form, payload).map(({ path }) => path.join("."));
  expect(paths).toEqual(["name", "inner.x", "given.z"]);
  expect(payload).toEqual({ kind: "v1", given: {} });
});

test("an issue leads to the field at its path", () => {
  const form = terminalForm(of({ a: of({ b: { type: "array", items: text } }), ab: text }));
  const at = (path: string) => placeOfIssue(form, path)?.path.join(".");
  expect([at("a.b"), at("a.b.3"), at("ab"), at("a"), at(""), at("x")]).toEqual([
    ...["a.b", "a.b", "ab"],
    ...[undefined, undefined, undefined],
  ]);
});

test.each<[what: string, key: string, schema: JsonObject, wanted: string]>([
  ["two types", "a", { type: ["string", "integer"], ...marked }, "JSON, hidden"],
  ["a number", "pin", { type: "integer", ...marked }, "whole number, hidden"],
  ["one alternative", "a", { anyOf: [{ ...text, ...marked }, of({})] }, "JSON, hidden"],
  [
    "an alternative behind a reference",
    "a",
    { anyOf: [of({}), { $ref: "#/$defs/s" }] },
    "JSON, hidden",
  ],
  ["an open object", "a", { type: "object", additionalProperties: marked }, "JSON, hidden"],
  ["a part of JSON", "a", { not: { properties: { token: text } } }, "JSON, hidden"],
  ["a list in a list", "keys", { items: { items: { ...text, ...marked } } }, "JSON, hidden"],
  ["a list with a secret name", "passwords", { items: text }, "list of texts"],
  ["a list of choices", "a", { items: { enum: ["x"], ...marked } }, "list of choices"],
  ["a constant", "token", { const: "x" }, "always ********"],
  ["yes or no", "resetPassword", { type: "boolean" }, "yes or no"],
])(
  "a value that is secret by its mark or name is typed unseen: %s",
  (_what, key, schema, wanted) => {
    const [field] = terminalForm({
      ...of({ [key]: schema }),
      $defs: { s: { ...text, ...marked } },
    }).fields;
    expect(field && wantedOf(field)).toBe(wanted);
  },
);

test.each<[what: string, schema: JsonObject, secret: boolean]>([
  ["any additional fields", { ...of({ b: text }), additionalProperties: marked }, true],
  ["alternatives", { oneOf: [of({ a: marked }), of({ b: text })] }, true],
  ["a payload marked as secret", { ...of({ b: text }), ...marked }, true],
  ["no secret", of({ b: text }), false],
])(
  "the payload as JSON is typed unseen if it has a secret somewhere: %s",
  (_what, schema, secret) => {
    expect(terminalForm(schema).json.secret).toBe(secret);
  },
);
