// uPlot passes the browser's language to Intl when it is loaded, but some browsers have one that Intl rejects
// ("en-US@posix"). Such a browser gets the console's language. Import this before uPlot.

import { texts } from "../../../texts/index.ts";

try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: texts.locale, configurable: true });
}
