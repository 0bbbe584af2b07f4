import type { Texts } from "../index.ts";

export const labels: Texts["labels"] = {
  edit: "Labels zuweisen",
  title: (code) => `Labels von ${code}`,
  says: "Zugewiesene Labels gelten vor denen, die Agenten melden. Nach ihnen richten sich Genehmigungsrichtlinien, Rollouts und Zeitpläne, und nur Owner ändern sie.",
  assigned: "Zugewiesene Labels",
  hint: "Eines pro Zeile, zum Beispiel env=prod.",
  reported: "Gemeldete Labels",
  overridden: "Überschriebene Labels",
  ignored: "Ignorierte Labels",
  notALabel: (line) => `Schreiben Sie ${line} als Label, zum Beispiel env=prod.`,
  saved: (code) => `Die Labels von ${code} wurden gespeichert.`,
};
