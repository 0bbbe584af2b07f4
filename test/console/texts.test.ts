// Tests the texts of the console in each language, and the messages that they consist of.
// `npm run check:texts` compares the translations with the English texts.

import type { ReactElement } from "react";
import { describe, expect, expectTypeOf, test } from "vitest";
import { Sentence } from "../../src/console/components/sentence.tsx";
import { en } from "../../src/console/texts/en.ts";
import type { Texts } from "../../src/console/texts/index.ts";
import { languageFor, languages } from "../../src/console/texts/languages.ts";
import { type Amount, textsIn } from "../../src/console/texts/messages.ts";
import { leavesOf, unusedTexts, usedIn } from "./used-texts.ts";

const catalogues = new Map(
  await Promise.all(
    languages.map(async ({ code, load }) => {
      const { texts } = load ? (await load()).default : { texts: en };
      return [code, texts] as const;
    }),
  ),
);

function textsOf(code: string): Texts {
  const own = catalogues.get(code) ?? en;
  return textsIn(own.locale, own, en);
}

const english = new Map(leavesOf(en).map(([path, text]) => [path.join("."), text]));

test.each(languages.filter(({ load }) => load))(
  "in $code, no text of several words is the English one",
  ({ code }) => {
    const words = (text: string) => text.match(/\p{L}+/gu)?.length ?? 0;
    const left = leavesOf(catalogues.get(code) ?? {}).flatMap(([steps, text]) => {
      const path = steps.join(".");
      const said = String(text).replace(/\{\w+/g, "");
      return text === english.get(path) && words(said) > 1 ? path : [];
    });
    expect(left.filter((path) => !sameInAll.includes(path))).toEqual([]);
  },
);

/** Names and examples of input. "Position" is a German word, too. */
const sameInAll = [
  "audit.verify.anchorSeq",
  "busRoutes.fromHint.pointer",
  "busRoutes.kinds.pointer",
  "palette.hint",
  "registrationTokens.once.exampleCode",
  "settings.diagnostics.names.node",
];

const bound = (code: string) => textsOf(code).words.moreThan({ total: 10_000 });

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
  const { attention, auditTrail } = textsOf(code);
  expect(attention.healthy({ many: amount })).toBe(healthy);
  expect(auditTrail.all({ total: amount })).toBe(events);
});

test("each language is tested with amounts", () => {
  expect([...catalogues.keys()]).toEqual(["en", "de", "zh-Hans"]);
});

describe("a message", () => {
  const shown = (locale: string, message: string, english = message) =>
    textsIn(locale, { message }, { message: english }).message as never as (
      values: Record<string, Amount>,
    ) => string;

  test("can have other forms than the English one", () => {
    const polish = "{many, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}";
    const many = shown("pl", polish, "{many, plural, one {# file} other {# files}}");
    expect([1, 2, 5, 22, 1.5].map((amount) => many({ many: amount }))).toEqual([
      ...["1 plik", "2 pliki", "5 plików", "22 pliki", "1,5 pliku"],
    ]);
    expect(shown("zh-Hans", "{many} 个服务", "{many, plural, other {#}}")({ many: 1 })).toBe(
      "1 个服务",
    );
    expect(shown("zh-Hans", "以下密钥：", "{many, plural, other {#}}")({ many: 1 })).toBe(
      "以下密钥：",
    );
  });

  test.each<[string, Record<string, Amount>, string]>([
    ["{first} to {last}", { first: 1, last: 1234 }, "1 to 1,234"],
    ["{last} from {first}", { first: "{last} #", last: "$&" }, "$& from {last} #"],
    ["{n, plural, =0 {none} =1 {only {name}} other {#, #}}", { n: 0, name: "a" }, "none"],
    ["{n, plural, =0 {none} =1 {only {name}} other {#, #}}", { n: 1, name: "a" }, "only a"],
    [
      "{n, plural, =0 {none} =1 {only {name}} other {#, #}}",
      { n: 1e4, name: "a" },
      "10,000, 10,000",
    ],
    ["{n, plural, one {one} other {# rows}}", { n: "more than 10,000" }, "more than 10,000 rows"],
    [
      "{a, plural, one {# a} other {{b, plural, one {# b} other {# bs}} of #}}",
      { a: 3, b: 1 },
      "1 b of 3",
    ],
    ["#{n}: it's {n}", { n: 5 }, "#5: it's 5"],
  ])("%s with %j is %s", (message, values, text) => {
    expect(shown("en", message)(values)).toBe(text);
  });

  test.each([
    "{",
    "}",
    "{}",
    "{ name }",
    "{name",
    "{name}}",
    "{n, number}",
    "{n, plural, one {# row}}",
    "{n, plural, one {# row} other {# rows}",
    "{n, plural, one # other {#}}",
  ])("cannot be %s", (message) => {
    expect(() => shown("en", message, "{n}")).toThrow("cannot be read");
  });

  test("has the arguments of the English text as its type", () => {
    const texts = textsIn("en", {}, {
      plain: "One row",
      named: "{first} to {last}",
      forms:
        "{a, plural, =0 {no {x}} one {# {y}} other {{b, plural, other {item}} # of {z}}} in {c}",
    } as const);
    expectTypeOf(texts.plain).toEqualTypeOf<string>();
    type Arguments<M> = M extends (values: infer Values) => string ? keyof Values : never;
    expectTypeOf<Arguments<typeof texts.named>>().toEqualTypeOf<"first" | "last">();
    expectTypeOf<Arguments<typeof texts.forms>>().toEqualTypeOf<
      "a" | "b" | "c" | "x" | "y" | "z"
    >();
    expect(texts.forms({ a: 2, b: 1, c: "C", x: "X", y: "Y", z: "Z" })).toBe("item 2 of Z in C");
  });
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
  const { text } = textsIn("en", {}, { text: "{agent} since {time}, {nothing}!" } as const);
  const { props } = Sentence({
    text,
    parts: { time: 7, agent: "edge", nothing: undefined },
  }) as ReactElement<{ children: unknown[] }>;
  expect(props.children).toEqual(["edge", " since ", "7", ", ", undefined, "!"]);
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
