import type { Texts } from "../index.ts";

export const shell: Texts["shell"] = {
  titleWith: (attention, title) => `(${attention}) ${title}`,
  skip: "Zum Inhalt springen",
  menu: "Menü",
  navigation: "Hauptnavigation",
  pages: { overview: "Übersicht", audit: "Prüfprotokoll", settings: "Einstellungen" },
  groups: { fleet: "Flotte", bus: "Ereignisbus", administration: "Verwaltung" },
  experimental: "experimentell",
  live: "Live",
  connecting: "Verbindung wird hergestellt …",
  down: "Nicht live",
  notLiveWhy:
    "Nicht live: Die Verbindung zum Server ist unterbrochen. Diese Seite ist vielleicht veraltet. Die Verbindung wird wiederhergestellt …",
  notReady: (why) => `Der Server lehnt Änderungen ab, weil er nichts speichern kann: ${why}`,
  signedInAs: (name, role) => `${name}, ${role}`,
  signOut: "Abmelden",
  stillSignedIn: (why) => `Sie sind noch angemeldet. ${why}`,
  language: "Sprache (Language)",
  theme: { label: "Farbschema", system: "System", light: "Hell", dark: "Dunkel" },
  times: { label: "Zeiten", relative: "Relativ", exact: "Genau" },
  notFound: {
    title: "Seite nicht gefunden",
    text: "Unter dieser Adresse gibt es keine Seite.",
    home: "Zur Übersicht",
  },
  broken: {
    title: "Etwas ist schiefgegangen",
    text: "Die Konsole kann diese Seite wegen eines Fehlers nicht anzeigen.",
    reload: "Neu laden",
  },
  newer: {
    title: "Neue Version der Konsole",
    text: "Der Server hat jetzt eine andere Version der Konsole. Laden Sie die Seite neu, um fortzufahren.",
  },
  notLoaded: {
    title: "Diese Seite konnte nicht geladen werden",
    away: "Der Server ist nicht erreichbar. Laden Sie die Seite neu, sobald er wieder da ist.",
    same: "Ein Teil der Konsole wurde nicht geladen. Der Server antwortet wieder: Laden Sie die Seite neu.",
  },
  forbidden: {
    title: "Für Ihre Rolle nicht verfügbar",
    text: (role) => `Diese Seite erfordert die Rolle ${role}.`,
  },
  busOff: {
    title: "Der Ereignisbus ist ausgeschaltet",
    text: "Dieser Server läuft ohne den Ereignisbus, der experimentell ist. Um ihn zu nutzen, starten Sie den Server mit PLATFORM_CAPSULE_BUS_ENABLED=true.",
  },
};
