// Tests the parts of an action's form, without a browser.

import { expect, test } from "vitest";
import { ApiError, issueOf } from "../../src/console/client/api-error.ts";
import { completePayload } from "../../src/console/pages/actions/form/complete-payload.ts";
import { labelOf } from "../../src/console/pages/actions/form/field-notes.ts";
import { planForm } from "../../src/console/pages/actions/form/form-schema.ts";
import { shownPayload } from "../../src/console/pages/actions/form/hidden-secrets.ts";
import {
  placeOf,
  readPayload,
  writePayload,
} from "../../src/console/pages/actions/form/json-text.ts";
import { atFields, findFieldIssues } from "../../src/console/pages/actions/form/payload-issues.ts";
import type { JsonObject } from "../../src/domain/payload/json.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const text = { type: "string" };

test("a form inlines local references; the JSON view handles foreign and recursive ones", () => {
  const { schema } = planForm(
    object(
      {
        near: { $ref: "#/$defs/a~1b", title: "Near" },
        far: { $ref: "https://example.com/schema.json", title: "Far" },
        tree: { $ref: "#/$defs/tree" },
        self: { $ref: "#" },
        proto: { $ref: "#/constructor" },
      },
      {
        $defs: {
          "a/b": { type: "integer", minimum: 1 },
          tree: object({ child: { $ref: "#/$defs/tree" } }),
        },
      },
    ),
  );
  expect(schema?.properties).toEqual({
    near: { type: "integer", minimum: 1, title: "Near" },
    far: { title: "Far" },
    tree: { type: "object", properties: { child: { title: "child" } } },
    self: { title: "self" },
    proto: { title: "proto" },
  });
});

test("only known keywords with valid values are copied, and patterns are not checked", () => {
  const strange = {
    type: "frob",
    title: 7,
    minimum: "1",
    format: "hidden",
    "ui:widget": "file",
    $id: "x",
    pattern: "(a+)+$",
    enum: Array.from({ length: 501 }, (_, n) => n),
  };
  const { schema } = planForm(
    object({
      strange,
      named: { enum: strange.enum.map(String) },
      twice: { enum: [1, 1, "1"] },
      labelled: { enum: [1, 1, 2, 3], enumLabels: ["One", "Again", 7], placeholder: 7 },
      example: { ...text, placeholder: "x".repeat(2_000), enumLabels: ["A"] },
    }),
  );
  expect(schema?.properties).toEqual({
    strange: { mustMatch: "(a+)+$", manyChoices: 501 },
    named: { type: "string", manyChoices: 501 },
    twice: { enum: [1, "1"] },
    labelled: { enum: [1, 2, 3], enumLabels: ["One", "2", "3"] },
    example: { type: "string", placeholder: "x".repeat(1_000) },
  });
  const evil = planForm(object({ a: { ...text, pattern: "^(a+)+$" } })).schema ?? {};
  expect(findFieldIssues({ a: `${"a".repeat(40)}!` }, evil)).toEqual([]);
});

test("a schema without fields, or with too many, has no form", () => {
  let deep: JsonObject = text;
  for (let level = 0; level < 1_000; level++) deep = object({ deeper: deep });
  const doubling: JsonObject = { d0: text };
  for (let n = 1; n < 40; n++) {
    const both = { $ref: `#/$defs/d${n - 1}` };
    doubling[`d${n}`] = object({ left: both, right: both });
  }
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`p${n}`, text]));
  const each = { oneOf: Array.from({ length: 10 }, () => object({ a: text })) };
  expect([
    planForm({}).refused,
    planForm({ type: "array", items: text }).refused,
    planForm({ $ref: "#" }).refused,
    planForm(object({}, { additionalProperties: true })).refused,
    planForm(object({ a: { $ref: "#/$defs/d39" } }, { $defs: doubling })).refused,
    planForm(object(wide)).refused,
    planForm(object({ a: text }), { a: Array(2_000).fill("x") }).refused,
    planForm(object({ a: { ...text, default: Array(2_000).fill("x") } })).refused,
  ]).toEqual([...Array(4).fill("noObject"), ...Array(4).fill("tooLarge")]);
  expect(JSON.stringify(planForm(deep)).length).toBeLessThan(1_000);
  expect(planForm(object({ a: { allOf: [each, each, each] } })).schema?.properties).toEqual({
    a: { title: "a" },
  });
});

const order = planForm(
  object(
    {
      count: { type: "integer", minimum: 1, maximum: 9 },
      size: { enum: ["small", "large"] },
      name: { ...text, minLength: 2 },
      tags: { type: "array", items: { type: "number" }, uniqueItems: true },
      mail: { ...text, format: "email" },
      step: { type: "number", multipleOf: 0.5 },
      "a/b": object({ c: text }, { required: ["c"] }),
      via: {
        oneOf: [
          object({ kind: { const: "post" }, office: text }, { required: ["kind", "office"] }),
          object({ kind: { const: "car" }, phone: text }, { required: ["kind", "phone"] }),
        ],
      },
    },
    { required: ["count"], additionalProperties: false },
  ),
).schema as JsonObject;

test.each([
  ["count", "Pieces"],
  [".tags", "Tags"],
  [".tags.0", "Tags-1"],
  [".at.zone", "Place, zone"],
  [".nowhere.else", "nowhere, else"],
  ["", ""],
])("an error names the field as the form does: %s", (property, label) => {
  const schema = {
    properties: {
      count: { type: "integer", title: "Pieces" },
      tags: { type: "array", title: "Tags", items: { type: "string", title: "Tag" } },
      at: { type: "object", title: "Place", properties: { zone: { type: "string" } } },
    },
  };
  expect(labelOf(property, schema)).toBe(label);
});

test.each<[payload: JsonObject, path: (string | number)[], message: string]>([
  [{}, ["count"], "This is required."],
  [{ count: 0 }, ["count"], "This must be at least 1."],
  [{ count: 10 }, ["count"], "This must be 9 or less."],
  [{ count: 1.5 }, ["count"], "This must be a whole number."],
  [{ count: 1, size: "huge" }, ["size"], "This must be one of small, large."],
  [{ count: 1, name: "a" }, ["name"], "This must have at least 2 characters."],
  [{ count: 1, tags: [1, "x"] }, ["tags", 1], "This must be a number, such as 12.5."],
  [{ count: 1, tags: [1, 1] }, ["tags"], "The list contains an item twice."],
  [{ count: 1, mail: "nobody" }, ["mail"], "This is not a valid email."],
  [{ count: 1, step: 0.7 }, ["step"], "This must be a multiple of 0.5."],
  [{ count: 1, "a/b": {} }, ["a/b", "c"], "This is required."],
  [{ count: 1, via: { kind: "car" } }, ["via", "phone"], "This is required."],
  [{ count: 1, more: true }, [], "more is not allowed here."],
])("%j has an issue at %j", (payload, path, message) => {
  expect(findFieldIssues(payload, order)).toEqual([{ path, message }]);
});

test("a valid payload has no issues, even if fields of the form are undefined", () => {
  const payload = { count: 1, name: undefined, via: { kind: "post", office: "Berlin" } };
  expect(findFieldIssues(payload as never, order)).toEqual([]);
});

test("issues from the server are assigned to their fields", () => {
  const issues = [
    { path: "a.0.b", message: "x" },
    { path: "a.c d", message: "is required" },
    { path: "b", message: "must match the pattern /^x$/" },
    { path: "", message: "too long" },
  ];
  expect(atFields(issues)).toEqual([
    { path: ["a", 0, "b"], message: "X." },
    { path: ["a", "c d"], message: "This is required." },
    { path: ["b"], message: "This does not match the pattern." },
    { path: [], message: "Too long." },
  ]);
});

test.each([
  ["must have 12 to 128 characters", "Must have 12 to 128 characters."],
  ["must be a percentage such as 10%", "Must be a percentage such as 10%."],
  ["must match the pattern /^a+$", "Must match the pattern /^a+$"],
  ["This is a sentence.", "This is a sentence."],
  ["what is it?", "What is it?"],
  ["", ""],
])("the issue %j is shown as a sentence", (message, sentence) => {
  const issues = [
    { path: "wave", message: "not this one" },
    { path: "waves.1", message },
  ];
  const error = new ApiError(422, { code: "VALIDATION_FAILED", details: { issues } });
  expect(issueOf(error, "waves.1")).toBe(sentence);
  expect(issueOf(error, /^waves\b/)).toBe(sentence);
  expect(issueOf(error, "waves")).toBe(null);
  expect(issueOf(new Error(message), "waves.1")).toBe(null);
});

test("values with only one choice are set, and empty optional values are dropped", () => {
  const part = object(
    { on: { type: "boolean" }, kind: { const: "k" }, note: text },
    { required: ["on", "kind"] },
  );
  const schema = object(
    {
      must: part,
      may: part,
      list: { type: "array", items: part },
      sure: { type: "boolean", default: true },
    },
    { required: ["must", "sure"] },
  );
  const whole = { on: false, kind: "k" };
  expect(completePayload({ must: {}, may: {}, list: [{ note: "n" }] }, schema)).toEqual({
    must: whole,
    list: [{ note: "n", ...whole }],
  });
  expect(completePayload({ count: 1, via: { phone: "1" } }, order)).toEqual({
    count: 1,
    via: { kind: "car", phone: "1" },
  });
  expect(completePayload({ count: 1, via: {}, other: {} }, order)).toEqual({ count: 1, other: {} });
});

test("secrets are hidden wherever the schema marks them", () => {
  const pin = { ...text, format: "password" };
  const schema = object(
    {
      pin,
      list: { type: "array", items: object({ key: { ...text, writeOnly: true } }) },
      via: { oneOf: [object({ a: text }), object({ pin })] },
    },
    { additionalProperties: { writeOnly: true } },
  );
  const payload = { pin: "1", list: [{ key: "2", n: 3 }], via: { pin: "4", a: "5" }, extra: 6 };
  expect(shownPayload(payload, schema)).toEqual({
    pin: "••••••",
    list: [{ key: "••••••", n: 3 }],
    via: { pin: "••••••", a: "5" },
    extra: "••••••",
  });
});

test("secrets are hidden by their names and through references, and by each mark of their form", () => {
  const schema = {
    properties: { pin: { $ref: "#/$defs/pin" }, reset: { type: "boolean" } },
    $defs: { pin: { writeOnly: true } },
  };
  const payload = {
    pin: 1,
    password: "2",
    apiKey: 3,
    resetPassword: true,
    maxTokens: 4,
    note: "5",
  };
  const url = "postgres://app:6@db/x";
  expect(shownPayload({ ...payload, url, login: { token: "7" } }, schema)).toEqual({
    ...{ pin: "••••••", password: "••••••", apiKey: "••••••", resetPassword: true, maxTokens: 4 },
    ...{ note: "5", url: "postgres://app:[REDACTED]@db/x", login: { token: "••••••" } },
  });
  expect(schema).not.toHaveProperty("__absolute_uri__");
  const endless = { properties: { a: { $ref: "#" } }, anyOf: many(30_000), writeOnly: false };
  expect(shownPayload({ a: "secret?" }, endless)).toEqual({ a: "••••••" });
});

const many = (count: number) => Array.from({ length: count }, () => ({ title: "x" }));

test("a form marks each secret field, also inside a secret object", () => {
  const schema = object({
    password: text,
    via: { $ref: "#/$defs/token" },
    credentials: object({ user: text, on: { type: "boolean" } }),
    resetPassword: { type: "boolean" },
    note: text,
  });
  const plan = planForm({ ...schema, $defs: { token: { ...text, format: "password" } } });
  const marked = (fields: JsonObject = {}): string[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      const { writeOnly, properties } = field as JsonObject;
      return [...(writeOnly ? [name] : []), ...marked(properties as JsonObject)];
    });
  expect(marked(plan.schema?.properties as JsonObject)).toEqual([
    ...["password", "via", "credentials", "user", "on"],
  ]);
});

test("the text of a payload has placeholders for its secrets, which can be moved and replaced", () => {
  const payload = { password: "hunter2", list: [{ token: "abc" }, { token: 5 }], note: "n" };
  const { text, secrets } = writePayload(payload, {});
  expect(text).not.toMatch(/hunter2|abc/);
  const read = (change: (text: string) => string) => readPayload({ text: change(text), secrets });
  expect(read((same) => same)).toEqual({ payload });
  const moved = JSON.stringify({ list: [{ token: "•••••• 3" }], pw: "•••••• 1" });
  expect(read(() => moved).payload).toEqual({ list: [{ token: 5 }], pw: "hunter2" });
  expect(read((same) => same.replace("•••••• 1", "new")).payload).toMatchObject({
    password: "new",
  });
  for (const unknown of ["•••••• 4", "••••••"]) {
    expect(read(() => JSON.stringify({ password: unknown })).problem).toMatch(/no secret is known/);
  }
});

const readText = (text: string) => readPayload({ text, secrets: [] });

test("text that is not a payload is reported with the position of the error", () => {
  expect(readText('{"a": [1]}')).toEqual({ payload: { a: [1] } });
  expect(readText('{\n  "a": 1,\n  b\n}').problem).toBe("This is not JSON: line 3, column 3.");
  expect(readText('{"a": ').problem).toBe("This is not JSON: line 1, column 7.");
  expect(readText("[1]").problem).toBe("A payload must be an object: { … }.");
  expect(placeOf("expected property name at line 4 column 2 of the JSON data", "")).toEqual({
    line: 4,
    column: 2,
  });
  expect(placeOf("JSON Parse error: Unrecognized token", "{")).toBeNull();
});
