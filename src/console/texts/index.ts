// The console's texts. To add a language, create a folder like `en` next to it.

import * as en from "./en/index.ts";

export const texts: typeof en = en;
