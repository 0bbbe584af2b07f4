// The languages of the console. Each has a folder with the same structure as `en`.

import * as en from "./en/index.ts";
import type { Texts } from "./index.ts";

export interface Language {
  /** BCP 47 */
  code: string;
  /** In the language itself. */
  name: string;
  /** All languages except English are files of their own, which browsers load when needed. */
  load: () => Promise<Texts>;
}

export const english: Language = { code: "en", name: "English", load: async () => en };

export const languages: readonly Language[] = [
  english,
  { code: "de", name: "Deutsch", load: () => import("./de/index.ts") },
  { code: "zh-Hans", name: "简体中文", load: () => import("./zh-Hans/index.ts") },
];

/**
 * Returns the language of the first tag that has one: `de-AT` means German. A language in another
 * script does not count: `zh-TW` does not mean simplified Chinese.
 */
export function languageFor(tags: readonly string[]): Language {
  for (const tag of tags) {
    const found = languages.find(({ code }) => writtenIn(code) === writtenIn(tag));
    if (found) return found;
  }
  return english;
}

/** Returns `de-Latn`, or null if the tag is not valid. */
function writtenIn(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // Browsers also report tags such as `en-US@posix`.
    return null;
  }
}
