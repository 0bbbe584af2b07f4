import type { Amount } from "../amounts.ts";
import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const words: Texts["words"] = {
  id: "ID",
  status: "Status",
  name: "Name",
  service: "Dienst",
  agent: "Agent",
  action: "Aktion",
  type: "Typ",
  description: "Beschreibung",
  message: "Meldung",
  payload: "Payload",
  runtime: "Laufzeit",
  created: "Erstellt",
  updated: "Geändert",
  expires: "Läuft ab",
  version: "Version",
  labels: "Labels",
  any: "Beliebig",
  yes: "Ja",
  no: "Nein",
  cancel: "Abbrechen",
  stop: "Anhalten",
  close: "Schließen",
  save: "Speichern",
  create: "Erstellen",
  edit: "Bearbeiten",
  change: "Aktionen",
  retry: "Erneut versuchen",
  copy: "Kopieren",
  copyId: "ID kopieren",
  copied: "Kopiert",
  notCopied:
    "Der Browser lässt diese Seite den Text nicht kopieren. Markieren und kopieren Sie ihn selbst.",
  from: "Von",
  to: "Bis",
  columns: "Spalten",
  clearFilters: "Filter zurücksetzen",
  filters: (active) => (active === 0 ? "Filter" : `Filter (${active})`),
  more: "Mehr zu dieser Zeile",
  loading: "Wird geladen …",
  working: "In Arbeit …",
  nothingHere: "Hier ist noch nichts.",
  nothingFound: "Nichts passt zu diesen Filtern.",
  requestId: (id) => `Anfrage ${id}`,
  retryIn: (seconds) => `Versuchen Sie es in ${seconds} s erneut.`,
  unreachable:
    "Der Server ist nicht erreichbar. Prüfen Sie, ob er läuft und das Netzwerk funktioniert.",
  required: "erforderlich",
  missing: "Füllen Sie dieses Feld aus.",
  unfinishedDate:
    "Dieses Datum ist unvollständig. Füllen Sie alle Teile aus, oder leeren Sie das Feld.",
  page: (page, pages) => `Seite ${page} von ${pages}`,
  previousPage: "Vorherige Seite",
  nextPage: "Nächste Seite",
  rowsPerPage: "Zeilen je Seite",
  sortBy: "Sortieren nach",
  newestFirst: "Neueste zuerst",
  descending: (column) => `${column}, absteigend`,
  moreThan: (total) => `mehr als ${count(total)}`,
  atLeast: (total) => `mindestens ${count(total)}`,
  searchedTo: (time) => `Durchsucht bis zurück zu ${time}.`,
  nothingSince: (time) => `Nichts gefunden bis zurück zu ${time}.`,
  nothingOlder: "Es gibt nichts Älteres.",
  older: "Ältere anzeigen",
  newest: "Zurück zu den neuesten",
  rowsOf: (from, to, total) => `${count(from)}–${count(to)} von ${count(total)}`,
  comma: ", ",
  colon: ": ",
  aside: (text) => ` (${text})`,
};

export const time: Texts["time"] = {
  now: "jetzt",
  never: "nie",
  elapsed: "Verstrichene Zeit",
  elapsedOf: (elapsed, limit) => `${elapsed} von höchstens ${limit}`,
};

export const timeRange: Texts["timeRange"] = {
  label: "Zeit",
  choices: {
    any: "Beliebig",
    "1h": "Letzte Stunde",
    today: "Heute",
    "24h": "Letzte 24 Stunden",
    "7d": "Letzte 7 Tage",
    other: "Von … bis …",
  },
  zone: (zone) => `Zeitzone: ${zone}`,
};

export const expiries: Texts["expiries"] = {
  hour: "In 1 Stunde",
  day: "In 24 Stunden",
  week: "In 7 Tagen",
  days30: "In 30 Tagen",
  days90: "In 90 Tagen",
  year: "In 1 Jahr",
  never: "Nie",
};

export const selection: Texts["selection"] = {
  all: "Alle Zeilen dieser Seite auswählen",
  one: (title) => `${title} auswählen`,
  selected: (many) => `${count(many)} ausgewählt`,
  clear: "Auswahl aufheben",
  act: (verb, only) => (only === null ? verb : `${verb} (${count(only)})`),
  asks: (verb, many) => `${verb}: ${count(many)} ausgewählt?`,
  type: (many) => `Geben Sie zur Bestätigung die Anzahl ein: ${count(many)}`,
  andMore: (titles, many) => `${titles} und ${count(many)} weitere`,
  progress: (done, many) => `${count(done)} von ${count(many)} erledigt`,
  done: (verb, many) => `${verb}: ${count(many)} erledigt.`,
  partly: (verb, done, many) => `${verb}: ${count(done)} von ${count(many)} erledigt`,
};

export const auditTrail: Texts["auditTrail"] = {
  label: "Ereignisse im Prüfprotokoll",
  empty: "Keine Ereignisse im Prüfprotokoll.",
  actionOn: (action, service) => `${action} auf ${service}`,
  step: (from, to) => `von ${from} zu ${to}`,
  all: (total) =>
    plural(total, {
      one: "# Ereignis im Prüfprotokoll",
      other: "Alle # Ereignisse im Prüfprotokoll",
      bound: "Alle Ereignisse (#) im Prüfprotokoll",
    }),
};

export const recentCommands: Texts["recentCommands"] = {
  label: "Befehle",
  empty: "Noch keine Befehle.",
  all: (total) => `Alle Befehle (${count(total)})`,
};

export const secretFields: Texts["secretFields"] =
  "Der Server hat die Geheimnisse des Payloads gelöscht. Geben Sie sie erneut ein:";

export const values: Texts["values"] = {
  nothing: "nichts",
  json: "JSON",
  kinds: { text: "Text", scalar: "Wert", scalars: "Liste", table: "Tabelle", object: "Felder" },
  view: (of) => `Ansicht von ${of}`,
  moreRows: (many) =>
    plural(many, {
      one: "Die JSON-Ansicht enthält # weitere Zeile.",
      other: "Die JSON-Ansicht enthält # weitere Zeilen.",
    }),
};

export const declared: Texts["declared"] = {
  by: (set, file) =>
    file === null ? `Verwaltet durch das Set ${set}` : `Verwaltet durch ${file} (Set ${set})`,
  note: (managedBy) => `${managedBy}. ${reverses}`,
  some: (many) => `${areManaged(many)} ${reverses}`,
  done: (text) => `${text} ${reverses}`,
};

const reverses =
  "Das nächste apply macht Änderungen, die hier vorgenommen werden, rückgängig. Um sie zu behalten, ändern Sie auch die Datei.";
const areManaged = (many: Amount) =>
  plural(many, {
    one: "# davon wird durch eine Datei verwaltet.",
    other: "# davon werden durch Dateien verwaltet.",
  });

export const leave: Texts["leave"] = {
  title: "Ohne Speichern verlassen?",
  text: "Wenn Sie die Seite verlassen, gehen Ihre Änderungen verloren.",
  verb: "Verlassen",
};

export const inexactJson: Texts["inexactJson"] = {
  number: (written) =>
    `${written} kann nicht genau gesendet werden: Die größte ganze Zahl ist 9007199254740991.`,
  twice: (name) =>
    `„${name}“ kommt in einem Objekt doppelt vor: Nur der letzte Wert würde gesendet.`,
};
