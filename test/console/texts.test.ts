// Tests the texts of the console in each language, and the messages that they consist of.
// `npm run check:texts` compares the translations with the English texts.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReactElement } from "react";
import { describe, expect, test } from "vitest";
import { projectFolder } from "../../scripts/build/project.ts";
import { Sentence } from "../../src/console/components/text/sentence.tsx";
import { en } from "../../src/console/texts/en.ts";
import type { Texts } from "../../src/console/texts/index.ts";
import { languageFor, languages } from "../../src/console/texts/languages.ts";
import { type Amount, textsIn } from "../../src/console/texts/messages.ts";

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

function leavesOf(texts: object, path: string[] = []): [path: string[], text: unknown][] {
  return Object.entries(texts).flatMap(([key, text]): [string[], unknown][] =>
    typeof text === "object" && text !== null && !Array.isArray(text)
      ? leavesOf(text, [...path, key])
      : [[[...path, key], text]],
  );
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

/**
 * Texts that may be the same in all languages: names and examples of input. "Position" is a German
 * word, too.
 */
const sameInAll = [
  "audit.verify.anchorSeq",
  "busRoutes.fromHint.pointer",
  "busRoutes.kinds.pointer",
  "palette.hint",
  "registrationTokens.once.exampleCode",
  "settings.diagnostics.names.node",
];

const bound = (code: string) => textsOf(code).words.moreThan({ total: 10_000 });

test.each<[string, Amount, string]>([
  ["en", 1, "1 service is healthy"],
  ["de", 1234, "1.234 Dienste sind gesund"],
  ["de", bound("de"), "mehr als 10.000 Dienste sind gesund"],
  ["zh-Hans", 1, "1 个服务健康"],
])("in %s, %s has the right form", (code, many, healthy) => {
  expect(textsOf(code).attention.healthy({ many })).toBe(healthy);
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
});

test.each([
  [["de-AT"], "de"],
  [["fr", "de", "en"], "de"],
  [["en-US@posix", "de"], "de"],
  [["zh-CN"], "zh-Hans"],
  [["zh-TW", "zh-SG"], "zh-Hans"],
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

test("the sources name the key of each text", () => {
  const files = globSync("src/{api,console,core,domain}/**/*.{ts,tsx}", { cwd: projectFolder });
  const words = new Set(
    files
      .filter((file) => !file.startsWith("src/console/texts/"))
      .flatMap((file) => [
        ...new Set(readFileSync(join(projectFolder, file), "utf8").split(/\W+/)),
      ]),
  );
  const paths = leavesOf(en).map(([path]) => path.join("."));
  const isNamed = (path: string) => words.has(/\w+$/.exec(path)?.[0] ?? "") || /\d$/.test(path);
  expect(paths.filter((path) => !isNamed(path))).toEqual([]);
});
