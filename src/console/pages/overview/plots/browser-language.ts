// uPlot hands the browser's language on to Intl when it is loaded, and some browsers name one that Intl
// refuses ("en-US@posix"): then it gets the console's. To be imported before uPlot.

import { texts } from "../../../texts/index.ts";

try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: texts.locale, configurable: true });
}
