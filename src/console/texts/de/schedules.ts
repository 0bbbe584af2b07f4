import type { Texts } from "../index.ts";
import { plural } from "./amounts.ts";

export const schedules: Texts["schedules"] = {
  create: "Zeitplan erstellen",
  pauseAll: {
    verb: "Alle anhalten",
    title: "Alle Zeitpläne anhalten?",
    what: "Kein Zeitplan läuft, bis alle zusammen fortgesetzt werden. Läufe, die währenddessen fällig sind, entfallen. Läufe, die schon begonnen haben, laufen weiter.",
    reason: "Grund",
    reasonHint: "Zum Beispiel Wartung. Wird allen angezeigt.",
    done: "Alle Zeitpläne sind angehalten.",
    banner: "Alle Zeitpläne sind angehalten.",
    since: "Angehalten {time}",
    sinceBy: "Angehalten {time} von {who}",
  },
  resumeAll: {
    verb: "Alle fortsetzen",
    title: "Alle Zeitpläne fortsetzen?",
    what: "Jeder Zeitplan läuft, wenn er das nächste Mal fällig ist. Läufe, die währenddessen fällig waren, werden nicht nachgeholt. Einzeln angehaltene Zeitpläne bleiben angehalten.",
    done: "Alle Zeitpläne sind fortgesetzt.",
  },

  allPaused: "alle Zeitpläne sind angehalten",
  notApproved: {
    AWAITING_APPROVAL: "wartet auf Freigabe",
    NOT_APPROVED: "nicht freigegeben",
  },
  every: (time) => `alle ${time}`,
  inZone: (cron, zone) => `${cron} in ${zone}`,
  action: (action, service) => `${action} auf ${service}`,
  rollout: (action) => `${action}, als Rollout`,

  now: {
    title: "Status",
    paused: "Der Zeitplan ist angehalten.",
    allPaused: "Der Zeitplan läuft nicht, weil alle Zeitpläne angehalten sind.",
    awaiting: "Der Zeitplan läuft erst, wenn sein Inhalt freigegeben ist.",
    notApproved: "Der Zeitplan läuft nicht, weil sein Inhalt nicht freigegeben wurde.",
    over: "Der Zeitplan hat keine weiteren Läufe.",
    next: "Nächster Lauf: {time}.",
    breakGlass: "Notfall",
    glassTitle: (name) => `${name} ohne Freigabe laufen lassen?`,
    askAgain: "Bearbeiten und speichern Sie den Zeitplan, um erneut anzufragen.",
  },

  dues: {
    title: "Nächste Läufe",
    none: "Der Zeitplan hat keine weiteren Läufe.",
    local: (zone) => `Zeit in ${zone}`,
    utc: "UTC",
    preview: "Nächste Läufe",
    incomplete: "Geben Sie ein, wann der Zeitplan läuft, um die nächsten Läufe zu sehen.",
    invalid: "Korrigieren Sie das Feld mit dem Fehler, um die nächsten Läufe zu sehen.",
  },

  runs: {
    title: "Läufe",
    none: "Der Zeitplan ist noch nicht gelaufen.",
    due: "Fällig",
    state: "Status",
    what: "Gestartet",
    command: "Befehl",
    rollout: "Rollout",
    why: "Grund",
    ended: "Beendet",
    byHand: (who) => (who === null ? "von Hand ausgeführt" : `von Hand ausgeführt von ${who}`),
    missed: (many) =>
      plural(many, {
        one: "steht auch für # verpassten Lauf",
        other: "steht auch für # verpasste Läufe",
      }),
  },

  runNow: {
    verb: "Jetzt ausführen",
    title: (name) => `${name} jetzt ausführen?`,
    what: (target) => `Läuft einmal, zusätzlich zu den geplanten Läufen: ${target}.`,
    done: "Der Lauf hat begonnen.",
    failed: (why) => `Der Lauf ist fehlgeschlagen: ${why}`,
    waits: "Der Lauf wartet, bis der vorherige beendet ist.",
  },

  facts: {
    title: "Was läuft",
    when: "Wann",
    timezone: "Zeitzone",
    until: "Bis",
    missed: "Verpasste Läufe",
    overlap: "Wenn der vorherige Lauf noch nicht beendet ist",
    owner: "Läuft im Namen von",
    services: "Dienste",
    confirmation: "Bestätigt",
    withheld: "Geheimnisse sind gespeichert, werden aber nicht angezeigt.",
    payloads: "Payloads einzelner Dienste",
  },
  missed: { skip: "Auslassen", once: "Den letzten ausführen" },
  overlap: { skip: "Den Lauf auslassen", wait: "Warten, bis er beendet ist" },

  form: {
    newTitle: "Neuer Zeitplan",
    editTitle: (name) => `${name} bearbeiten`,
    about: "Zeitplan",
    when: "Wann",
    kind: "Wiederholung",
    kinds: { cron: "Zu bestimmten Zeiten (Cron)", every: "In festem Abstand" },
    cron: "Cron-Ausdruck",
    cronHint:
      "Minute, Stunde, Tag, Monat, Wochentag. Zum Beispiel 0 3 * * sun für sonntags um 03:00.",
    every: "Alle",
    unit: "Einheit",
    units: { minutes: "Minuten", hours: "Stunden", days: "Tage" },
    everyHint: "Gezählt ab dem 1. Januar 1970, 00:00 UTC.",
    timezone: "Zeitzone",
    timezoneHint: "Zum Beispiel Europe/Berlin. Zeitumstellungen werden berücksichtigt.",
    until: "Bis",
    untilHint: "Danach ist kein Lauf mehr fällig. Leer für kein Ende.",
    what: "Was läuft",
    target: "Führt aus",
    targets: { action: "Eine Aktion eines Dienstes", rollout: "Ein Rollout" },
    rolloutHint: "Die Dienste werden bei jedem Lauf des Zeitplans neu ausgewählt.",
    confirmation: "Für alle Läufe bestätigen",
    confirmationHint:
      "Manche Aktionen verlangen eine Bestätigung. Wenn der Zeitplan läuft, kann niemand bestätigen. Bestätigen Sie daher hier.",
    rules: "Regeln",
    missed: "Wenn ein Lauf verpasst wurde, weil kein Server lief",
    overlap: "Wenn der vorherige Lauf noch nicht beendet ist",
    state: "Status",
    states: { ENABLED: "Aktiviert", PAUSED: "Angehalten" },
    keptSecrets: "Gespeicherte Geheimnisse bleiben, solange Sie [REDACTED] nicht ersetzen.",
    keptPayloads: (many) =>
      plural(many, {
        one: "# Dienst hat einen eigenen Payload, der erhalten bleibt.",
        other: "# Dienste haben eigene Payloads, die erhalten bleiben.",
      }),
    fix: "Einige Felder sind fehlerhaft. Korrigieren Sie sie zuerst.",
    save: "Zeitplan speichern",
    saved: (name) => `${name} wurde gespeichert.`,
    asked: (name) => `${name} wurde gespeichert und wartet auf Freigabe.`,
    warnings: "Der Zeitplan wurde gespeichert. Beachten Sie aber:",
    dismiss: "Schließen",
    conflict: (version) =>
      `Jemand anderes hat diesen Zeitplan gespeichert: Er hat jetzt Version ${version}. Ihre Änderungen beruhen auf einer älteren Version und wurden nicht gespeichert.`,
    load: "Neuere Version laden und meine Änderungen verwerfen",
    policies:
      "Wenn eine Richtlinie eine Freigabe verlangt, läuft der Zeitplan erst, wenn jemand anderes seinen Inhalt freigegeben hat.",
  },
};
