import { texts } from "../texts/index.ts";

const { format } = new Intl.ListFormat(texts.locale);

/** `a, b and c` */
export function namedList(names: readonly string[]): string {
  return format(names);
}
