// All texts of the console. A second language is another folder of the same form next to `en`.

import * as en from "./en/index.ts";

export const texts: typeof en = en;
