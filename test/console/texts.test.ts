// Tests that each language has all texts of the console, with the right forms for amounts.

import type { ReactElement } from "react";
import { describe, expect, test } from "vitest";
import type { Noun } from "../../src/api/contract/noun.ts";
import { nouns } from "../../src/api/contract/nouns.ts";
import { Sentence } from "../../src/console/components/sentence.tsx";
import { withWords } from "../../src/console/nouns/with-words.ts";
import { type Amount, amountsIn } from "../../src/console/texts/amounts.ts";
import * as en from "../../src/console/texts/en/index.ts";
import type { Texts } from "../../src/console/texts/index.ts";
import { languageFor, languages } from "../../src/console/texts/languages.ts";
import { leavesOf, unusedTexts, usedIn } from "./used-texts.ts";

type TextFunction = (...values: unknown[]) => unknown;

const loaded: Record<string, Texts> = Object.fromEntries(
  await Promise.all(languages.map(async ({ code, load }) => [code, await load()])),
);
/** A translation replaces texts of nouns by path, so its keys differ. */
const isNounWord = (path: string) => path.startsWith("nouns.words.");
const textsOf = (texts: Texts) =>
  new Map(
    leavesOf(texts)
      .map(([path, text]) => [path.join("."), text] as const)
      .filter(([path]) => !isNounWord(path)),
  );
const english = textsOf(en);

describe.each(Object.keys(loaded))("in %s", (code) => {
  const texts = loaded[code] as Texts;
  const own = textsOf(texts);

  test("there are all texts, and no others", () => {
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of own) {
      const original = english.get(path);
      expect(typeof text, path).toBe(typeof original);
      if (typeof text === "function")
        expect(text.length, path).toBe((original as TextFunction).length);
      if (Array.isArray(text)) expect(text.length, path).toBe((original as unknown[]).length);
    }
  });

  test("no text is empty, and each has the values of the English one", () => {
    for (const [path, text] of own) {
      const shown = shownText(text);
      expect(shown.trim(), path).not.toBe("");
      expect(valuesIn(shown), path).toEqual(valuesIn(shownText(english.get(path))));
    }
  });

  test.skipIf(code === "en")("no text of several words is the English one", () => {
    const words = (text: string) => text.match(/\p{L}+/gu)?.length ?? 0;
    const left = [...own].flatMap(([path, text]) => {
      const shown = shownText(text);
      return shown === shownText(english.get(path)) && words(shown) > 1 ? path : [];
    });
    expect(left.filter((path) => !sameInAll.includes(path))).toEqual([]);
  });

  test("amounts leave no signs of their templates", () => {
    // These take lists of words.
    const others = ["approvals.needed.text", "schemaForm.issues.type"];
    for (const [path, text] of own) {
      if (typeof text !== "function" || others.includes(path)) continue;
      for (const amount of [0, 1, 2, 1234]) {
        const shown = String((text as TextFunction)(...Array(text.length).fill(amount)));
        expect(shown, path).not.toMatch(/#|undefined|NaN|\[object/);
      }
    }
  });

  test("texts exist for everything that the pages of nouns show", () => {
    const { words } = texts.nouns;
    expect(() => withWords(nouns, words)).not.toThrow();
    if (code === "en") return;
    const missing = Object.values(nouns as Record<string, Noun>)
      .flatMap(pathsOfNoun)
      .filter((path) => !(path in words) && !(path.replace(/^[^.]+/, "*") in words));
    expect(missing).toEqual([]);
  });
});

/** Names and examples of input. "Position" is a German word, too. */
const sameInAll = [
  "audit.verify.anchorSeq",
  "busRoutes.fromHint.pointer",
  "busRoutes.kinds.pointer",
  "palette.hint",
  "registrationTokens.once.exampleCode",
  "settings.diagnostics.names.node",
];

/** An argument that shows where it is used. It can also be a list. */
const marked = (_: unknown, place: number) => [`⟨${place}⟩`];

function shownText(text: unknown): string {
  if (typeof text !== "function") return String(text);
  return String((text as TextFunction)(...Array.from({ length: text.length }, marked)));
}

function valuesIn(text: string): string[] {
  return [...new Set(text.match(/⟨\d⟩|\{\w+\}/g))].sort();
}

/** Examples of input that are the same in all languages. */
const neutralHints = ["region=eu,!canary", "key:value", "UP, DOWN …"];

function pathsOfNoun({ noun, emptyPage, columns, details = [], filters, acts }: Noun): string[] {
  const ofColumns = [
    ...columns.map((column) => ["columns", column] as const),
    ...details.map((column) => ["details", column] as const),
  ].flatMap(([part, { name, none, values = {} }]) => [
    `${part}.${name}.label`,
    ...(none === undefined ? [] : [`${part}.${name}.none`]),
    ...Object.keys(values).map((value) => `${part}.${name}.values.${value}`),
  ]);
  const ofFilters = filters.flatMap(({ name, hint, options = {} }) => [
    `filters.${name}.label`,
    ...(hint === undefined || neutralHints.includes(hint) ? [] : [`filters.${name}.hint`]),
    ...Object.keys(options).map((value) => `filters.${name}.options.${value}`),
  ]);
  const ofActs = Object.entries(acts).flatMap(([word, { keep, happens = {}, done }]) => [
    `acts.${word}.verb`,
    `acts.${word}.question`,
    ...(keep === undefined ? [] : [`acts.${word}.keep`]),
    ...(done === undefined ? [] : [`acts.${word}.done`]),
    ...(Array.isArray(happens)
      ? [`acts.${word}.happens`]
      : Object.keys(happens).map((status) => `acts.${word}.happens.${status}`)),
  ]);
  const own = ["one", "title", "lead", ...(emptyPage === undefined ? [] : ["emptyPage"])];
  return [...own, ...ofColumns, ...ofFilters, ...ofActs].map((path) => `${noun}.${path}`);
}

const bound = (code: string) => loaded[code]?.words.moreThan(10_000) ?? "";

test.each<[string, Amount, string, string]>([
  ["en", 0, "0 services are healthy", "All 0 events in the audit trail"],
  ["en", 1, "1 service is healthy", "1 event in the audit trail"],
  ["en", 2, "2 services are healthy", "All 2 events in the audit trail"],
  ["en", 1234, "1,234 services are healthy", "All 1,234 events in the audit trail"],
  [
    "en",
    bound("en"),
    "more than 10,000 services are healthy",
    "All events (more than 10,000) in the audit trail",
  ],
  ["de", 0, "0 Dienste sind HEALTHY", "Alle 0 Ereignisse im Prüfprotokoll"],
  ["de", 1, "1 Dienst ist HEALTHY", "1 Ereignis im Prüfprotokoll"],
  ["de", 2, "2 Dienste sind HEALTHY", "Alle 2 Ereignisse im Prüfprotokoll"],
  ["de", 1234, "1.234 Dienste sind HEALTHY", "Alle 1.234 Ereignisse im Prüfprotokoll"],
  [
    "de",
    bound("de"),
    "mehr als 10.000 Dienste sind HEALTHY",
    "Alle Ereignisse (mehr als 10.000) im Prüfprotokoll",
  ],
  ["zh-Hans", 0, "0 个服务健康", "审计记录中的全部 0 条事件"],
  ["zh-Hans", 1, "1 个服务健康", "审计记录中的全部 1 条事件"],
  ["zh-Hans", 1234, "1,234 个服务健康", "审计记录中的全部 1,234 条事件"],
  ["zh-Hans", bound("zh-Hans"), "超过 10,000 个服务健康", "审计记录中的全部事件（超过 10,000 条）"],
])("in %s, %s has the right form", (code, amount, healthy, events) => {
  expect(loaded[code]?.attention.healthy(amount)).toBe(healthy);
  expect(loaded[code]?.auditTrail.all(amount)).toBe(events);
});

test("each language is tested with amounts", () => {
  expect(Object.keys(loaded)).toEqual(["en", "de", "zh-Hans"]);
});

test("a language can have more forms than English, and leave out those that do not differ", () => {
  const polish = amountsIn("pl");
  const forms = { one: "# plik", few: "# pliki", many: "# plików", other: "# pliku" };
  expect([1, 2, 5, 22, 1.5].map((many) => polish.plural(many, forms))).toEqual([
    ...["1 plik", "2 pliki", "5 plików", "22 pliki", "1,5 pliku"],
  ]);
  expect(amountsIn("zh-Hans").plural(1, { one: "not used", other: "# 个服务" })).toBe("1 个服务");
  expect(amountsIn("en").plural(1, { other: "#, #" })).toBe("1, 1");
  expect(amountsIn("en").plural("more than $&", { one: "one", other: "# rows" })).toBe(
    "more than $& rows",
  );
});

test.each([
  [["de-AT"], "de"],
  [["fr", "de", "en"], "de"],
  [["en-US", "de"], "en"],
  [["en-US@posix", "de"], "de"],
  [["zh-CN"], "zh-Hans"],
  [["zh"], "zh-Hans"],
  [["zh-TW"], "en"],
  [["zh-TW", "zh-SG"], "zh-Hans"],
  [["fr"], "en"],
  [[], "en"],
])("a browser that prefers %j gets %s", (tags, code) => {
  expect(languageFor(tags).code).toBe(code);
});

test("a sentence has its parts where the text names them", () => {
  const { props } = Sentence({
    text: "{agent} since {time}, {nothing}!",
    parts: { time: 7, agent: "edge" },
  }) as ReactElement<{ children: unknown[] }>;
  expect(props.children).toEqual(["", "edge", " since ", 7, ", ", undefined, "!"]);
});

test("the console uses all texts", () => {
  expect(unusedTexts(en)).toEqual([]);
});

test("the search for unused texts follows constants, and takes what it cannot follow as used", () => {
  const source = `
    import { texts } from "./texts/index.ts";
    const words = texts.one;
    export const { exported } = texts.two;
    const table = texts.three;
    function shown({ label = texts.four.byDefault }, key) {
      const { title, inner: { deep }, ...rest } = words;
      call(table);
      return <p title={title}>{words[key].name}{deep}{rest.last}{texts.five.list.map(String)}</p>;
    }
    const unused = texts.six.unused;
  `;
  const used = usedIn("x.tsx", source).map((path) => path.join("."));
  expect([...new Set(used)].sort()).toEqual([
    ...["five.list.map", "four.byDefault", "one.*.name", "one.inner.deep", "one.last"],
    ...["one.title", "three", "two.exported"],
  ]);
});
