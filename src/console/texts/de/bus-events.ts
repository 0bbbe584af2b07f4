import type { Texts } from "../index.ts";

export const busEvents: Texts["busEvents"] = {
  event: "Ereignis",
  received: "Empfangen",
  source: "Quelle",
  subject: "Gegenstand",
  route: "Route",
  routeGone: (name) => `${name} (gelöscht)`,
  outcome: "Ergebnis",
  noOutcome: "keine passende Route",
  command: "Befehl",
  depth: "Tiefe",
  depths: {
    0: "0: von außerhalb des Busses veröffentlicht",
    1: "1: verursacht durch ein Ereignis des Busses oder durch einen Befehl, den der Bus erstellt hat",
  },
  sourceEventId: "ID des Absenders",
  causation: "Verursacht durch",
  correlation: "Korrelation",
  envelope: "Umschlag",
  test: {
    title: "Route mit diesem Ereignis testen",
    lead: "Der Test ändert nichts und erstellt keinen Befehl.",
    open: "Test öffnen",
    create: "Neue Route aus diesem Ereignis",
  },
};
