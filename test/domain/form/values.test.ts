import { describe, expect, test } from "vitest";
import type { Field } from "../../../src/domain/form/form.ts";
import { readForm } from "../../../src/domain/form/read-form.ts";
import {
  changedTo,
  completed,
  newValue,
  numberIn,
  withDefaults,
} from "../../../src/domain/form/values.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { order } from "./order.ts";

const text = { type: "string" };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});

function fieldOf(schema: JsonObject): Field {
  const { root } = readForm(object({ a: schema }));
  const [field] = root.kind === "group" ? root.parts : [];
  if (!field) throw new Error("the schema has no field");
  return field;
}

test("values with only one possibility are set, and empty optional objects are removed", () => {
  const flag = { type: "boolean" };
  const part = object({ on: flag, kind: { const: "k" }, note: text }, ["on", "kind"]);
  const schema = object(
    {
      must: part,
      may: part,
      list: { type: "array", items: part },
      sure: { ...flag, default: true },
      maybe: { type: ["integer", "null"] },
    },
    ["must", "sure", "maybe"],
  );
  const { root } = readForm(schema);
  const whole = { on: false, kind: "k" };
  const list = [{ note: "n", ...whole }];
  const added = { must: whole, maybe: null };
  expect(completed(root, { may: {}, list: [{ note: "n" }] })).toEqual({ ...added, list });
  expect(completed(root, { must: { on: true }, maybe: 1 })).toEqual({
    must: { on: true, kind: "k" },
    maybe: 1,
  });
});

test.each<[payload: JsonObject, completed: JsonObject]>([
  [{ via: { phone: "1" } }, { via: { kind: "car", phone: "1" } }],
  [{ via: { kind: "post" } }, { via: { kind: "post" } }],
  [{ via: {}, other: {} }, { other: {} }],
])("the alternatives of %j are completed", (payload, whole) => {
  expect(completed(readForm(order).root, payload)).toEqual(whole);
});

test("null is kept where the schema accepts it", () => {
  const { root } = readForm(object({ may: { type: ["string", "null"] }, not: text }));
  expect(completed(root, { may: null, not: null })).toEqual({ may: null });
});

test("defaults are added where there is no value", () => {
  const host = object({ name: text, port: { type: "integer", default: 80 } });
  const schema = object({
    level: { ...text, default: "info" },
    host: { $ref: "#/$defs/host" },
    hosts: { type: "array", items: host },
    none: object({ a: text }),
  });
  const { root } = readForm({ ...schema, $defs: { host } });
  expect(withDefaults(root, {})).toEqual({ level: "info", host: { port: 80 } });
  const payload = { level: "", host: { port: 1 }, hosts: [{ name: "a" }, null] };
  expect(withDefaults(root, payload)).toEqual({
    ...payload,
    hosts: [{ name: "a", port: 80 }, null],
  });
});

test("an optional object that its defaults do not complete is left out", () => {
  const port = { type: "integer", default: 80 };
  const kind = { const: "k" };
  const { root } = readForm(
    object(
      {
        may: object({ name: text, port }, ["name"]),
        must: object({ name: text, port }, ["name"]),
        whole: object({ kind, port }, ["kind"]),
      },
      ["must"],
    ),
  );
  expect(withDefaults(root, {})).toEqual({ must: { port: 80 }, whole: { port: 80 } });
  expect(withDefaults(root, { may: { name: "a" } })).toMatchObject({ may: { port: 80 } });
});

test.each<[schema: JsonObject, value: Json]>([
  [text, null],
  [{ ...text, default: "x" }, "x"],
  [{ type: "boolean" }, false],
  [{ type: "array", items: text }, []],
  [object({ kind: { const: "k" }, name: text, on: { type: "boolean" } }, ["kind"]), { kind: "k" }],
])("a new value for %j is %j", (schema, value) => {
  expect(newValue(fieldOf(schema))).toEqual(value);
});

describe("changing to another option keeps what is valid there", () => {
  const post = object({ kind: { const: "post" }, note: text, to: text }, ["kind"]);
  const car = object({ kind: { const: "car" }, note: text, seats: { type: "integer" } }, ["kind"]);
  const objects = fieldOf({ oneOf: [post, car] });
  const values = fieldOf({ anyOf: [text, { type: "integer", default: 1 }] });

  test.each<[field: Field, option: number, value: Json | undefined, is: Json | undefined]>([
    [
      objects,
      1,
      { kind: "post", note: "n", to: "x", other: 1 },
      { kind: "car", note: "n", other: 1 },
    ],
    [objects, 0, undefined, { kind: "post" }],
    [values, 0, 3, undefined],
    [values, 1, "x", 1],
    [values, 1, 3, 3],
  ])("%#", (field, option, value, is) => {
    const { options } = field as Extract<Field, { options: Field[] }>;
    expect(changedTo(options[option] as Field, options, value)).toEqual(is);
  });
});

test.each([
  ["1", 1],
  [" -1.5e3 ", -1500],
  ["+.5", 0.5],
  ["1,5", null],
  ["", null],
  ["0x10", null],
  ["1e999", null],
])("%j means the number %j", (typed, value) => {
  expect(numberIn(typed)).toBe(value);
});
