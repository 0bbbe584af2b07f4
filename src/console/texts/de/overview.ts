import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const overview: Texts["overview"] = {
  title: "Übersicht",
  counts: {
    agents: "Agenten",
    services: "Dienste",
    commands: "Offene Befehle",
    tokens: "Registrierungstoken",
  },
  begin: {
    title: "Erste Schritte",
    text: "Noch hat sich kein Agent registriert. Ein Agent läuft neben Ihren Diensten, meldet ihren Zustand und führt ihre Aktionen aus.",
    steps: [
      "Erstellen Sie ein Registrierungstoken. Mit ihm kann sich ein Agent registrieren.",
      "Starten Sie einen Agenten mit dem Token dort, wo Ihre Dienste laufen. Die Konsole zeigt die Befehle mit dem neuen Token.",
      "Die Dienste des Agenten erscheinen hier.",
    ],
    viewer: "Bitten Sie einen Operator oder Owner, ein Registrierungstoken zu erstellen.",
  },
  map: {
    title: "Statuskarte",
    legend: "Nach Status filtern",
    find: "Dienst suchen",
    findHint: "Code des Dienstes oder Agenten",
    problemsFirst: "Probleme zuerst",
    keys: "Mit den Pfeiltasten wechseln Sie zwischen Diensten, mit der Eingabetaste öffnen Sie einen.",
    cell: (code, name, status, message) =>
      `${code}, ${name}: ${status}${message ? `, ${message}` : ""}`,
    shown: (shown, total) =>
      `${count(shown)} von ${plural(total, { one: "# Dienst", other: "# Diensten" })}`,
    truncated: (shown, total) =>
      `Es gibt ${count(total)} Dienste. Die Karte zeigt die ${count(shown)} mit dem größten Handlungsbedarf.`,
    noServices: "Noch kein Agent hat einen Dienst gemeldet.",
    none: "Keine Dienste passen zu diesen Filtern.",
  },
  commands: {
    title: "Befehle im Zeitverlauf",
    window: "Zeitraum",
    windows: { 1: "1 Stunde", 6: "6 Stunden", 24: "24 Stunden", 168: "7 Tage" },
    succeeded: "Erfolgreich",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
    failures: "Fehlgeschlagene Befehle",
    otherOutcomes: "Erfolgreiche und abgebrochene Befehle",
    durations: "Dauer",
    p50: "p50",
    p95: "p95",
    none: "In diesem Zeitraum wurden keine Befehle beendet.",
    asTable: "Tabelle anzeigen",
    asPlot: "Diagramme anzeigen",
    summary: (succeeded, failed, cancelled) =>
      `${count(succeeded)} erfolgreich, ${count(failed)} fehlgeschlagen, ${count(cancelled)} abgebrochen`,
    plot: (what, window, summary) =>
      `${what}, Zeitraum ${window}: ${summary}. Die Tabelle enthält die Zahlen.`,
    covered: (from) =>
      `Es sind zu viele Befehle, um alle zu zählen. Die Zahlen sind erst ab ${from} vollständig.`,
  },
  failures: {
    title: "Letzte Fehlschläge",
    all: "Alle anzeigen",
    none: "Es sind keine Befehle fehlgeschlagen.",
  },
  notices: {
    decide: (many) =>
      plural(many, {
        one: "# Anfrage wartet auf Ihre Entscheidung",
        other: "# Anfragen warten auf Ihre Entscheidung",
      }),
    pending: (many) =>
      plural(many, {
        one: "# Anfrage wartet auf Freigabe",
        other: "# Anfragen warten auf Freigabe",
      }),
    more: (many) => `und ${count(many)} weitere`,
    inbox: "Eingang öffnen",
    bypassed: (many) =>
      plural(many, {
        one: "# Freigabe wurde in den letzten 7 Tagen umgangen",
        other: "# Freigaben wurden in den letzten 7 Tagen umgangen",
      }),
    by: "von {who}, {time}",
    duplicated: (many) =>
      plural(many, { one: "# Agent läuft doppelt", other: "# Agenten laufen doppelt" }),
    duplicatedHelp:
      "Zwei Programme verwenden dasselbe Token, etwa nach dem Klonen eines Hosts. Beenden Sie eines davon, oder löschen Sie " +
      "seinen Zustandsordner und registrieren Sie es mit einem eigenen Code.",
  },
  dataLoss: {
    banner: "Bestätigte Änderungen sind verloren.",
    since:
      "Der Server auf {host} hat {time} bemerkt, dass die Datenbank einen älteren Stand hat, etwa nach dem Wechsel auf ein Replikat mit Rückstand.",
    held: "Zeitpläne und Rollouts beginnen nichts, weil sie es schon getan haben könnten.",
    askOwner: "Ein Eigentümer muss das hinnehmen.",
    verb: "Verlust hinnehmen",
    title: "Verlust der Änderungen hinnehmen?",
    what: "Befehle, Ergebnisse und Widerrufe der verlorenen Zeit fehlen. Prüfen Sie, was ausgeführt wurde, widerrufen Sie erneut, was widerrufen war, und lassen Sie Zeitpläne und Rollouts dann weiterlaufen. Sie könnten wiederholen, was sie damals getan haben.",
    done: "Zeitpläne und Rollouts laufen weiter.",
  },
  feed: {
    title: "Live-Feed",
    pause: "Anhalten",
    resume: "Fortsetzen",
    waiting: (many) =>
      plural(many, { one: "# neues seit dem Anhalten", other: "# neue seit dem Anhalten" }),
    all: "Prüfprotokoll anzeigen",
    problems: "Probleme",
    others: "Alles andere",
  },
};
