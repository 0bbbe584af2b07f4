// The console's texts in the chosen language. Modules read them when they are loaded, so main.ts
// sets the language before it loads the others.

import * as en from "./en/index.ts";

export type Texts = typeof en;

export let texts: Texts = en;

export function setTexts(next: Texts): void {
  texts = next;
}
