import { texts } from "../texts/index.ts";

const list = new Intl.ListFormat(texts.locale);

/** Returns `a, b and c`. */
export function namedList(names: readonly string[]): string {
  return list.format(names);
}
