// Declared, mistyped and undeclared keys of `--set`.

import { expect, test } from "vitest";
import { checkKeys } from "../../../src/cli/form/given-keys.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { failing, openWorld } from "../world.ts";

const text = { type: "string" };
const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const plain = of({ level: text, lines: { type: "integer" } });
const closed = { ...plain, additionalProperties: false };
const tree = of({
  log: closed,
  rules: { type: "array", items: of({ match: text }, { additionalProperties: false }) },
});
const referring = { $defs: { log: closed }, ...of({ log: { $ref: "#/$defs/log" } }) };

/** Avoids the linter's warning about objects with a `then`, which it mistakes for promises. */
const then = "then";
const sealed = { ...of({ a: text }), unevaluatedProperties: false };
const when = (key: string): JsonObject => ({
  if: of({ a: { const: key } }),
  [then]: of({ [key]: text }),
});
const eitherOr = { ...sealed, allOf: [when("level"), when("lines")] };
const toPlain = { $ref: "#/$defs/plain" };
const endless = {
  ...sealed,
  $defs: { loop: { anyOf: [{ $ref: "#/$defs/loop" }, plain] } },
  [then]: { $ref: "#/$defs/loop" },
};
const vast = { ...sealed, anyOf: Array.from({ length: 11_000 }, () => of({ level: text })) };

function checked(schema: JsonObject, key: string, payload: JsonObject = {}): string[] | string {
  try {
    return checkKeys(payload, [key.split(".")], [schema]).map(({ place }) => place.join("."));
  } catch (error) {
    return (error as Error).message;
  }
}

test.each<[what: string, schema: JsonObject, key: string, payload?: JsonObject]>([
  ["a field", plain, "level"],
  ["a key that the payload already has", plain, "levle", { levle: "x" }],
  ["a field of an inner object", tree, "log.level"],
  ["behind a reference", referring, "log.level"],
  ["a field of one alternative", of({ a: text }, { oneOf: [plain, of({ file: text })] }), "file"],
  ["a field of the second of several conditions", eitherOr, "lines"],
  [
    "a field of an alternative behind a reference",
    { ...sealed, $defs: { plain }, anyOf: [toPlain] },
    "level",
  ],
  ["any key, if a reference leads nowhere", { ...sealed, [then]: { $ref: "other.json" } }, "x"],
  [
    "any key of an alternative that is a map",
    { ...sealed, [then]: { additionalProperties: text } },
    "x",
  ],
  [
    "a key that is required but not declared",
    of({ level: text }, { required: ["levels"] }),
    "levels",
  ],
  ["any key inside a text field", plain, "level.x"],
  ["any key of a map", { ...plain, additionalProperties: text }, "levle"],
  ["any key that matches a pattern", { ...closed, patternProperties: { "^l": text } }, "levle"],
])("%s is accepted", (_, schema, key, payload) => {
  expect(checked(schema, key, payload)).toEqual([]);
});

test.each<[schema: JsonObject, key: string, says: string]>([
  [closed, "levle", "--set levle: there is no field levle; did you mean level?"],
  [closed, "colour", "--set colour: there is no field colour; the fields are: level, lines."],
  [closed, "toString", "--set toString: there is no field toString; the fields are: level, lines."],
  [
    plain,
    "levle",
    "--set levle: there is no field levle; did you mean level? " +
      "If not, give the whole payload with --payload.",
  ],
  [
    tree,
    "rules.0.macht",
    "--set rules.0.macht: there is no field rules.0.macht; did you mean rules.0.match?",
  ],
  [referring, "log.levl", "--set log.levl: there is no field log.levl; did you mean log.level?"],
  [eitherOr, "colour", "--set colour: there is no field colour; the fields are: a, level, lines."],
  [endless, "colour", "--set colour: there is no field colour; the fields are: a, level, lines."],
  [
    { ...plain, unevaluatedProperties: false },
    "colour",
    "--set colour: there is no field colour; the fields are: level, lines.",
  ],
])("%j refuses %s", (schema, key, says) => {
  expect(checked(schema, key)).toBe(says);
});

test("a schema that is too large to search accepts any key", () => {
  expect(checked(vast, "colour")).toEqual([]);
});

test("if any key is allowed, a key that looks mistyped causes a warning", () => {
  const open = { ...of({ portRange: text }), additionalProperties: true };
  expect(checked(open, "port")).toEqual(["port"]);
  expect(checked(open, "portRagne")).toEqual(["portRagne"]);
});

test("a key unlike any other causes one warning", () => {
  expect(checked(plain, "colour")).toEqual(["colour"]);
  expect(checked(tree, "place.city")).toEqual(["place"]);
  const paths = [
    ["place", "city"],
    ["place", "street"],
  ];
  expect(checkKeys({}, paths, [tree])).toMatchObject([{ place: ["place"] }]);
  expect(checkKeys({}, paths, [])).toEqual([]);
});

test("a key that one of several schemas has is not a mistake", () => {
  const other = of({ leve: text });
  expect(checkKeys({}, [["leve"]], [plain, other])).toEqual([]);
  expect(() => checkKeys({}, [["levl"]], [plain, other])).toThrow("did you mean level?");
});

test("a key is refused only if every schema refuses it", () => {
  const map = { ...plain, additionalProperties: text };
  const open = { ...of({ level: text }), additionalProperties: true };
  for (const [schemas, warned] of [
    [[closed, map], []],
    [[closed, open], [["levle"]]],
    [[open, closed], [["levle"]]],
  ] as const) {
    expect(checkKeys({}, [["levle"]], schemas).map(({ place }) => place)).toEqual(warned);
  }
  expect(() => checkKeys({}, [["levle"]], [plain, closed])).toThrow("did you mean level?");
  const [doubtful] = checkKeys({}, [["levle"]], [plain, closed], true);
  expect(doubtful?.place).toEqual(["levle"]);
});

test("a mistyped key is a usage error before anything runs; an undeclared key causes a warning", async () => {
  const world = await openWorld();
  const run = ["actions", "run", "log-collector", "set-level"];
  for (const more of [["--queue"], ["--payload", "{}"]]) {
    expect(await world.run("--server", [...run, ...more, "--set", "levle=warn"])).toMatchObject(
      failing(2, "did you mean level?"),
    );
  }
  const json = await world.run("--server", [...run, "--set", "levle=warn", "-o", "json"]);
  expect(JSON.parse(json.stderr).error).toMatchObject({
    code: "PAYLOAD_INVALID",
    details: { issues: [{ path: "levle" }] },
  });
  expect(await world.executions()).toEqual([]);
  expect((await world.run("--server", [...run, "--set", "colour=red"])).status).toBe(0);
});

test("a key like a required field that is missing is a mistake, even if any key is allowed", () => {
  const open = of({ version: text }, { required: ["version"], additionalProperties: true });
  expect(checked(open, "vrsion")).toContain("there is no field vrsion; did you mean version?");
  expect(checked(open, "vrsion", { version: "1" })).toEqual(["vrsion"]);
  const both = checkKeys({}, [["vrsion"], ["version"]], [open]);
  expect(both).toMatchObject([{ place: ["vrsion"], similar: ["version"] }]);
});
