// uPlot passes the browser's language to Intl when it is loaded. Intl rejects some languages that
// browsers report ("en-US@posix"), so this module, imported before uPlot, replaces them.

import { texts } from "../../../texts/index.ts";

try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: texts.locale, configurable: true });
}
