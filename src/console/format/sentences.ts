import { texts } from "../texts/index.ts";

/** Chinese has no space between sentences. */
const between = texts.locale.startsWith("zh") ? "" : " ";

/** Joins the sentences, without those that are missing. */
export function sentences(all: readonly (string | false | null | undefined)[]): string {
  return all.filter(Boolean).join(between);
}
