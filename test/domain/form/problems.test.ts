import { expect, test } from "vitest";
import { optionFor, problemsOf } from "../../../src/domain/form/problems.ts";
import { readForm } from "../../../src/domain/form/read-form.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { order } from "./order.ts";

function problemsIn(schema: JsonObject, payload: JsonObject) {
  return problemsOf(readForm(schema, payload).root, payload).map(({ path, keyword, wanted }) => [
    path.join("/"),
    keyword,
    wanted,
  ]);
}

test.each<[payload: JsonObject, path: string, keyword: string, wanted: Json]>([
  [{}, "count", "required", true],
  [{ count: 0 }, "count", "minimum", 1],
  [{ count: 10 }, "count", "maximum", 9],
  [{ count: 1.5 }, "count", "type", "integer"],
  [{ count: 1, size: "huge" }, "size", "enum", ["small", "large"]],
  [{ count: 1, name: "a" }, "name", "minLength", 2],
  [{ count: 1, tags: [1, "x"] }, "tags/1", "type", "number"],
  [{ count: 1, tags: [1, null] }, "tags/1", "required", true],
  [{ count: 1, tags: [1, 1] }, "tags", "uniqueItems", true],
  [{ count: 1, some: ["b", "x"] }, "some/1", "enum", ["a", "b"]],
  [{ count: 1, mail: "nobody" }, "mail", "format", "email"],
  [{ count: 1, step: 0.7 }, "step", "multipleOf", 0.5],
  [{ count: 1, "a/b": {} }, "a/b/c", "required", true],
  [{ count: 1, via: { kind: "car" } }, "via/phone", "required", true],
  [{ count: 1, via: {} }, "via", "oneOf", null],
  [{ count: 1, more: true }, "", "additionalProperties", "more"],
])("%j has a problem at %j", (payload, ...problem) => {
  expect(problemsIn(order, payload)).toEqual([problem]);
});

test("a valid payload has no problems, and null is a value where the schema accepts it", () => {
  const payload = { count: 1, via: { kind: "post", office: "Berlin" }, note: null };
  expect(problemsIn(order, payload)).toEqual([]);
});

test.each([
  ["^(a+)+$", `${"a".repeat(40)}!`],
  ["^a*a*a*$", "b"],
  ["^a|b$", "c"],
  ["^a+$", "b".repeat(201)],
])(
  "the pattern %s is not matched with a text like %s, because that could take long",
  (pattern, a) => {
    const schema = { properties: { a: { type: "string", pattern } } };
    expect(problemsIn(schema, { a })).toEqual([]);
  },
);

test("a pattern that is quick to match is matched", () => {
  const pattern = "^[a-z][a-z0-9(|)-]{0,62}\\.\\d{2}$";
  const schema = { properties: { a: { type: "string", pattern } } };
  expect(problemsIn(schema, { a: "web-(1).07" })).toEqual([]);
  expect(problemsIn(schema, { a: "web-1.7" })).toEqual([["a", "pattern", pattern]]);
});

test("limits that no schema can have are ignored", () => {
  const schema = { properties: { a: { type: "string", minLength: "many", format: "regex" } } };
  expect(problemsIn(schema, { a: "(" })).toEqual([]);
});

test.each<[value: Json | undefined, option: number]>([
  [undefined, -1],
  [{}, -1],
  [{ kind: "car" }, 1],
  [{ phone: "1" }, 1],
  [{ office: "x" }, 0],
  [{ kind: "post", phone: "1" }, 0],
])("%j is most like the option %j", (value, option) => {
  const { root } = readForm(order);
  const via = root.kind === "group" ? root.parts.find(({ key }) => key === "via") : undefined;
  expect(via?.kind === "group" && optionFor(via.options, value)).toBe(option);
});

test("the option that the user has chosen counts, even if the value is valid for another", () => {
  const text = { type: "string" };
  const { root } = readForm({
    properties: {
      a: {
        oneOf: [
          { properties: { at: text }, required: ["at"] },
          { properties: { at: text, day: text }, required: ["at", "day"] },
        ],
      },
    },
  });
  const payload = { a: { at: "noon" } };
  expect(problemsOf(root, payload)).toEqual([]);
  const problems = problemsOf(root, payload, [], (path, options) =>
    path.join() === "a" ? options[1] : undefined,
  );
  expect(problems).toEqual([{ path: ["a", "day"], keyword: "required", wanted: true }]);
});
