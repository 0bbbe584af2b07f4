import type { Texts } from "../index.ts";

export const csv: Texts["csv"] = {
  download: "CSV herunterladen",
  cutOff: "Der Download wurde unterbrochen, und nichts wurde gespeichert. Versuchen Sie es erneut.",
};
