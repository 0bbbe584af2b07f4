import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const services: Texts["services"] = {
  toAgents: "Agenten anzeigen",
  lastReport: "Letzte Meldung",

  tabsLabel: "Über diesen Dienst",
  tabs: {
    overview: "Übersicht",
    health: "Zustand",
    configs: "Konfiguration",
    actions: "Aktionen",
    commands: "Befehle",
    audit: "Prüfprotokoll",
  },
  counted: (text, many) => `${text} (${count(many)})`,

  effective: "Effektiver Status",
  why: {
    disabled: "Der Agent des Dienstes ist deaktiviert.",
    noToken: "Das Token des Agenten wurde widerrufen. Der Agent muss sich neu registrieren.",
    stopped: "Der Agent des Dienstes hat gemeldet, dass er beendet wird.",
    silent: (after) => `Der Agent des Dienstes hat sich seit mehr als ${after} nicht gemeldet.`,
    agentSilent: (after) =>
      `Die letzte Meldung ist vielleicht veraltet. Der Agent des Dienstes hat sich seit mehr als ${after} nicht gemeldet.`,
    stale: (afterCall, afterReport) =>
      `Die letzte Meldung ist vielleicht veraltet. Der Agent hat sich seit mehr als ${afterCall} nicht gemeldet, oder er hat diesen Dienst seit mehr als ${afterReport} nicht gemeldet.`,
    UNKNOWN: "Der Agent meldet keinen Zustand, oder einen Wert, den der Server nicht kennt.",
    UNHEALTHY: "Der Agent meldet, dass der Dienst gestört ist.",
    HEALTHY: "Der Agent meldet, dass der Dienst in Ordnung ist.",
  },
  statusSince: "seit {time}",
  justNow: "gerade eben",
  storedIs: (status) =>
    `Im Verlauf steht noch ${status}. Der nächste Wartungslauf trägt die Änderung ein.`,
  lastCommand: {
    title: "Letzter Befehl",
    took: (duration) => `, Dauer ${duration}`,
  },
  history: {
    title: "Verlauf",
    day: "Letzte 24 Stunden",
    month: (days) => plural(days, { one: "Letzter Tag", other: "Letzte # Tage" }),
    utc: "Tage in UTC.",
    today: "heute",
    uptime: "Verfügbarkeit",
    uptimeOf: (share) => `Verfügbarkeit ${share}`,
    noUptime: "Keine Verfügbarkeit erfasst",
    changes: (many) =>
      many === 0 ? "Keine Wechsel" : plural(many, { one: "# Wechsel", other: "# Wechsel" }),
    strip: (title, summary) => `${title}: ${summary}`,
    noData: "keine Daten",
    showChanges: "Wechsel anzeigen",
    showDays: "Tage anzeigen",
    changesLabel: "Wechsel des Status, die neuesten zuerst",
    daysLabel: "Verfügbarkeit nach Tag",
    dayColumn: "Tag",
    otherwise: "Nicht HEALTHY",
    first: "erste Meldung",
    noChanges: "Der Status hat sich in den letzten 24 Stunden nicht geändert.",
    newest: (shown, total) => `Die neuesten ${count(shown)} von ${count(total)} Wechseln.`,
  },
  about: "Details",
  claims: "Auch gemeldet von",
  claimsMeaning:
    "Auch diese Agenten melden den Dienst. Der Server lehnt ihre Meldungen ab, solange der Agent des Dienstes online ist. Die übliche Ursache ist eine Konfiguration, die auf einen anderen Host kopiert wurde.",
  alsoReports: "{agent} hat diesen Dienst erstmals gemeldet {time}",
  move: {
    verb: "Verschieben",
    open: "Zu einem anderen Agenten verschieben",
    title: (code) => `${code} zu einem anderen Agenten verschieben`,
    agentHint:
      "Der neue Agent muss online sein. Der Server nimmt dann dessen Meldungen des Dienstes an und lehnt die des bisherigen Agenten ab. Bestehende Befehle bleiben beim bisherigen Agenten.",
    choose: "Agenten wählen",
    claims: (code) => `${code} (meldet diesen Dienst bereits)`,
    done: (code, agent) => `${code} gehört jetzt zu ${agent}.`,
    more: (many) => `Nur die neuesten ${count(many)} Agenten, die online sind, stehen hier.`,
  },
  firstReported: "Erstmals gemeldet",
  changed: "Zuletzt geändert",
  manifest: "Manifest",

  reported: "Gemeldet",
  nothingReported: "nichts",
  since: "Seit",
  healthDetails: "Details zum Zustand",
  transitions: "Wechsel des Zustands",
  transitionsLabel: "Wechsel des gemeldeten Zustands, die neuesten zuerst",
  noTransitions: "Im Prüfprotokoll steht kein Wechsel des Zustands.",
  moreTransitions: (total) =>
    plural(total, {
      one: "# Wechsel im Prüfprotokoll",
      other: "Alle # Wechsel im Prüfprotokoll",
      bound: "Alle Wechsel (#) im Prüfprotokoll",
    }),
  to: "zu",

  configs: {
    empty: "Der Agent meldet keine Konfiguration für diesen Dienst.",
    key: "Schlüssel",
    value: "Wert",
    byDefault: "Standard",
    source: "Quelle",
    secretRef: "Gespeichert in",
    marks: "Merkmale",
    sensitive: "vertraulich",
    editable: "änderbar",
    hidden: "nie angezeigt",
    hiddenWhy:
      "Der Server speichert keine Werte vertraulicher Einträge, auch wenn ein Agent sie sendet.",
  },

  actions: {
    empty: "Der Agent deklariert keine Aktionen für diesen Dienst.",
    find: "Aktion suchen",
    noneFound: "Keine passenden Aktionen.",
    confirmed: "verlangt Bestätigung",
    timeout: (seconds) => `Timeout ${seconds} s`,
    run: "Ausführen",
    all: (many) => `Alle Aktionen (${count(many)})`,
    other: "Weitere",
    forOperators: "Sie können diese Aktionen ansehen. Operatoren und Owner können sie ausführen.",
    agentAway:
      "Der Agent des Dienstes ist offline. Der Server führt eine Aktion nur aus, wenn Sie sie einreihen. Ein eingereihter Befehl schlägt fehl, wenn der Agent vor dessen Ablauf nicht zurück ist.",
    agentDisabled:
      "Der Agent des Dienstes ist deaktiviert. Der Server nimmt eine Aktion nur an, wenn Sie sie einreihen.",
    agentWithoutToken:
      "Das Token des Agenten wurde widerrufen. Der Server nimmt eine Aktion nur an, wenn Sie sie einreihen.",
  },
};
