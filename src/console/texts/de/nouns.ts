import type { Texts } from "../index.ts";
import { nounWords } from "./noun-words.ts";

export const nouns: Texts["nouns"] = {
  words: nounWords,
  create: (one) => `${one} erstellen`,
  created: (title) => `${title} wurde erstellt.`,
  shownOnce: "Kopieren Sie es jetzt: Es wird nur einmal angezeigt.",
  asks: (verb) => `${verb}: {title}?`,
  done: (verb, title) => `Erledigt: ${verb}, ${title}.`,
  type: (one) => `Geben Sie zur Bestätigung den Namen ein (${one})`,
  unknown: (one) => `${one}: nichts gefunden.`,
  dropFilter: (filter) => `Filter ${filter} entfernen`,
};
