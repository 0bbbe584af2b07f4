import type { Amount } from "../amounts.ts";
import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

const services = (many: Amount) => plural(many, { one: "# Dienst", other: "# Dienste" });

export const attention: Texts["attention"] = {
  title: "Handlungsbedarf",
  well: (healthy) => `Alles in Ordnung: ${healthy}.`,
  nothingNew: (healthy) => `Keine neuen Probleme: ${healthy}.`,
  healthy: (many) => plural(many, { one: "# Dienst ist HEALTHY", other: "# Dienste sind HEALTHY" }),
  unknown: (many) =>
    plural(many, {
      one: "# meldet seinen Zustand nicht",
      other: "# melden ihren Zustand nicht",
    }),
  causes: {
    HEALTH: "Ohne Meldung",
    CHANGES: "Der Zustand wechselt ständig",
    NOT_REPORTED: "Der Agent ist online, meldet diese Dienste aber nicht mehr",
    AGENT_SILENT: "Der Agent meldet sich nicht mehr beim Server",
    AGENT_STOPPED: "Der Agent wurde beendet",
    AGENT_WITHOUT_TOKEN: "Der Agent hat kein gültiges Token",
    AGENT_DISABLED: "Der Agent ist deaktiviert",
  },
  withoutMessage: (status) => `${status}, ohne Meldung`,
  services,
  onAgents: (ofServices, ofAgents) => `${services(ofServices)} auf ${count(ofAgents)} Agenten`,
  since: "seit {time}",
  lastSince: "der letzte seit {time}",
  labels: "Labels",
  ofAll: (some, all) => `${count(some)} von ${count(all)} mit {label}`,
  byAgent: "Agenten",
  more: (many) => `und ${count(many)} weitere`,
  on: "auf {agent}",
  changes: (many) =>
    plural(many, {
      one: "ein Wechsel in 15 Minuten",
      other: "# Wechsel in 15 Minuten",
    }),
  reported: (status) => `jetzt ${status}`,
  failed: "letzter Fehlschlag: {command} {code} {time}",
  showAll: (many) => plural(many, { one: "# Dienst anzeigen", other: "Alle # Dienste anzeigen" }),
  showFewer: "Weniger anzeigen",
  open: "Öffnen",
  openOf: (name) => `${name} öffnen`,
  run: "Aktion ausführen …",
  runOn: (name) => `Aktion ausführen auf ${name}`,
  moreGroups: (groups, ofServices) =>
    `${plural(groups, {
      one: "Es gibt # weiteren Grund",
      other: "Es gibt # weitere Gründe",
    })}, ${plural(ofServices, { one: "mit # Dienst", other: "mit # Diensten" })}. Die Liste der Dienste enthält alle.`,
  truncated: "Es sind zu viele Dienste, um alle anzuzeigen. Die Zahlen sind unvollständig.",
  showGroups: (many) =>
    plural(many, { one: "# weiteren Grund anzeigen", other: "# weitere Gründe anzeigen" }),
  handled: (many) => `${services(many)} bestätigt oder stummgeschaltet`,
  acknowledge: {
    verb: "Bestätigen",
    open: "Bestätigen …",
    of: (name) => `${name} bestätigen`,
    what: (name) =>
      `Alle sehen, dass Sie das Problem kennen (${name}). Das endet, sobald sich ein Dienst erholt oder sein Problem sich ändert.`,
    done: (many) => `${services(many)} bestätigt.`,
    by: "Bestätigt von {who}, {time}",
    end: "Bestätigung aufheben",
  },
  silence: {
    verb: "Stummschalten",
    open: "Stummschalten …",
    of: (name) => `${name} stummschalten`,
    what: (name) =>
      `Bis zum Ablauf der Zeit sind Probleme für alle eingeklappt, auch neue (${name}).`,
    forHowLong: "Dauer",
    times: { 900: "15 Minuten", 3600: "1 Stunde", 28800: "8 Stunden", 86400: "24 Stunden" },
    done: (many) => `${services(many)} stummgeschaltet.`,
    by: "Stummgeschaltet von {who}, {time}",
    until: "bis {time}",
    end: "Stummschaltung aufheben",
  },
  ended: (many) => `${services(many)} nicht mehr bestätigt oder stummgeschaltet.`,
  somebody: "jemandem",
  note: "Notiz",
  noteHint: "Für die anderen Operatoren: was Sie wissen oder gerade tun.",
};
