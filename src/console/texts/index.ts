// All texts of the console. To add a language, create a folder with the same structure next to
// `en`.

import * as en from "./en/index.ts";

export const texts: typeof en = en;
