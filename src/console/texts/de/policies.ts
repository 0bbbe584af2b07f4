import type { Texts } from "../index.ts";

export const policies: Texts["policies"] = {
  create: "Richtlinie erstellen",
  createTitle: "Neue Freigaberichtlinie",
  edit: (name) => `${name} bearbeiten`,
  saved: (name) => `${name} wurde gespeichert.`,
  everything: "Jede Aktion jedes Dienstes",
  scope: "Gilt für",
  fields: {
    orderHint:
      "Richtlinien mit kleineren Zahlen werden zuerst geprüft. Die erste, die passt, gilt.",
    order: "Reihenfolge",
    scope: "Gilt für",
    scopeHint:
      "Alles, was Sie ausfüllen, muss zutreffen. Lassen Sie alles leer, damit sie für jede Aktion gilt.",
    selector: "Selektor",
    selectorHint: "Labels von Diensten, zum Beispiel env=prod.",
    action: "Aktion",
    actionHint: "Der Name einer Aktion.",
    dangerLevel: "Gefahrenstufe",
    anyLevel: "Jede Stufe",
    atLeast: (level) => (level === "HIGH" ? "HIGH" : `${level} oder höher`),
    approvals: "Nötige Freigaben",
    counts: { 1: "1 Freigabe", 2: "2 Freigaben, von verschiedenen Benutzern" },
    approvers: "Freigebende",
    by: { operator: "Jeder Operator oder Owner", owner: "Jeder Owner", users: "Diese Benutzer" },
    users: "Benutzernamen",
    usersHint: "Durch Kommas getrennt. Sie brauchen mindestens die Rolle Operator.",
    expires: "Anfragen laufen ab nach",
    hours: "Stunden",
    wholeHours: "Geben Sie eine Anzahl von Stunden ein, zum Beispiel 24 oder 0.5.",
  },
  approvers: "Freigebende",
  expiresAfter: "Anfragen laufen ab nach",
  order: "Reihenfolge",
  approvals: "Freigaben",
  conflict: (version) =>
    `Jemand anderes hat diese Richtlinie geändert: Sie hat jetzt Version ${version}. Schließen Sie diesen Dialog, und sehen Sie sich zuerst die neuere Version an.`,
  open: "Für offene Anfragen gilt weiter, was bei ihrer Erstellung galt.",

  test: {
    title: "Welche Richtlinie gilt?",
    lead: "Wählen Sie eine Aktion eines Dienstes. Sie sehen dann, welche Richtlinie für sie gilt und warum die anderen nicht.",
    run: "Testen",
    counts: (name) => `Es gilt die Richtlinie ${name}.`,
    none: "Keine Richtlinie gilt, die Aktion braucht also keine Freigabe.",
    result: "Ergebnis des Tests",
    fits: "Sie passt, und zwar als erste.",
    later: "Nicht geprüft, weil eine frühere Richtlinie gilt.",
    verdicts: { counts: "gilt", not: "gilt nicht", later: "nicht geprüft" },
    unknownService: "Kein Dienst hat diesen Code.",
  },
};
