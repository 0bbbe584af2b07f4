// The console's texts in the chosen language. Modules read them when they are loaded, so main.ts
// sets the language before it loads the others.

import type { NounTexts } from "../nouns/with-texts.ts";
import { en } from "./en.ts";
import { type TextsOf, type TextTree, textsIn } from "./messages.ts";

export type Texts = TextsOf<typeof en>;

/** The file of a language other than English. */
export interface Catalogue {
  /** The same names as in en.ts, with the same arguments in their texts. */
  texts: { locale: string } & TextTree;
  /** Replaces the texts of the nouns' descriptions in src/api. */
  nouns: NounTexts;
  /** Replaces the server's messages, by error code or by the reason why the server is not ready. */
  problems: Readonly<Record<string, string>>;
}

export let texts: Texts = textsIn(en.locale, en, en);
export let nounTexts: NounTexts = {};
let problems: Catalogue["problems"] = {};

export function setTexts(catalogue: Catalogue): void {
  texts = textsIn(catalogue.texts.locale, catalogue.texts, en);
  nounTexts = catalogue.nouns;
  problems = catalogue.problems;
}

/** Returns the translation for the code, or the server's message if there is none. */
export function problemText(code: string | undefined, message: string): string {
  return code !== undefined && Object.hasOwn(problems, code)
    ? (problems[code] ?? message)
    : message;
}
