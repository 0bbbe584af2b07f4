// All that the console says. A second language is one more folder of the same form beside `en`.

import { en } from "./en/index.ts";

export type Texts = typeof en;

export const texts: Texts = en;
