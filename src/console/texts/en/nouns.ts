// Texts that all nouns share. The texts of one noun are in its description (src/api); a translation
// replaces them in `words`.

import type { NounWords } from "../../nouns/with-words.ts";

const words: NounWords = {};

export const nouns = {
  words,
  create: (one: string) => `Create ${one}`,
  created: (title: string) => `${title} was created.`,
  shownOnce: "Copy it now: it is shown only once.",
  asks: (verb: string) => `${verb} {title}?`,
  done: (verb: string, title: string) => `Done: ${verb} ${title}.`,
  type: (one: string) => `Type the name of the ${one} to confirm`,
  unknown: (one: string) => `No ${one} found.`,
  dropFilter: (filter: string) => `Remove the filter ${filter}`,
};
