// When uPlot is loaded, it passes the browser's language to Intl, but some browsers report a
// language that Intl rejects ("en-US@posix"). This module then replaces it with the console's
// language. It must be imported before uPlot.

import { texts } from "../../../texts/index.ts";

try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: texts.locale, configurable: true });
}
