import type { Texts } from "../index.ts";
import { plural } from "./amounts.ts";

export const commands: Texts["commands"] = {
  types: { ACTION_PREPARE: "Vorbereitung", ACTION_EXECUTE: "Ausführung" },
  duration: "Dauer",
  by: "Erstellt von",
  bus: (route) => `Route ${route}`,
  schedule: (name) => (name === null ? "Zeitplan" : `Zeitplan ${name}`),
  rollout: (by) => (by === null ? "Rollout" : `Rollout von ${by}`),
  unknownSource: "Unbekannt",
  error: "Fehler",
  deliveries: "Zustellungen",
  detail: {
    result: "Ergebnis",
    lateResult: "Spätes Ergebnis",
    lateWhy:
      "Dieses Ergebnis kam an, nachdem der Befehl auf andere Weise geendet hatte. Es ändert den Status des Befehls nicht.",
    withheld: "Geheimnisse werden nicht angezeigt. Der Server löscht sie, wenn der Befehl endet.",
    trail: "Verlauf",
    facts: "Details",
    succeeded: "Der Befehl war erfolgreich und hat nichts ausgegeben.",
    noResult: "Der Befehl endete ohne Ergebnis.",
    errorDetails: "Details vom Agenten",
    truncated: "Die Ausgabe war zu groß. Der Agent hat sie gekürzt.",
    started: "Begonnen",
    completed: "Beendet",
    prepare: "Vorbereitet durch",
    retryOf: "Wiederholung von",
    expectedState: "Erforderlicher Zustand",
    cancelOutcome: {
      UNCONFIRMED:
        "Der Befehl wurde während der Ausführung abgebrochen. Der Agent hat noch nicht gemeldet, ob er angehalten hat. Er kann also noch zu Ende laufen.",
      STOPPED:
        "Der Befehl wurde während der Ausführung abgebrochen, und der Agent hat ihn beendet.",
      FINISHED:
        "Der Befehl wurde während der Ausführung abgebrochen, war aber schon von selbst zu Ende: siehe das späte Ergebnis.",
      NOT_STOPPED:
        "Der Befehl wurde während der Ausführung abgebrochen, ließ sich vom Agenten aber nicht beenden. Er läuft möglicherweise noch.",
      UNKNOWN:
        "Der Befehl wurde während der Ausführung abgebrochen, und der Agent weiß nichts mehr über ihn. Es ist unbekannt, wie weit er gekommen ist.",
    },
    openAction: "Aktion öffnen",
  },
  live: {
    pending: (agent) => `${agent} hat den Befehl noch nicht abgeholt …`,
    running: (agent) => `${agent} führt den Befehl aus …`,
    deliveries: (many) =>
      plural(many, {
        one: "Einmal zugestellt.",
        other: "#-mal zugestellt, weil der Agent den Befehl verloren hat.",
      }),
  },
  stateChanges: {
    title: "Änderungen des Zustands seit der Anzeige",
    field: "Feld",
    shown: "Angezeigt",
    now: "Jetzt",
    whole: "(alles)",
    hidden: "Nur nicht angezeigte Werte unterscheiden sich.",
    again: "Mit dem neuen Zustand neu beginnen",
  },
  output: {
    title: "Ausgabe",
    none: "Das Programm hat noch nichts geschrieben.",
    error: "stderr",
    follow: "Neuer Ausgabe folgen",
    hidden: (lines) =>
      plural(lines, {
        one: "# frühere Zeile wird hier nicht angezeigt. So sehen Sie sie:",
        other: "# frühere Zeilen werden hier nicht angezeigt. So sehen Sie sie:",
      }),
    openEnd: "Das Ende fehlt möglicherweise: Der Agent hat es nicht gesendet.",
    LOST: (size) => `${size} der Ausgabe fehlen: Sie konnten nicht rechtzeitig gesendet werden.`,
    OMITTED: (size) => `${size} der Ausgabe fehlen: Es war zu viel, um alles aufzubewahren.`,
  },
  secret: {
    label: "Einmaliges Geheimnis",
    warning:
      "Dieses Geheimnis wird nur einmal angezeigt und nicht gespeichert. Es ist weg, wenn Sie diese Seite verlassen oder neu laden.",
    gone: "Das Ergebnis enthält ein Geheimnis, das nur einmal angezeigt wird. Es wurde bereits angezeigt oder nicht rechtzeitig gelesen.",
    forbidden:
      "Das Ergebnis enthält ein einmaliges Geheimnis. Nur Operatoren und Owner können es sehen.",
  },
  retry: {
    title: (action) => `${action} erneut ausführen?`,
    what: (action, service, agent) =>
      `Der Agent ${agent} führt „${action}“ auf dem Dienst ${service} in einem neuen Befehl aus, mit demselben Payload.`,
    maybeDone:
      "Der Befehl wurde während der Ausführung abgebrochen oder hat sein Zeitlimit überschritten. Die Arbeit ist vielleicht schon getan und würde dann doppelt getan.",
    verb: "Erneut ausführen",
    manyWhat:
      "Jeder Befehl läuft als neuer Befehl mit demselben Payload. Wurde einer während der Ausführung abgebrochen oder hat er sein Zeitlimit überschritten, ist seine Arbeit vielleicht schon getan.",
  },
  steps: {
    created: "Erstellt",
    delivered: "Dem Agenten zugestellt",
    redelivered: "Erneut zugestellt: Der Agent hatte den Befehl verloren",
    completed: "Erfolgreich",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
    expired: "Abgelaufen",
    late: "Ein spätes Ergebnis ist eingetroffen",
    retried: "Erneut ausgeführt",
    applied: "Aus einem Plan angewendet",
    ended: "Beendet",
  },
  retriedAs: "Erneut ausgeführt als {command}",
};
