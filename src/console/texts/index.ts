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
}

export let texts: Texts = textsIn(en.locale, en, en);
export let nounTexts: NounTexts = {};

export function setTexts(catalogue: Catalogue): void {
  texts = textsIn(catalogue.texts.locale, catalogue.texts, en);
  nounTexts = catalogue.nouns;
}
