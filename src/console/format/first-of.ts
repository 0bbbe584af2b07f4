import { texts } from "../texts/index.ts";

/** Returns `web-1, web-2 and 3 more`. */
export function firstOf(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(texts.words.comma);
  const rest = names.length - most;
  return rest > 0 ? texts.selection.andMore({ titles: shown, many: rest }) : shown;
}
