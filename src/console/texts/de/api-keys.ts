import type { Texts } from "../index.ts";

export const apiKeys: Texts["apiKeys"] = {
  lastUsed: "Der Schlüssel wurde zuletzt verwendet",
  onTheHost: "Auf dem Host erstellt",
  userGone: "Gelöschter Benutzer",
  userDisabled: (name) => `${name} (deaktiviert)`,
  create: "API-Schlüssel erstellen",
  nameHint:
    "Wofür der Schlüssel verwendet wird. So wissen andere, was nicht mehr funktioniert, wenn sie ihn widerrufen.",
  user: "Benutzer",
  userHint:
    "Wer den Schlüssel verwendet: ein Benutzername, oder leer für Sie selbst. Was mit dem Schlüssel beantragt wird, können weder dieser Benutzer noch Sie genehmigen.",
  created: (name) => `Der API-Schlüssel „${name}“ wurde erstellt`,
  key: "API-Schlüssel",
  keepIt:
    "Kopieren Sie ihn jetzt: Er wird nur einmal angezeigt. Wer den Schlüssel hat, kann mit dessen Rolle handeln.",
  example: "Beispiel",
  copyExample: "Befehl kopieren",
  neverUsed: "Der Schlüssel wurde noch nie verwendet.",
};
