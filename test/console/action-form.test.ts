// Tests the parts of an action's form, without a browser.

import { expect, test } from "vitest";
import { ApiError, issueOf as issueAt } from "../../src/console/client/api-error.ts";
import {
  atFields,
  hintOf,
  issueOf,
  labelAt,
} from "../../src/console/pages/actions/form/form-words.ts";
import {
  placeOf,
  readPayload,
  writePayload,
} from "../../src/console/pages/actions/form/json-text.ts";
import { problemsOf } from "../../src/domain/form/problems.ts";
import { readForm } from "../../src/domain/form/read-form.ts";
import type { Json, JsonObject } from "../../src/domain/payload/json.ts";
import { order } from "../domain/form/order.ts";

const text = { type: "string" };

test.each([
  ["count", "Pieces"],
  ["tags.0", "Tags-1"],
  ["via.phone", "Way, Number"],
  ["nowhere.else", "nowhere, else"],
  ["", ""],
])("an error names the field as the form does: %s", (path, label) => {
  const { root } = readForm({
    properties: {
      count: { type: "integer", title: "Pieces" },
      tags: { type: "array", title: "Tags", items: { type: "string", title: "Tag" } },
      at: { type: "object", title: "Place", properties: { zone: text } },
      via: {
        title: "Way",
        oneOf: [
          { type: "object", properties: { phone: { ...text, title: "Number" } } },
          { type: "object", properties: { office: text } },
        ],
      },
    },
  });
  expect(labelAt(root, path === "" ? [] : path.split("."))).toBe(label);
});

test.each<[payload: JsonObject, message: string]>([
  [{}, "This is required."],
  [{ count: "1,5" }, "This must be a whole number."],
  [{ count: 0 }, "This must be at least 1."],
  [{ count: 1, size: "huge" }, "This must be one of small, large."],
  [{ count: 1, name: "a" }, "This must have at least 2 characters."],
  [{ count: 1, tags: [1, "x"] }, "This must be a number, such as 12.5."],
  [{ count: 1, via: {} }, "This matches none of the choices, or more than one."],
  [{ count: 1, more: true }, "more is not allowed here."],
])("the problem of %j is described", (payload, message) => {
  const problems = problemsOf(readForm(order, payload).root, payload);
  expect(problems.map((problem) => issueOf(problem).message)).toEqual([message]);
});

test.each<[field: JsonObject, hint: string]>([
  [{ ...text, description: "Its name", minLength: 2 }, "Its name. At least 2 characters."],
  [{ type: "integer", minimum: 1, maximum: 9, multipleOf: 2 }, "1 to 9. In steps of 2."],
  [{ type: "integer", exclusiveMinimum: 0, maximum: 9 }, ""],
  [{ items: text, maxItems: 3, uniqueItems: true }, "At most 3 items. No duplicates."],
  [{ enum: Array.from({ length: 501 }, String) }, "One of 501 values that the agent accepts."],
])("the field %j has a hint", (schema, hint) => {
  const { root } = readForm({ properties: { a: schema as Json } });
  expect(root.kind === "group" && root.parts.map(hintOf)).toEqual([hint]);
});

test("issues from the server are assigned to their fields", () => {
  const issues = [
    { path: "a.0.b", message: "x" },
    { path: "a.c d", message: "is required" },
    { path: "b", message: "must match the pattern /^x$/" },
    { path: "", message: "too long" },
  ];
  expect(atFields(issues)).toEqual([
    { path: ["a", "0", "b"], message: "X." },
    { path: ["a", "c d"], message: "This is required." },
    { path: ["b"], message: "This does not match the pattern." },
    { path: [], message: "Too long." },
  ]);
});

test.each([
  ["must have 12 to 128 characters", "Must have 12 to 128 characters."],
  ["must match the pattern /^a+$", "Must match the pattern /^a+$"],
  ["This is a sentence.", "This is a sentence."],
  ["", ""],
])("the issue %j is shown as a sentence", (message, sentence) => {
  const issues = [
    { path: "wave", message: "not this one" },
    { path: "waves.1", message },
  ];
  const error = new ApiError(422, { code: "VALIDATION_FAILED", details: { issues } });
  expect(issueAt(error, "waves.1")).toBe(sentence);
  expect(issueAt(error, /^waves\b/)).toBe(sentence);
  expect(issueAt(error, "waves")).toBe(null);
  expect(issueAt(new Error(message), "waves.1")).toBe(null);
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
    expect(read(() => JSON.stringify({ password: unknown })).problem).toMatch(
      /represents no known secret/,
    );
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
