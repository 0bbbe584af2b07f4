// Compares the console's translations with the English texts: the same texts, with the same
// arguments, a text for everything that the pages of nouns show, and the same error codes.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Noun } from "../src/api/contract/noun.ts";
import { nouns } from "../src/api/contract/nouns.ts";
import { notReadyReasons } from "../src/api/system.ts";
import { type NounTexts, withTexts } from "../src/console/nouns/with-texts.ts";
import { en } from "../src/console/texts/en.ts";
import { type Part, parse, type TextTree } from "../src/console/texts/messages.ts";
import { isErrorCode } from "../src/domain/errors.ts";

/** Returns what is wrong with a translation, by text: `audit.title: is missing`. */
export function findInTexts(own: TextTree, english: TextTree, place = ""): string[] {
  const unknown = Object.keys(own).filter((name) => !Object.hasOwn(english, name));
  const known = Object.entries(english).flatMap(([name, original]): string[] => {
    const text = own[name];
    const path = `${place}${name}`;
    if (text === undefined) return [`${path}: is missing`];
    if (typeof original === "string" && typeof text === "string") {
      return findInMessage(text, original).map((problem) => `${path}: ${problem}`);
    }
    if (typeof original === "string") return [`${path}: must be a text`];
    if (typeof text === "string") return [`${path}: must have the texts of the English ${name}`];
    return findInTexts(text, original, `${path}.`);
  });
  return [...unknown.map((name) => `${place}${name}: is not an English text`), ...known];
}

function findInMessage(text: string, original: string): string[] {
  if (text.trim() === "") return ["is empty"];
  try {
    const own = argumentsOf(parse(text));
    const english = argumentsOf(parse(original));
    const missing = english.shown.filter((name) => !own.shown.includes(name));
    const unknown = own.all.filter((name) => !english.all.includes(name));
    return [
      ...missing.map((name) => `does not show {${name}}`),
      ...unknown.map((name) => `has {${name}}, which is not in the English text`),
    ];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** A plural form can depend on an argument that it does not show. */
function argumentsOf(parts: readonly Part[]): { shown: string[]; all: string[] } {
  const each = parts.map((part) => {
    if (typeof part === "string") return { shown: [], all: [] };
    const { name, forms } = part;
    if (!forms) return { shown: [name], all: [name] };
    const { shown, all } = argumentsOf(Object.values(forms).flat());
    return { shown, all: [name, ...all] };
  });
  return {
    shown: [...new Set(each.flatMap(({ shown }) => shown))],
    all: [...new Set(each.flatMap(({ all }) => all))],
  };
}

/** Returns what is wrong with the translated texts of the nouns. */
export function findInNouns(own: NounTexts, described: Readonly<Record<string, Noun>>): string[] {
  try {
    withTexts(described, own);
  } catch (error) {
    return [(error as Error).message];
  }
  return Object.values(described).flatMap((noun) =>
    placesIn(noun)
      .filter((steps) => !has(own[noun.noun], steps) && !has(own["*"], steps))
      .map((steps) => `${noun.noun}.${steps.join(".")}: is missing`),
  );
}

/** Requires the reasons why a server is not ready, and the codes that other translations have. */
export function findInProblems(own: object, others: readonly object[]): string[] {
  const needed = [own, ...others].flatMap((each) => Object.keys(each));
  return [...new Set([...notReadyReasons, ...needed])].flatMap((code) => {
    if (!Object.hasOwn(own, code)) return [`problems.${code}: is missing`];
    const isKnown = isErrorCode(code) || (notReadyReasons as readonly string[]).includes(code);
    return isKnown ? [] : [`problems.${code}: is not a code of the server`];
  });
}

function has(texts: NounTexts[string] | undefined, steps: readonly string[]): boolean {
  let at: unknown = texts;
  for (const step of steps) at = (at as NounTexts | undefined)?.[step];
  return at !== undefined;
}

/** Examples of input that are the same in all languages. */
const neutralHints = ["region=eu,!canary", "key:value", "UP, DOWN …"];

/** Returns the paths of the texts that pages show. */
function placesIn({ emptyPage, columns, details = [], filters, acts }: Noun): string[][] {
  const ofColumns = [
    ...columns.map((column) => ["columns", column] as const),
    ...details.map((column) => ["details", column] as const),
  ].flatMap(([part, { name, none, values = {} }]) => [
    [part, name, "label"],
    ...(none === undefined ? [] : [[part, name, "none"]]),
    ...Object.keys(values).map((value) => [part, name, "values", value]),
  ]);
  const ofFilters = filters.flatMap(({ name, hint, options = {} }) => [
    ["filters", name, "label"],
    ...(hint === undefined || neutralHints.includes(hint) ? [] : [["filters", name, "hint"]]),
    ...Object.keys(options).map((value) => ["filters", name, "options", value]),
  ]);
  const ofActs = Object.entries(acts).flatMap(([word, { keep, happens = {}, done }]) => [
    ["acts", word, "verb"],
    ["acts", word, "question"],
    ...(keep === undefined ? [] : [["acts", word, "keep"]]),
    ...(done === undefined ? [] : [["acts", word, "done"]]),
    ...(Array.isArray(happens)
      ? [["acts", word, "happens"]]
      : Object.keys(happens).map((status) => ["acts", word, "happens", status])),
  ]);
  const own = ["one", "title", "lead", ...(emptyPage === undefined ? [] : ["emptyPage"])];
  return [...own.map((name) => [name]), ...ofColumns, ...ofFilters, ...ofActs];
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, "../src/console/texts");
  const problems = findInTexts(en, en).map((problem) => `en.ts: ${problem}`);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const catalogues = files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const translated = catalogues.map((catalogue) => catalogue.problems);
  for (const [index, catalogue] of catalogues.entries()) {
    const found = [
      ...findInTexts(catalogue.texts, en),
      ...findInNouns(catalogue.nouns, nouns),
      ...findInProblems(catalogue.problems, translated),
    ];
    problems.push(...found.map((problem) => `${files[index]}: ${problem}`));
  }
  for (const problem of problems) console.error(`src/console/texts/${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
