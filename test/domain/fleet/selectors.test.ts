import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatSelector,
  isSelected,
  parseSelector,
  SelectorError,
} from "../../../src/domain/fleet/selectors.ts";
import { anyCharacter } from "../../helpers/any-character.ts";

/** The columns of the table below, in their order. */
const things: Record<string, string>[] = [
  {},
  { region: "eu" },
  { region: "us", tier: "web" },
  { region: "eu", tier: "web" },
  { region: "eu", tier: "api", canary: "yes" },
  { tier: "db", canary: "" },
  { region: "", "example.org/team": "ops" },
  { owner: "Ann, Ops", größe: "groß" },
];

/** For each selector, `x` marks the things that it selects. */
const selections: [selector: string, selected: string][] = [
  ["", "xxxxxxxx"],
  ["region=eu", ".x.xx..."],
  ["region==eu", ".x.xx..."],
  [" region = eu ", ".x.xx..."],
  ["region!=eu", "x.x..xxx"],
  ["region", ".xxxx.x."],
  ["!region", "x....x.x"],
  ["region in (eu,us)", ".xxxx..."],
  ["region=", "......x."],
  ["region!=", "xxxxxx.x"],
  ["region=eu,tier=web", "...x...."],
  ["region=eu,tier in (web,api),!canary", "...x...."],
  ["region=eu,region=us", "........"],
  ["tier,!canary", "..xx...."],
  ["example.org/team=ops", "......x."],
  ['owner="Ann, Ops"', ".......x"],
  ['owner in ("Ann, Ops",Bob)', ".......x"],
  ['"owner"', ".......x"],
  ["größe=groß", ".......x"],
  ['"region"="eu"', ".x.xx..."],
  ["in", "........"],
  ["notin notin (x)", "xxxxxxxx"],
  ["toString", "........"],
  ["!constructor", "xxxxxxxx"],
];

describe("a selector", () => {
  it.each(selections)("%j selects the things marked in %s", (selector, selected) => {
    const parsed = parseSelector(selector);
    expect(things.map((labels) => (isSelected(parsed, labels) ? "x" : ".")).join("")).toBe(
      selected,
    );
  });

  it.each([
    ["region=eu,", "needs the key of a label at its end"],
    [",region", 'needs the key of a label before ","'],
    ["region=eu tier=web", 'needs "," before "tier"'],
    ["tier=my web", 'needs "," before "web"; if it is one value, write "my web"'],
    ["tier=web and env=prod", 'needs "," before "and"'],
    ["tier=web in (eu)", 'needs "," before "in"'],
    ["tier in (web notin)", 'needs "," or ")" before "notin"'],
    ["tier='web'", 'has \' at character 6; write quotation marks as in tier="web 1"'],
    ["tier=“web”", 'has “ at character 6; write quotation marks as in tier="web 1"'],
    ["region in eu", 'needs "(" before "eu"'],
    ["region in (eu", 'needs "," or ")" at its end'],
    ["region in (eu us)", 'needs "," or ")" before "us"; if it is one value, write "eu us"'],
    ["region=(eu)", 'needs a value before "("'],
    ["!region=eu", 'needs "," before "="'],
    ['""=eu', "must not have an empty label key"],
    ['"region', "has a quotation mark without an end at character 1"],
    ['region="e\\x"', 'has an invalid string "e\\x"; write it as in JSON'],
    ["count>3", "cannot compare with >; use =, !=, in or notin"],
    [
      "region = e*",
      'has an unexpected "*" at character 11; write labels with such characters in quotation marks',
    ],
    ["region:eu", 'has region:eu; write region=eu, or "region:eu"'],
    [Array.from({ length: 21 }, (_, n) => `a${n}`).join(), "must have at most 20 requirements"],
    [`a in (${Array.from({ length: 101 }, (_, n) => n).join()})`, "must have at most 100 values"],
  ])("refuses %s", (selector, message) => {
    expect(() => parseSelector(selector)).toThrow(new SelectorError(message));
  });

  it("keeps its meaning when it is written again", () => {
    const text = fc.string({ maxLength: 8, unit: anyCharacter });
    const requirement = fc.oneof(
      fc.record({
        key: fc.string({ minLength: 1, maxLength: 8, unit: anyCharacter }),
        operator: fc.constantFrom("in" as const, "notIn" as const),
        values: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
      }),
      fc.record({
        key: fc.string({ minLength: 1, maxLength: 8, unit: anyCharacter }),
        operator: fc.constantFrom("exists" as const, "missing" as const),
        values: fc.constant([]),
      }),
    );
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 5 }), (selector) => {
        expect(parseSelector(formatSelector(selector))).toEqual(selector);
      }),
    );
  });

  it("reads any text, or says what is wrong with it", () => {
    const piece = fc.constantFrom("in", "notin", "!=", ...'a(),=! "*:');
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        (text) => {
          try {
            const selector = parseSelector(text);
            expect(parseSelector(formatSelector(selector))).toEqual(selector);
          } catch (error) {
            expect((error as Error).constructor.name).toBe("SelectorError");
          }
        },
      ),
    );
  });
});
