import { expect, test } from "vitest";
import {
  actionSearches,
  bestOf,
  fit,
  fitOfName,
  idsMeant,
  searchedNounNames,
  searchWords,
} from "../../src/domain/search.ts";

test.each([
  ["  web   3 ", ["web", "3"]],
  ["a b c d e f", ["a", "b", "c", "d e f"]],
  ["   ", []],
])("the words of %j", (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

test.each([
  ["cmd_01k0abc", [{ noun: "commands", id: "cmd_01K0ABC" }]],
  ["CMD_0", [{ noun: "commands", id: "cmd_0" }]],
  ["xyz_01K0ABC", []],
  ["cmd_", []],
  ["01k0a", []],
  ["production", []],
  ["web-3", []],
])("%j can be the beginning of an id", (text, ids) => {
  expect(idsMeant(text)).toEqual(ids);
});

test("an id without its prefix can belong to any noun", () => {
  const meant = idsMeant("01k0abc");
  expect(meant.map(({ noun }) => noun)).toEqual(searchedNounNames);
  expect(meant[0]).toEqual({ noun: "services", id: "svc_01K0ABC" });
});

test("an action can be named before or after its service", () => {
  expect(actionSearches(["web-3"])).toEqual([]);
  expect(actionSearches(["clear", "cache", "web-3"])).toEqual([
    { action: ["clear"], service: ["cache", "web-3"] },
    { action: ["web-3"], service: ["clear", "cache"] },
    { action: ["clear", "cache"], service: ["web-3"] },
    { action: ["cache", "web-3"], service: ["clear"] },
  ]);
});

test.each([
  ["clear-cache", ["clear", "cache"], fit.exact],
  ["Restart", ["restart"], fit.exact],
  ["restart", ["rest"], fit.code],
  ["service.restart", ["restart"], fit.part],
  ["restart", ["stop"], null],
])("how well the action %s matches %j", (name, words, expected) => {
  expect(fitOfName(name, words)).toBe(expected);
});

test("one noun takes more than half of the places only if no other has results", () => {
  const services = Array.from({ length: 6 }, (_, n) => ({ noun: "services", fit: 1, n }));
  const agents = [{ noun: "agents", fit: 3, n: 6 }];
  const kept = bestOf([...services, ...agents], 4).map(({ n }) => n);
  expect(kept).toEqual([0, 1, 2, 6]);
  expect(bestOf(services, 4).map(({ n }) => n)).toEqual([0, 1, 2, 3]);
});
