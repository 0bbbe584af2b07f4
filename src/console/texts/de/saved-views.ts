import type { Texts } from "../index.ts";

export const savedViews: Texts["savedViews"] = {
  label: "Gespeicherte Ansichten",
  save: "Ansicht speichern",
  saveTitle: "Diese Ansicht speichern",
  what: "Die Ansicht enthält die Filter, die Sortierung und die sichtbaren Spalten dieser Liste.",
  shared: "Ansicht mit allen teilen",
  saved: (name) => `${name} wurde gespeichert.`,
  replace: "Ersetzen",
  replaces: (name) => `Dies ersetzt die Ansicht ${name}.`,
  rename: "Ansicht bearbeiten",
  renameTitle: (name) => `Ansicht ${name} bearbeiten`,
  sharedSign: "(geteilt)",
  changed: (version) =>
    `Jemand anderes hat diese Ansicht geändert: Sie hat jetzt Version ${version}. Schließen Sie diesen Dialog, und versuchen Sie es erneut.`,
};
