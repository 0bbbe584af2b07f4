// Chooses the console's language: the user's choice in this browser, or else the language that the
// browser prefers.

import { keep, readKept } from "../components/kept.ts";
import { setTexts, texts } from "./index.ts";
import { english, type Language, languageFor, languages } from "./languages.ts";

let shown: Language = english;

export function shownLanguage(): Language {
  return shown;
}

/** Must be called before the modules that read texts are loaded. Shows English if this fails. */
export async function loadTexts(): Promise<void> {
  const wanted = languages.find(({ code }) => code === readKept("language"));
  const language = wanted ?? languageFor(navigator.languages);
  try {
    const file = await language.load?.();
    if (file) setTexts(file.default);
    shown = language;
  } catch {
    // The file no longer exists, for example because the server has a newer console.
  }
  document.documentElement.lang = texts.locale;
}

/** Loads the page again, because modules have already read the texts. */
export function chooseLanguage(code: string): void {
  keep("language", code);
  location.reload();
}
