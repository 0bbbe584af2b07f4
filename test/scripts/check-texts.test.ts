import { expect, test } from "vitest";
import { findInNouns, findInProblems, findInTexts } from "../../scripts/check-texts.ts";
import type { Noun } from "../../src/api/contract/noun.ts";
import { notReadyReasons } from "../../src/api/system.ts";

const english = {
  title: "Agents",
  list: {
    rows: "Rows {first} to {last}",
    keys: "{many, plural, one {This key ends} other {These keys end}}",
    more: "{many, plural, one {# row} other {# rows}}",
  },
};

const german = {
  title: "Agenten",
  list: {
    rows: "Zeilen {first} bis {last}",
    keys: "Beendet wird:",
    more: "{many, plural, one {# Zeile} other {# Zeilen}}",
  },
};

test.each<[string, object, string[]]>([
  ["the same texts", {}, []],
  ["a text that is missing", { rows: undefined }, ["list.rows: is missing"]],
  ["a misspelt name", { row: "Zeilen" }, ["list.row: is not an English text"]],
  ["an empty text", { rows: " " }, ["list.rows: is empty"]],
  ["a group of texts instead of a text", { rows: {} }, ["list.rows: must be a text"]],
  ["an argument that is missing", { rows: "Zeilen {first}" }, ["list.rows: does not show {last}"]],
  [
    "a misspelt argument",
    { rows: "Zeilen {first} bis {lsat}" },
    ["list.rows: does not show {last}", "list.rows: has {lsat}, which is not in the English text"],
  ],
  [
    "an amount that only chooses a form",
    { more: "{many, plural, other {Zeilen}}" },
    ["list.more: does not show {many}"],
  ],
  ["other forms", { keys: "{many, plural, other {Beendet werden #:}}", more: "{many} Zeilen" }, []],
  [
    "a brace too many",
    { rows: "{first}} bis {last}" },
    ["list.rows: cannot be read at “} bis {last}”"],
  ],
])("%s", (_, list, problems) => {
  expect(findInTexts({ ...german, list: { ...german.list, ...list } }, english)).toEqual(problems);
});

test("a text instead of a group of texts is reported", () => {
  expect(findInTexts({ ...german, list: "Liste" }, english)).toEqual([
    "list: must have the texts of the English list",
  ]);
});

test("the pages of a noun need their texts, of which some can be for all nouns", () => {
  const agents = {
    noun: "agents",
    columns: [{ name: "code" }, { name: "role", values: { owner: "Owner" } }],
    filters: [
      { name: "q", hint: "Code" },
      { name: "selector", hint: "region=eu,!canary" },
    ],
    acts: { disable: { happens: ["It stops."] } },
  } as unknown as Noun;
  const own = {
    "*": { columns: { code: { label: "Code" } }, filters: { selector: { label: "Selektor" } } },
    agents: {
      one: "Agent",
      title: "Agenten",
      lead: "Programme",
      columns: { role: { label: "Rolle" } },
      filters: { q: { label: "Suche" } },
      acts: { disable: { verb: "Deaktivieren", question: "Deaktivieren?" } },
    },
  };
  expect(findInNouns(own, { agents })).toEqual([
    "agents.columns.role.values.owner: is missing",
    "agents.filters.q.hint: is missing",
    "agents.acts.disable.happens: is missing",
  ]);
  expect(findInNouns({ ...own, agent: {} }, { agents })).toEqual(["no noun has nouns.agent"]);
});

test("translations have the same codes, and all reasons why a server is not ready", () => {
  const [first = "", ...others] = notReadyReasons;
  const own = { ...Object.fromEntries(others.map((code) => [code, "Text"])), FORBIDEN: "Text" };
  expect(findInProblems(own, [own, { LAST_OWNER: "Text" }])).toEqual([
    `problems.${first}: is missing`,
    "problems.FORBIDEN: is not a code of the server",
    "problems.LAST_OWNER: is missing",
  ]);
});
