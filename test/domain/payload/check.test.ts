// Checks payloads against valid, invalid and malicious schemas.

import { expect, test, vi } from "vitest";
import { AppError, type Issue } from "../../../src/domain/errors.ts";
import { checkPayload, findIssues, problemOfPart } from "../../../src/domain/payload/check.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { isLong, size } from "../../helpers/size.ts";

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

test.each<[payload: JsonObject, paths: string[]]>([
  [{ file: "a.log", keep: 1, targets: [{ host: "a" }, {}] }, []],
  [{}, ["file"]],
  [{ file: 1, keep: 0 }, ["file", "keep"]],
  [{ file: "a", targets: [{ host: "a" }, { host: 1 }] }, ["targets.1.host"]],
  [{ file: "a", "odd/na~me %": 1 }, ["odd/na~me %"]],
  [{ file: "a", other: 1 }, ["other"]],
])("%j has issues at %j", (payload, paths) => {
  expect(issuesOf(payload, rotate).map(({ path }) => path)).toEqual(paths);
});

test("what a condition requires is the only issue", () => {
  // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema
  const schema = { if: { required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } };
  expect(issuesOf({ a: 1 }, schema)).toEqual([{ path: "b", message: "is required" }]);
  expect(issuesOf({}, schema)).toEqual([{ path: "c", message: "is required" }]);
});

test.each<[keyword: string, schema: JsonObject, payload: JsonObject]>([
  ["oneOf, two", { oneOf: [{ type: "object" }, {}] }, {}],
  ["anyOf", { anyOf: [text, { required: ["a"] }] }, {}],
  ["unevaluatedProperties", { unevaluatedProperties: false }, { a: 1 }],
])("%s is checked", (_keyword, schema, payload) => {
  expect(issuesOf(payload, schema).length).toBeGreaterThan(0);
});

test.each<[schema: JsonObject, value: Json, says: string]>([
  [{ type: "string" }, 1.1, "a: must be text"],
  [{ type: ["integer", "null"] }, "x", "a: must be a whole number or null"],
  [{ $ref: "#/$defs/days" }, 31, "a: must be at most 30"],
  [{ exclusiveMinimum: 0 }, 0, "a: must be more than 0"],
  [{ enum: ["red", "green"] }, "blue", "a: must be one of red, green"],
  [{ oneOf: [{ const: "red", title: "Red" }, { const: 1 }] }, "Red", "a: must be one of red, 1"],
  [{ anyOf: [{ const: "red" }, { const: "green" }] }, "blue", "a: must be one of red, green"],
  [{ const: { b: 1 } }, "blue", 'a: must be {"b":1}'],
  [{ minLength: 1 }, "", "a: must not be empty"],
  [{ maxLength: 1 }, "ab", "a: must have at most 1 character"],
  [{ items: { minItems: 2 } }, [[]], "a.0: must have at least 2 items"],
  [{ uniqueItems: true }, [1, 1], "a: must not have the same item twice"],
  [{ pattern: "^x$" }, "y", "a: must match the pattern /^x$/"],
  [{ format: "date-time" }, "y", "a: must be a time such as 2026-01-31T12:00:00Z"],
  [{ format: "hostname" }, "_", "a: must be in the format hostname"],
  [{ required: ["b"] }, {}, "a.b: is required"],
  [{ additionalProperties: false }, { b: 1 }, "a.b: is not allowed"],
  [{ properties: { b: false } }, { b: 1 }, "a.b: is not allowed"],
  [{ not: {} }, 1, "a: is not allowed"],
  [
    { propertyNames: { maxLength: 1 } },
    { ab: 1 },
    "a.ab: has a name that must have at most 1 character",
  ],
  [{ dependentRequired: { b: ["c"] } }, { b: 1 }, "a: needs c, because b is given"],
  [{ contains: { type: "string" } }, [], "a: lacks an item that the schema requires"],
  [{ minContains: 2, contains: {} }, [1], "a: must have at least 2 items of the required kind"],
])("the schema %j says in our words what is wrong with %j", (schema, value, says) => {
  const whole = { ...ofA(schema), $defs: { days: { maximum: 30 } } };
  const said = issuesOf({ a: value }, whole).map(({ path, message }) => `${path}: ${message}`);
  expect(said).toEqual([says]);
});

test("a message never quotes the payload", () => {
  const schema = { properties: { pin: { maximum: 3 }, key: { maxLength: 2, pattern: "^[a-z]$" } } };
  const said = JSON.stringify(issuesOf({ pin: 4711, key: "S3cret" }, schema));
  expect(said).not.toMatch(/4711|S3cret/);
});

test("a response has at most 50 issues", () => {
  const many = { properties: { list: { items: text } } };
  expect(issuesOf({ list: Array(500).fill(1) }, many)).toHaveLength(50);
});

const wide: JsonObject = { $defs: { leaf: { type: "object" } } };
const defs = wide.$defs as JsonObject;
for (let level = 0; level < 30; level++) {
  const below = { $ref: `#/$defs/${level === 0 ? "leaf" : level - 1}` };
  defs[level] = { allOf: [below, below] };
}

const long = "a".repeat(60);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const named = (count: number, value: Json) =>
  Object.fromEntries(numbers(count).map((index) => [`f${index}`, value]));
const nested = (levels: number, wrap: (inner: JsonObject) => JsonObject, leaf: JsonObject = {}) => {
  let schema = leaf;
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema;
};
const ofA = (schema: JsonObject): JsonObject => ({ properties: { a: schema } });
/** A character class that takes at least 0.01 ms to compile. */
const costly = "[\\p{L}\\p{N}]";

/**
 * The CPU time that a check may use, in milliseconds: its limit plus the work that cannot be
 * interrupted.
 */
const costs = 100;

type Harm = [title: string, schema: JsonObject, payload: JsonObject, says: RegExp];

const evil = "^(a+)+$";
const victim = { [`${long}!`]: 1 };
const a = { a: "x" };
const tooLong = /has more than 500 characters/;
const late = /too long/;
const unusable = /cannot be used/;
/** A pattern that takes a long time to compile. */
const huge = costly.repeat(5000);
const justShort = numbers(500).map((index) => ({ pattern: `${costly.repeat(35)}{${index},}|` }));
const circle = { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } };
const manyConstants = { anyOf: numbers(500).map((value) => ({ const: value })) };
const objects = numbers(8000).map((index) => ({ a: 1, b: [index] }));

const harms: Harm[] = [
  ["a pattern", ofA({ pattern: evil }), { a: `${long.repeat(9)}!` }, late],
  ["a pattern for property names", { patternProperties: { [evil]: {} } }, victim, late],
  ["a huge pattern", ofA({ pattern: huge }), a, tooLong],
  ["a huge pattern for property names", { patternProperties: { [huge]: {} } }, a, tooLong],
  [
    "a huge pattern below an unknown keyword",
    { mine: [{ pattern: huge }], ...ofA({ $ref: "#/mine/0" }) },
    a,
    tooLong,
  ],
  [
    "a string that is used as a long pattern",
    ofA({ format: "regex" }),
    { a: costly.repeat(15_000) },
    /^must be a regular expression/,
  ],
  ["references that double", { ...wide, $ref: "#/$defs/29" }, {}, late],
  [
    "the smallest possible multipleOf, for many of the largest numbers",
    ofA({ items: { multipleOf: 5e-324 } }),
    { a: Array(size(1000, 10_000)).fill(Number.MAX_VALUE) },
    /too long|no issue/,
  ],
  [
    "many properties",
    { properties: named(size(5000, 50_000), text) },
    { f1: "x" },
    /too long|no issue/,
  ],
  ["a deeply nested schema", nested(10_000, (inner) => ofA(inner)), {}, /too long|cannot be used/],
  ["references in a circle", { $ref: "#/$defs/a", $defs: circle }, {}, unusable],
  ["a reference to a missing definition", { $ref: "#/$defs/none" }, {}, unusable],
  ["an invalid pattern", ofA({ pattern: "(" }), a, unusable],
  ["required that is not a list", { required: 5 }, {}, unusable],
  ["anyOf of null", { anyOf: [null] }, {}, unusable],
  ["an invalid $id", { $id: "http://x y" }, {}, unusable],
  ["a format named like a property of every object", ofA({ format: "__proto__" }), a, unusable],
];

/** These schemas use other keywords, and the same limit ends their checks. */
const moreHarms: Harm[] = [
  ["many patterns that are just short enough", ofA({ allOf: justShort }), a, late],
  ["uniqueItems of many", ofA({ uniqueItems: true }), { a: numbers(40_000) }, late],
  ["propertyNames with a pattern", { propertyNames: { pattern: evil } }, victim, late],
  ["anyOf that doubles", nested(28, (inner) => ({ anyOf: [inner, inner] }), text), {}, late],
  [
    "anyOf with many schemas, for each of many items",
    { additionalProperties: manyConstants },
    named(10_000, "x"),
    /^must be 0|too long/,
  ],
  ["uniqueItems of many objects", ofA({ uniqueItems: true }), { a: objects }, late],
  [
    "many limits for one long text",
    ofA({ anyOf: Array.from({ length: 2_000 }, (_, n) => ({ maxLength: n })) }),
    { a: "x".repeat(500_000) },
    /too long|must/,
  ],
];

test.each([...harms, ...(isLong ? moreHarms : [])])(
  "a harmful schema is refused: %s",
  (_title, schema, payload, says) => {
    // On a busy machine, the same work takes more CPU time, so the fastest attempt counts.
    return vi.waitFor(() => {
      const before = process.threadCpuUsage();
      const [issue] = issuesOf(payload, schema);
      const { user, system } = process.threadCpuUsage(before);
      expect(issue?.message ?? "no issue").toMatch(says);
      if (isLong) expect((user + system) / 1000).toBeLessThan(costs);
    }, 60_000);
  },
);

test.each<[divisor: number, value: number, fits: boolean]>([
  [5e-324, Number.MAX_VALUE, true],
  [Number.MAX_VALUE, 5e-324, false],
  [1e-300, 1e300, true],
  [0.1, 0.3, true],
  [0, 1, false],
  [-1, 1, false],
])("multipleOf %d accepts %d: %s", (multipleOf, a, fits) => {
  expect(issuesOf({ a }, ofA({ multipleOf }))).toHaveLength(fits ? 0 : 1);
});

test("one issue is reported if a payload has too many to find in time", () => {
  const schema = ofA({ items: { type: "integer" } });
  const issuesFor = (count: number) => issuesOf({ a: Array(count).fill("x") }, schema);
  expect(issuesFor(60_000)[0]).toEqual({ path: "a.0", message: "must be a whole number" });
  // On a busy machine, the time may run out first.
  return vi.waitFor(() => expect(issuesFor(1500)).toHaveLength(50), 60_000);
});

test("issues stay small, whatever the schema and the payload contain", () => {
  const quoted = issuesOf({ a: 1 }, ofA({ const: "x".repeat(60_000) }));
  const key = "k".repeat(15_000);
  const named = issuesOf({ [key]: Array(100).fill(1) }, { additionalProperties: { items: text } });
  expect(quoted).toHaveLength(1);
  expect(named.length).toBeGreaterThan(0);
  for (const issue of [...quoted, ...named]) {
    expect(issue.path.length).toBeLessThan(510);
    expect(issue.message.length).toBeLessThan(510);
  }
});

test("a pattern of 500 characters is allowed, and a field can be named pattern", () => {
  const pattern = `^(${"a".repeat(496)})$`.slice(0, 500);
  expect(pattern).toHaveLength(500);
  expect(issuesOf({ a: "a".repeat(496) }, ofA({ pattern }))).toEqual([]);
  expect(issuesOf({ a: "b" }, ofA({ pattern }))[0]?.message).toMatch(
    /^must match the pattern \/\^\(aaa/,
  );
  const schema = { properties: { pattern: text, patternProperties: text } };
  expect(issuesOf({ pattern: "x".repeat(600), patternProperties: "x" }, schema)).toEqual([]);
  expect(issuesOf({ a: "(a|b)+" }, ofA({ format: "regex" }))).toEqual([]);
  expect(issuesOf({ a: "(" }, ofA({ format: "regex" }))).toHaveLength(1);
});

test("a remote schema is never fetched", async () => {
  let calls = 0;
  const base = await serveHttp((_request, response) => {
    calls++;
    response.end("{}");
  });
  const url = `${base}/schema.json`;
  expect(issuesOf({}, { $ref: url })[0]?.message).toMatch(/cannot be used/);
  const other = { $id: url, ...ofA({ $ref: "other.json" }) };
  expect(issuesOf({ a: 1 }, other)).toHaveLength(1);
  // The test makes one call, after any calls that the check might have made.
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

const noText = "must be text";

test.each<[value: Json, part: Json, says: string | null]>([
  ["a", text, null],
  [1, text, noText],
  [{ b: 1 }, { properties: { b: text } }, `b: ${noText}`],
  [1, { $ref: "#/$defs/name" }, noText],
  [1, { $ref: "#/properties/a" }, noText],
  ["a", { $ref: "#/properties/a" }, null],
  [{ a: 1 }, { $ref: "#" }, `a: ${noText}`],
  [1, false, "is not allowed"],
  // The partial schema alone does not tell whether these values are valid.
  [1, { $ref: "#/$defs/none" }, null],
  [`${"a".repeat(40)}!`, { pattern: "^(a+)+$" }, null],
  [1, null, null],
])("%j for the partial schema %j: %s", (value, part, says) => {
  const whole = { required: ["a"], properties: { a: text }, $defs: { name: text } };
  expect(problemOfPart(value, part, whole)).toBe(says);
});

test("an unusable schema is distinguished from an invalid payload", () => {
  expect(findIssues({ a: 1 }, ofA(text))).toMatchObject({ usable: true, issues: [{ path: "a" }] });
  expect(findIssues({ a: "x" }, ofA(text))).toEqual({ usable: true, issues: [] });
  expect(findIssues({}, { required: 5 })).toMatchObject({ usable: false, issues: [{ path: "" }] });
});
