import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const results: Texts["results"] = {
  actions: "Aktionen",
  empty: "Keine Zeilen.",
  redacted: "verborgen",
  rows: (many) => plural(many, { one: "# Zeile", other: "# Zeilen" }),
  part: (first, last, total) => `Zeilen ${count(first)} bis ${count(last)} von ${count(total)}`,
  row: (number) => `Zeile ${number}`,
  tableOf: (title) => `Tabelle: ${title}`,
  copy: (label) => `${label} kopieren`,
  otherColumns: (many) =>
    plural(many, {
      one: "Die JSON-Ansicht enthält # weitere Spalte.",
      other: "Die JSON-Ansicht enthält # weitere Spalten.",
    }),
  otherFields: (many) =>
    plural(many, {
      one: "Die JSON-Ansicht enthält # weiteres Feld.",
      other: "Die JSON-Ansicht enthält # weitere Felder.",
    }),
  undeclared: (action) => `Der Dienst deklariert die Aktion ${action} nicht.`,
  filledFrom: "Einige Felder wurden aus dem Ergebnis von {command} übernommen",
  gone: "Das Ergebnis, das diese Aktion angeboten hat, lässt sich nicht mehr lesen. Seine Werte werden daher nicht übernommen.",
};
