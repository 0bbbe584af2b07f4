// Says why JSON is not sent as it is written.

import type { Inexact } from "../client/exact-json.ts";
import { texts } from "../texts/index.ts";

/** More of a number or a name than this helps nobody. */
const maxShown = 40;

export function inexactText(inexact: Inexact): string {
  return inexact.kind === "number"
    ? texts.inexactJson.number(short(inexact.written))
    : texts.inexactJson.twice(short(inexact.name));
}

function short(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
