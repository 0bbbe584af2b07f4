// The form of an agent's schema, including odd, huge and hostile schemas.

import { describe, expect, test } from "vitest";
import { type Field, readForm } from "../../../src/cli/form/fields.ts";
import { putAt, removeAt, valueAt } from "../../../src/cli/form/places.ts";
import { missingPlaces, placeOfIssue, withoutSecrets } from "../../../src/cli/form/walk.ts";
import { labelOf, wantedOf } from "../../../src/cli/form/words.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { formLimits } from "../../../src/domain/payload/schema-form.ts";
import { isLong } from "../../helpers/size.ts";

const of = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  required,
  properties,
});
const one = (schema: Json, root: JsonObject = {}): Field | undefined =>
  readForm({ ...root, ...of({ a: schema }, ["a"]) }).fields[0];
const text = { type: "string" };
const marked = { writeOnly: true };
const stars = "********";

test.each<[schema: Json, kind: Field["kind"], wanted: string]>([
  [text, "text", "text"],
  [{ ...text, minLength: 1, maxLength: 9 }, "text", "text, 1 to 9 characters"],
  [{ ...text, minLength: 1 }, "text", "text, at least 1 character"],
  [{ ...text, maxLength: 4, minLength: 4 }, "text", "text, exactly 4 characters"],
  [{ ...text, format: "uri", pattern: "^h" }, "text", "text, uri, matches ^h"],
  [{ ...text, writeOnly: true }, "secret", "text, hidden"],
  [{ ...text, format: "password" }, "secret", "text, hidden"],
  [{ type: "boolean" }, "flag", "yes or no"],
  [{ type: "integer", minimum: 0 }, "number", "whole number, at least 0"],
  [{ type: "number", maximum: 1.5 }, "number", "number, at most 1.5"],
  [
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
    "number",
    "number, more than 0, less than 1, a multiple of 0.1",
  ],
  [{ enum: ["a", 1, null, ""] }, "choice", 'one of a, 1, null, ""'],
  [{ ...text, enum: [..."abcdefgh"] }, "choice", "one of a, b, c, d, e, f, and 2 more"],
  [{ enum: [] }, "choice", "one of (no choices)"],
  [{ oneOf: [{ const: 1, title: "One" }, { const: 2 }] }, "choice", "one of 1: One, 2"],
  [{ enum: [1, "b", "c"], enumLabels: ["One", "b", 3] }, "choice", "one of 1: One, b, c"],
  [{ enum: ["a"], enumLabels: "A" }, "choice", "one of a"],
  [{ const: { x: 1 } }, "fixed", 'always {"x":1}'],
  [{ type: "array", items: { enum: ["a", "b"] } }, "choices", "any of a, b"],
  [{ type: "array", items: text, maxItems: 2 }, "list", "list of texts, at most 2 items"],
  [{ items: { type: "integer" }, uniqueItems: true }, "list", "list of whole numbers, each once"],
  [{ type: "array", items: of({ b: text }) }, "list", "list of objects"],
  [{ type: "array" }, "json", "JSON"],
  [{ type: "array", items: { type: "array", items: text } }, "json", "JSON"],
  [{ type: "array", prefixItems: [text], items: text }, "json", "JSON"],
  [of({ b: text }), "group", "object"],
  [{ properties: { b: text } }, "group", "object"],
  [{ type: "object" }, "json", "JSON"],
  [{ anyOf: [text, { type: "integer" }] }, "json", "JSON"],
  [{ oneOf: [of({}), text] }, "json", "JSON"],
  [{ ...of({ b: text }), oneOf: [{ required: ["b"] }, { required: ["c"] }] }, "group", "object"],
  [{ ...of({ b: text }), anyOf: [{ required: ["b"] }, { required: ["c"] }] }, "group", "object"],
  [{ ...of({ b: text }), oneOf: [{ const: { b: "x" } }] }, "group", "object"],
  [{ oneOf: [{ const: 1 }, text] }, "json", "JSON"],
  [{ type: ["string", "integer"] }, "json", "JSON"],
  [{ type: ["string", "null"] }, "text", "text, or null"],
  [{ anyOf: [text, { type: "null" }] }, "text", "text, or null"],
  [{ enum: ["a"], type: ["string", "null"] }, "choice", "one of a, null"],
  [{ allOf: [{ $ref: "#/$defs/level" }], title: "Level" }, "choice", "one of low, high"],
  [{ $ref: "#/$defs/none" }, "json", "JSON"],
  [{ $ref: "http://elsewhere/x" }, "json", "JSON"],
  [{ $ref: "#/$defs/circle" }, "json", "JSON"],
  [{ not: text }, "json", "JSON"],
  [{}, "json", "JSON"],
  [true, "json", "JSON"],
  [null, "json", "JSON"],
  [[text], "json", "JSON"],
  [{ type: "nonsense" }, "json", "JSON"],
  [{ type: [] }, "json", "JSON"],
  [{ ...text, minLength: "many", format: 3, pattern: [] }, "text", "text"],
])("%j becomes a %s field with the hint %j", (schema, kind, wanted) => {
  const $defs = { level: { enum: ["low", "high"] }, circle: { $ref: "#/$defs/circle" } };
  const field = one(schema, { $defs });
  expect(field?.kind).toBe(kind);
  expect(field && wantedOf(field)).toBe(wanted);
});

test.each<[key: string, schema: JsonObject, required: boolean, label: string]>([
  ["level", text, true, "level (text)"],
  ["level", { ...text, title: "Level" }, true, "level (text)"],
  ["level", { ...text, title: "How loud" }, false, "level (How loud; text; optional)"],
  ["level", { enum: ["a"], title: "Level" }, true, "level"],
  ["path", { ...text, placeholder: " /var/log " }, true, "path (text; such as /var/log)"],
  ["path", { ...text, placeholder: 7 }, true, "path (text)"],
  ["a\u001b[31m", { type: "boolean" }, false, "a\\u001b[31m (optional)"],
  ["level", { ...text, title: "two\nlines" }, true, "level (two lines; text)"],
])("the field %j with the schema %j has the right label", (key, schema, required, label) => {
  const [field] = readForm(of({ [key]: schema }, required ? [key] : [])).fields;
  expect(field && labelOf(field, [key])).toBe(label);
});

describe("a schema", () => {
  test.each<[what: string, schema: JsonObject]>([
    ["nothing", {}],
    ["an object without fields", { type: "object", additionalProperties: false }],
    ["fields with the schema false", of({ a: false })],
  ])("for %s has no fields", (_what, schema) => {
    const known = { tooMany: false, restIsSecret: false };
    expect(readForm(schema)).toEqual({ schema, fields: [], whole: null, ...known });
  });

  test.each<[what: string, schema: JsonObject]>([
    ["alternatives", { oneOf: [of({ a: text }), of({ b: text })] }],
    ["a reference that leads nowhere", { $ref: "#/nowhere" }],
    ["another type", { type: "array" }],
  ])("for %s is one JSON field", (_what, schema) => {
    const { fields, whole } = readForm(schema);
    expect([fields, whole?.kind]).toEqual([[], "json"]);
  });

  test("keeps its fields if alternatives apply to the whole object", () => {
    const schema = {
      ...of({ a: text, b: text }),
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect(readForm(schema).fields.map(({ key }) => key)).toEqual(["a", "b"]);
  });

  test("combines references and parts, and their required fields", () => {
    const schema = {
      $ref: "#/$defs/base",
      allOf: [of({ b: text, c: { type: "integer" } }, ["b"])],
      properties: { c: { type: "boolean" } },
      $defs: { base: of({ a: text }, ["a"]) },
    };
    const fields = readForm(schema).fields.map(({ key, kind, required }) => [key, kind, required]);
    expect(fields.toSorted()).toEqual([
      ["a", "text", true],
      ["b", "text", true],
      ["c", "flag", false],
    ]);
  });

  const many = (count: number, schema: Json) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, schema]));
  const below: JsonObject = {};
  for (let level = 0; level < 40; level++) {
    const next = { $ref: `#/$defs/${level - 1}` };
    below[level] = level === 0 ? of(many(2000, text)) : { allOf: [next, next] };
  }
  const steep: JsonObject = { 0: text };
  for (let level = 1; level < 15; level++) {
    steep[level] = { allOf: Array(30).fill({ $ref: `#/$defs/${level - 1}` }) };
  }
  const wide = { type: "object", properties: { a: { $ref: "#/wide" }, b: { $ref: "#/wide" } } };
  let deep: JsonObject = text;
  for (let level = 0; level < 5000; level++) deep = of({ a: deep });

  test.each<[what: string, schema: JsonObject, fields: number]>([
    ["fifty thousand fields", of(many(50_000, text)), formLimits.fields],
    ["deeply nested fields", deep, 1],
    ["parts that double", { $ref: "#/$defs/39", $defs: below }, 0],
    ["parts that multiply", { ...of({ a: { $ref: "#/$defs/14" } }), $defs: steep }, 1],
    ["objects that contain themselves twice", { ...wide, wide }, 2],
    ["ten thousand choices", of({ a: { enum: Object.keys(many(10_000, 1)) } }), 1],
    ["a title of a million characters", of({ a: { ...text, title: "x".repeat(1e6) } }), 1],
    [
      "names that every JavaScript object has",
      of(JSON.parse('{"constructor":{},"__proto__":{}}')),
      1,
    ],
  ])("for %s is read quickly", (_what, schema, fields) => {
    const before = process.threadCpuUsage();
    const form = readForm(schema);
    const { user, system } = process.threadCpuUsage(before);
    if (isLong) expect((user + system) / 1000).toBeLessThan(500);
    expect(form.fields).toHaveLength(fields);
    for (const { title } of form.fields) expect(title.length).toBeLessThanOrEqual(200);
  });
});

test("missing fields are named, and constants are filled in", () => {
  const form = readForm(
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
  const form = readForm(of({ a: of({ b: { type: "array", items: text } }), ab: text }));
  const at = (path: string) => placeOfIssue(form, path)?.path.join(".");
  expect([at("a.b"), at("a.b.3"), at("ab"), at("a"), at(""), at("x")]).toEqual([
    ...["a.b", "a.b", "ab"],
    ...[undefined, undefined, undefined],
  ]);
});

test("secrets are hidden at every level", () => {
  const secret = { ...text, writeOnly: true };
  const form = readForm(
    of({ pin: secret, o: of({ pin: secret }), l: { type: "array", items: of({ pin: secret }) } }),
  );
  const payload = { pin: "1", o: { pin: "2", x: 3 }, l: [{ pin: "4" }], more: "5" };
  expect(withoutSecrets(form, payload)).toEqual({
    ...{ pin: stars, o: { pin: stars, x: 3 } },
    ...{ l: [{ pin: stars }], more: "5" },
  });
});

test.each<[what: string, key: string, schema: JsonObject, value: Json, shown: Json, kind: string]>([
  ["two types", "a", { type: ["string", "integer"], ...marked }, "x", stars, "JSON, hidden"],
  ["a number", "pin", { type: "integer", ...marked }, 1234, stars, "whole number, hidden"],
  [
    "a number with a secret name",
    "secret",
    { type: "integer" },
    1234,
    stars,
    "whole number, hidden",
  ],
  ["a choice", "a", { enum: ["x", "y"], ...marked }, "x", stars, "one of x, y, hidden"],
  ["one alternative", "a", { anyOf: [{ ...text, ...marked }, of({})] }, "x", stars, "JSON, hidden"],
  [
    "an alternative behind a reference",
    "a",
    { anyOf: [of({}), { $ref: "#/$defs/s" }] },
    "x",
    stars,
    "JSON, hidden",
  ],
  ["an open object", "a", { additionalProperties: marked }, { b: "x" }, stars, "JSON, hidden"],
  ["a part of JSON", "a", { not: { properties: { token: text } } }, "x", stars, "JSON, hidden"],
  [
    "an object",
    "a",
    { ...of({ b: text }), ...marked },
    { b: "x", c: 1 },
    { b: stars, c: stars },
    "object",
  ],
  [
    ...(["additional fields", "a", { ...of({ b: text }), additionalProperties: marked }] as const),
    ...([{ b: "x", c: 1 }, { b: "x", c: stars }, "object"] as const),
  ],
  [
    "a list with a secret name",
    "passwords",
    { items: text },
    ["x", null],
    [stars, null],
    "list of texts",
  ],
  [
    "a list of choices",
    "a",
    { items: { enum: ["x"], ...marked } },
    ["x"],
    [stars],
    "list of choices",
  ],
  ["a list without a type", "a", { items: { ...text, ...marked } }, "x", stars, "list of texts"],
  [
    "a list in a list",
    "keys",
    { items: { items: { ...text, ...marked } } },
    [["x"]],
    stars,
    "JSON, hidden",
  ],
  ["a constant", "token", { const: "x" }, "x", stars, "always ********"],
  ["yes or no", "resetPassword", { type: "boolean" }, true, true, "yes or no"],
])(
  "a value that is secret by its mark or name is hidden: %s",
  (_what, key, schema, value, shown, wanted) => {
    const form = readForm({ ...of({ [key]: schema }), $defs: { s: { ...text, ...marked } } });
    const [field] = form.fields;
    expect(withoutSecrets(form, { [key]: value })).toEqual({ [key]: shown });
    expect(field && wantedOf(field)).toBe(wanted);
  },
);

test.each<[what: string, schema: JsonObject]>([
  ["any additional fields", { additionalProperties: marked }],
  ["alternatives", { oneOf: [of({ a: marked }), of({ b: text })] }],
  ["a payload marked as secret", { ...of({ b: text }), ...marked }],
  [
    "more fields than the limit",
    of(Object.fromEntries([...Array(formLimits.fields + 1).keys()].map((n) => [`f${n}`, text]))),
  ],
])("the whole payload is hidden if it has a secret somewhere: %s", (_what, schema) => {
  expect(withoutSecrets(readForm(schema), { a: "x" })).toEqual({ a: stars });
});

describe("places", () => {
  const put = (payload: JsonObject, path: string, value: Json) => {
    const copy = structuredClone(payload);
    putAt(copy, path.split("."), value, (place) => place.join(".") === "list");
    return copy;
  };

  test.each<[payload: JsonObject, path: string, is: JsonObject]>([
    [{}, "a", { a: 1 }],
    [{ a: { b: 2 } }, "a.c", { a: { b: 2, c: 1 } }],
    [{ a: 5 }, "a.b", { a: { b: 1 } }],
    [{ a: [1, 2] }, "a.1", { a: [1, 1] }],
    [{ a: [2] }, "a.1", { a: [2, 1] }],
    [{}, "list.0", { list: [1] }],
    [{}, "list.0.x", { list: [{ x: 1 }] }],
    [{}, "other.0", { other: { 0: 1 } }],
    [{}, "constructor.x", { constructor: { x: 1 } } as unknown as JsonObject],
  ])("a value put into %j at %s gives %j", (payload, path, is) => {
    expect(put(payload, path, 1)).toEqual(is);
    expect(valueAt(put(payload, path, 1), path.split("."))).toBe(1);
  });

  test.each([
    ["a.2", "a has length 1: the next item is a.1"],
    ["a.x", "a is a list: give the number of an item, as in a.0"],
    ["a.01", "a is a list: give the number of an item, as in a.0"],
  ])("the place %s is invalid", (path, says) => {
    expect(() => put({ a: [1] }, path, 1)).toThrow(says);
  });

  test("removes fields and items of lists", () => {
    const payload = { a: { b: 1 }, l: [1, 2, 3] };
    removeAt(payload, ["a", "b"]);
    removeAt(payload, ["l", "1"]);
    removeAt(payload, ["x", "y"]);
    expect(payload).toEqual({ a: {}, l: [1, 3] });
  });
});
