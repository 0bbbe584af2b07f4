import type { Texts } from "../index.ts";
import { plural } from "./amounts.ts";

export const palette: Texts["palette"] = {
  title: "Suchen",
  label: "Ein Name, eine ID, eine Seite oder eine Aktion mit ihrem Dienst",
  hint: "restart web-3",
  results: "Ergebnisse",
  searching: "Suche läuft …",
  nothing: "Nichts gefunden.",
  count: (many) => plural(many, { one: "# Ergebnis", other: "# Ergebnisse" }),
  kinds: { page: "Seite", action: "Aktion" },
  footer: "Mit den Pfeiltasten auswählen, mit der Eingabetaste öffnen.",
};

export const shortcuts: Texts["shortcuts"] = {
  title: "Tastenkürzel",
  off: "Tastenkürzel mit einzelnen Tasten sind ausgeschaltet.",
  change: "In Ihrem Konto ein- oder ausschalten",
  next: "dann",
  or: "oder",
  groups: { all: "Überall", go: "Zu einer Seite gehen" },
  help: "Diese Tastenkürzel anzeigen",
  single: "Tastenkürzel mit einzelnen Tasten",
  singleHint:
    "Die Tasten / und ? sowie g, gefolgt von einer weiteren Taste. Strg+K, auf dem Mac Cmd+K, funktioniert immer. Dieser Browser speichert die Wahl.",
};
