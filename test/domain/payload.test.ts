// An operator's payload against a schema that an agent wrote: good and bad payloads with the paths
// of what is wrong, and schemas that mean harm.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AppError, type Issue } from "../../src/domain/errors.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { checkPayload } from "../../src/domain/payload.ts";

const text = { type: "string" };
const rotate: JsonObject = {
  type: "object",
  required: ["file"],
  properties: {
    file: { ...text, minLength: 1 },
    keep: { type: "integer", minimum: 1 },
    targets: { type: "array", items: { type: "object", properties: { host: text } } },
    "odd/na~me %": text,
    "": text,
  },
  additionalProperties: false,
};

test.each<[payload: JsonObject]>([
  [{ file: "a.log" }],
  [{ file: "a.log", keep: 1, targets: [{ host: "a" }, {}] }],
])("%j fits", (payload) => {
  expect(() => checkPayload(payload, rotate)).not.toThrow();
});

test.each<[payload: JsonObject, paths: string[]]>([
  [{}, [""]],
  [{ file: 1 }, ["file"]],
  [{ file: "" }, ["file"]],
  [{ file: "a", keep: 0 }, ["keep"]],
  [{ file: "a", keep: 1.5 }, ["keep"]],
  [{ file: 1, keep: 0 }, ["file", "keep"]],
  [{ file: "a", targets: [{ host: "a" }, { host: 1 }] }, ["targets.1.host"]],
  [{ file: "a", "odd/na~me %": 1 }, ["odd/na~me %"]],
  [{ file: "a", other: 1 }, ["", "other"]],
])("%j does not, at %j", (payload, paths) => {
  expect(issuesOf(payload, rotate).map(({ path }) => path)).toEqual(paths);
});

test.each<[keyword: string, schema: JsonObject, payload: JsonObject]>([
  ["oneOf, none", { oneOf: [text] }, {}],
  ["oneOf, two", { oneOf: [{ type: "object" }, {}] }, {}],
  ["anyOf", { anyOf: [text, { required: ["a"] }] }, {}],
  ["not", { not: {} }, {}],
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema
  ["if, then", { if: {}, then: { required: ["a"] } }, {}],
  ["a false schema", { properties: { a: false } }, { a: 1 }],
  ["unevaluatedProperties", { unevaluatedProperties: false }, { a: 1 }],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }],
  ["propertyNames", { propertyNames: { maxLength: 1 } }, { ab: 1 }],
  ["$ref within", { properties: { a: { $ref: "#/$defs/t" } }, $defs: { t: text } }, { a: 1 }],
  ["format", { properties: { a: { type: "string", format: "email" } } }, { a: "x" }],
])("%s is obeyed", (_keyword, schema, payload) => {
  expect(issuesOf(payload, schema).length).toBeGreaterThan(0);
});

test("the issues of one answer are at most 50", () => {
  const many = { properties: { list: { items: text } } };
  expect(issuesOf({ list: Array(500).fill(1) }, many)).toHaveLength(50);
});

const wide: JsonObject = { $defs: { leaf: { type: "object" } } };
const defs = wide.$defs as JsonObject;
for (let level = 0; level < 30; level++) {
  const below = { $ref: `#/$defs/${level === 0 ? "leaf" : level - 1}` };
  defs[level] = { allOf: [below, below] };
}

test.each<[title: string, schema: JsonObject, payload: JsonObject, says: RegExp]>([
  [
    "a pattern that backtracks",
    { properties: { a: { pattern: "^(a+)+$" } } },
    { a: `${"a".repeat(60)}!` },
    /too long/,
  ],
  ["references that double", { ...wide, $ref: "#/$defs/29" }, {}, /too long/],
  ["a reference to itself", { $ref: "#" }, {}, /cannot be used/],
  [
    "references in a circle",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    {},
    /cannot be used/,
  ],
  ["a reference to nowhere", { $ref: "#/$defs/none" }, {}, /cannot be used/],
  ["a pattern that is none", { properties: { a: { pattern: "(" } } }, { a: "x" }, /cannot be used/],
  ["properties that are none", { properties: null }, {}, /cannot be used/],
])("harm: %s is the agent's fault, told within 100 ms of work", (_title, schema, payload, says) => {
  const before = process.threadCpuUsage();
  const [issue] = issuesOf(payload, schema);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(100);
  expect(issue).toEqual({ path: "", message: expect.stringMatching(says) });
});

test("a schema elsewhere is never fetched", async () => {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls++;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`;
  expect(issuesOf({}, { $ref: url })[0]?.message).toMatch(/cannot be used/);
  expect(issuesOf({ a: 1 }, { $id: url, properties: { a: { $ref: "other.json" } } })).toHaveLength(
    1,
  );
  // One call of our own, behind any that the check might have made.
  await (await fetch(url)).text();
  expect(calls).toBe(1);
});

function issuesOf(payload: JsonObject, schema: JsonObject): Issue[] {
  try {
    checkPayload(payload, schema);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe("PAYLOAD_INVALID");
    return (error as AppError).details?.issues as Issue[];
  }
  return [];
}
