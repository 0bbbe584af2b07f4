// The form of an agent's schema, including odd, huge and hostile schemas.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Field, formLimits, isGroup } from "../../../src/domain/form/form.ts";
import { problemsOf } from "../../../src/domain/form/problems.ts";
import { readForm } from "../../../src/domain/form/read-form.ts";
import { completed, withDefaults } from "../../../src/domain/form/values.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { isLong, size } from "../../helpers/size.ts";

const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const text = { type: "string" };
const marked = { writeOnly: true };

/** The parts of an object, as in `{ name: "text", log: { level: "choice" } }`. */
type Outline = { [key: string]: string | Outline };

function outlineOf(field: Field | undefined): string | Outline {
  if (!field) return "nothing";
  if (field.kind === "list") return { list: outlineOf(field.item) };
  if (field.kind === "variants") {
    return Object.fromEntries(field.options.map((option, at) => [`or${at}`, outlineOf(option)]));
  }
  if (!isGroup(field)) return field.kind;
  const { parts, options, others, other } = field;
  const named = (fields: Field[]) => fields.map((part) => [part.key, outlineOf(part)]);
  return Object.fromEntries([
    ...named([...parts, ...others]),
    ...options.map((option, at) => [`option${at}`, outlineOf(option)]),
    ...(other ? [["…", outlineOf(other)]] : []),
  ]);
}

const outline = (schema: JsonObject, payload?: JsonObject) =>
  outlineOf(readForm(schema, payload).root);

/** Avoids the linter's warning about objects with a `then`, which it mistakes for promises. */
const then = "then";

test.each<[what: string, schema: JsonObject, fields: string | Outline]>([
  ["nothing", {}, {}],
  ["an object without fields", { type: "object", additionalProperties: false }, {}],
  ["a field that accepts nothing", of({ a: false }), {}],
  ["a list as the payload", { type: "array", items: text }, "json"],
  ["a payload that refers to itself", { $ref: "#" }, "json"],
  ["a reference that leads nowhere", { $ref: "#/nowhere" }, "json"],
  ["values as the payload", { oneOf: [text, { type: "integer" }] }, "json"],
  [
    "objects as the payload",
    { oneOf: [of({ a: text }), of({ b: text })] },
    { option0: { a: "text" }, option1: { b: "text" } },
  ],
  [
    "alternatives besides the fields",
    { ...of({ a: text }), anyOf: [of({ b: text }), { required: ["a"] }] },
    { a: "text", option0: { b: "text" } },
  ],
  [
    "references, near and far",
    {
      ...of({
        near: { $ref: "#/$defs/a~1b" },
        far: { $ref: "https://example.com/schema.json" },
        twice: { $ref: "#/$defs/again" },
        proto: { $ref: "#/constructor" },
      }),
      $defs: { "a/b": { type: "integer" }, again: { $ref: "#/$defs/a~1b" } },
    },
    { near: "number", far: "json", twice: "number", proto: "json" },
  ],
  [
    "recursion",
    {
      ...of({ tree: { $ref: "#/$defs/tree" }, self: { $ref: "#" }, or: { $ref: "#/$defs/or" } }),
      $defs: {
        tree: of({ name: text, child: { $ref: "#/$defs/tree" } }),
        or: { anyOf: [text, { $ref: "#/$defs/or" }] },
      },
    },
    {
      tree: { name: "text", child: "json" },
      self: "json",
      or: { or0: "text", or1: "json" },
    },
  ],
  [
    "lists",
    of({
      texts: { type: "array", items: text },
      lists: { items: { items: text } },
      some: { type: "array", items: { enum: [1, 2] }, uniqueItems: true },
      any: { type: "array", items: { enum: [1, 2] } },
      tuple: { type: "array", prefixItems: [text], items: text },
    }),
    {
      texts: { list: "text" },
      lists: { list: { list: "text" } },
      some: "choices",
      any: { list: "choice" },
      tuple: "json",
    },
  ],
  [
    "keys that are data",
    of({
      map: { type: "object", additionalProperties: { type: "integer" } },
      open: { type: "object", additionalProperties: true },
      closed: { type: "object", additionalProperties: false },
      bare: { type: "object" },
    }),
    { map: { "…": "number" }, open: { "…": "text" }, closed: "json", bare: "json" },
  ],
  [
    "conditions, without a payload",
    { ...of({ a: text }), if: of({ a: { const: "x" } }), [then]: of({ b: text }) },
    { a: "text" },
  ],
  [
    "several types",
    of({ a: { type: ["string", "integer"] }, b: { type: ["string", "null"] } }),
    { a: { or0: "text", or1: "number" }, b: "text" },
  ],
  [
    "alternatives of one type",
    of({ a: { ...text, anyOf: [{ format: "ipv4" }, { format: "ipv6" }] } }),
    { a: "text" },
  ],
  [
    "a choice of too many texts or values",
    of({
      texts: { enum: Array.from({ length: 501 }, String) },
      values: { enum: [...Array(501).keys()] },
    }),
    { texts: "text", values: "json" },
  ],
])("%s", (_what, schema, fields) => {
  expect(outline(schema)).toEqual(fields);
});

test("with a payload, conditions apply, and its items and undeclared keys have fields", () => {
  const rule = {
    ...of({ on: { type: "boolean" } }),
    if: of({ on: { const: true } }, { required: ["on"] }),
    [then]: of({ level: text }),
    else: of({ why: text }),
  };
  const schema = of({ rule, rules: { items: rule } }, { additionalProperties: true });
  const { root } = readForm(schema, {
    rule: { on: true },
    rules: [{ on: true }, {}],
    ...{ more: 1, note: "x", list: [] },
  });
  expect(outlineOf(root)).toMatchObject({
    rule: { on: "flag", level: "text" },
    ...{ more: "number", note: "text", list: "json", "…": "text" },
  });
  const rules = isGroup(root) ? root.parts[1] : undefined;
  expect(rules?.kind === "list" && rules.items.map(outlineOf)).toEqual([
    { on: "flag", level: "text" },
    { on: "flag", why: "text" },
  ]);
});

test("parts and conditions of the schema add to what is known about a field", () => {
  const schema = {
    allOf: [of({ size: { type: "string", minLength: 2, title: "Size" }, first: text })],
    ...of({ size: { type: "integer" }, mode: { enum: ["a", "b"] } }),
    if: of({ size: { minimum: 3 } }),
    [then]: of({ last: text, mode: { enum: ["a"] }, size: { maximum: 9 } }, { required: ["last"] }),
  };
  const partsOf = (size: number) => {
    const { root } = readForm(schema, { size });
    return isGroup(root) ? root.parts : [];
  };
  expect(partsOf(1).map(({ key }) => key)).toEqual(["size", "first", "mode"]);
  const [size, , mode, last] = partsOf(4);
  expect(size?.keywords).toEqual({ type: "integer", maximum: 9, minLength: 2, title: "Size" });
  expect(mode?.keywords.enum).toEqual(["a"]);
  expect([last?.key, last?.required]).toEqual(["last", true]);
});

test("the schema's texts become single lines of a limited length", () => {
  const { root } = readForm(
    of({
      a: { ...text, title: "  two\nlines ", description: "x".repeat(5_000) },
      b: { title: 7 },
      c: { enum: [1, 1, 2, 3], enumLabels: ["One", "Again", 7] },
      d: { oneOf: [{ const: 1, title: "One" }, { const: 2 }] },
    }),
  );
  const [a, b, c, d] = isGroup(root) ? root.parts : [];
  expect([a?.title, b?.title]).toEqual(["two lines", ""]);
  expect(a?.description).toHaveLength(formLimits.characters);
  expect(c?.kind === "choice" && c.choices).toEqual([
    ...[
      { value: 1, name: "One" },
      { value: 2, name: "" },
      { value: 3, name: "" },
    ],
  ]);
  expect(d?.kind === "choice" && d.choices).toEqual([
    ...[
      { value: 1, name: "One" },
      { value: 2, name: "" },
    ],
  ]);
});

describe("a field is secret because of its name or a mark that may apply to it", () => {
  test.each<[what: string, field: JsonObject, key?: string]>([
    ["its name", text, "password"],
    ["writeOnly", { ...text, ...marked }],
    ["format", { ...text, format: "password" }],
    ["behind references", { $ref: "#/$defs/again" }],
    ["in a part", { ...text, allOf: [marked] }],
    ["in an alternative", { ...text, anyOf: [marked, { minLength: 3 }] }],
    ["in a condition", { ...text, if: { const: "x" }, [then]: marked }],
  ])("%s", (_what, field, key = "a") => {
    const $defs = { pin: marked, again: { ...text, allOf: [{ $ref: "#/$defs/pin" }] } };
    const { root } = readForm({ ...of({ [key]: field }), $defs });
    expect(isGroup(root) && root.parts[0]?.secret).toBe(true);
  });

  test("but not if its values cannot be secrets", () => {
    const { root } = readForm(of({ resetPassword: { type: "boolean" }, note: text }));
    expect(isGroup(root) && root.parts.map(({ secret }) => secret)).toEqual([false, false]);
  });

  test("and so is every field in it", () => {
    const inner = of({ user: text, on: { type: "boolean" }, list: { items: text } });
    const { root } = readForm(of({ credentials: inner }));
    const secrets = (field: Field): boolean[] => [
      field.secret,
      ...(isGroup(field) ? field.parts.flatMap(secrets) : []),
      ...(field.kind === "list" ? secrets(field.item) : []),
    ];
    expect(isGroup(root) && root.parts.flatMap(secrets)).toEqual(Array(5).fill(true));
  });
});

describe("a schema for", () => {
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
  const doubling: JsonObject = { d0: text };
  for (let n = 1; n < 40; n++) {
    const both = { $ref: `#/$defs/d${n - 1}` };
    doubling[`d${n}`] = of({ left: both, right: both });
  }
  const wide = { type: "object", properties: { a: { $ref: "#/wide" }, b: { $ref: "#/wide" } } };
  let deep: JsonObject = text;
  for (let level = 0; level < 5000; level++) deep = of({ a: deep });
  const each = { oneOf: Array.from({ length: 10 }, () => of({ a: text })) };
  const conditional = (inner: JsonObject): JsonObject => ({
    ...of({ a: inner }),
    if: of({ a: inner }),
    [then]: inner,
  });
  let conditions: JsonObject = text;
  for (let level = 0; level < 8; level++) conditions = conditional(conditions);

  test.each<[what: string, schema: JsonObject, tooMany: boolean, payload?: JsonObject]>([
    ["very many fields", of(many(size(5_000, 50_000), text)), true],
    ["deeply nested fields", deep, false],
    ["parts that double", { $ref: "#/$defs/39", $defs: below }, false],
    ["parts that multiply", { ...of({ a: { $ref: "#/$defs/14" } }), $defs: steep }, true],
    ["objects that double", of({ a: { $ref: "#/$defs/d39" } }, { $defs: doubling }), false],
    ["objects that contain themselves twice", { ...wide, wide }, false],
    ["alternatives in parts", of({ a: { allOf: [each, each, each] } }), false],
    ["conditions in conditions", conditions, false, { a: { a: { a: { a: {} } } } }],
    ["a condition that refers to itself", { if: { $ref: "#" } }, false, {}],
    ["ten thousand choices", of({ a: { enum: Object.keys(many(10_000, 1)) } }), false],
    ["a title of a million characters", of({ a: { ...text, title: "x".repeat(1e6) } }), false],
    ["a long list", of({ a: { items: text } }), true, { a: Array(2_000).fill("x") }],
    ["many keys", of({}, { additionalProperties: true }), true, many(2_000, "x")],
    [
      "names that every JavaScript object has",
      of(JSON.parse('{"constructor":{},"__proto__":{}}')),
      false,
    ],
  ])("%s is read quickly", (_what, schema, tooMany, payload) => {
    const before = process.threadCpuUsage();
    const form = readForm(schema, payload);
    const { user, system } = process.threadCpuUsage(before);
    if (isLong) expect((user + system) / 1000).toBeLessThan(500);
    expect(form.tooMany).toBe(tooMany);
    expect(isGroup(form.root) ? form.root.parts.length : 0).toBeLessThanOrEqual(formLimits.fields);
  });
});

test("any schema and any payload can be read", () => {
  const keywords = [
    ...["type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "$ref", "enum"],
    ...["const", "if", "then", "else", "default", "additionalProperties", "minItems", "minimum"],
    ...["format", "pattern", "title", "writeOnly", "enumLabels", "uniqueItems", "a", "password"],
  ];
  const words = ["object", "array", "string", "integer", "null", "a", "#", "#/properties/a"];
  const schema = fc.object({
    key: fc.constantFrom(...keywords),
    values: [fc.constantFrom(...words), fc.integer(), fc.boolean(), fc.constant(null)],
    maxDepth: 5,
    withNullPrototype: false,
  });
  const payload = fc.object({ key: fc.constantFrom("a", "password", "type"), maxDepth: 3 });
  const json = (value: object) => JSON.parse(JSON.stringify(value)) as JsonObject;
  fc.assert(
    fc.property(schema, payload, (anySchema, anyPayload) => {
      const [of, value] = [json(anySchema), json(anyPayload)];
      const { root } = readForm(of, value);
      const whole = completed(root, withDefaults(root, value) ?? {});
      expect(Array.isArray(problemsOf(root, whole))).toBe(true);
      expect(completed(root, whole)).toEqual(whole);
    }),
  );
});
