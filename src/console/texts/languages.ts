// The languages of the console. Each except English has a file of its own.

import type { Catalogue } from "./index.ts";

export interface Language {
  /** BCP 47 */
  code: string;
  /** In the language itself. */
  name: string;
  /** Browsers load the file when needed. English is part of the console. */
  load?: () => Promise<{ default: Catalogue }>;
}

export const english: Language = { code: "en", name: "English" };

export const languages: readonly Language[] = [
  english,
  { code: "de", name: "Deutsch", load: () => import("./de.json") },
  { code: "zh-Hans", name: "简体中文", load: () => import("./zh-Hans.json") },
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
