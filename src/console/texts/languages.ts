// The languages of the console. Each language except English has a JSON file.

import type { Catalogue } from "./index.ts";

export interface Language {
  /** The BCP 47 tag. */
  code: string;
  /** In the language itself. */
  name: string;
  /** Loads the language's file. Absent for English, which is part of the console. */
  load?: () => Promise<{ default: Catalogue }>;
}

export const english: Language = { code: "en", name: "English" };

export const languages: readonly Language[] = [
  english,
  { code: "de", name: "Deutsch", load: () => import("./de.json") },
  { code: "zh-Hans", name: "简体中文", load: () => import("./zh-Hans.json") },
];

/**
 * Returns the language that the first matching tag selects: `de-AT` matches German. The script must
 * match as well: `zh-TW` does not match simplified Chinese.
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
