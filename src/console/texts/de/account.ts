import type { Texts } from "../index.ts";

export const account: Texts["account"] = {
  title: "Ihr Konto",
  sessionEnds: "Sitzung endet",
  sessionMoves:
    "Jede Nutzung der Konsole und jede sichtbare Seite verlängert die Sitzung, höchstens auf 7 Tage.",
  signOutSays: "Beendet Ihre Sitzung in allen Tabs dieses Browsers.",
  thisBrowser: "Dieser Browser",
  sessions: {
    title: "Aktive Sitzungen",
    browser: "Browser oder Programm",
    from: "IP-Adresse",
    lastUsed: "Zuletzt verwendet",
    began: "Angemeldet",
    ends: "Läuft ab",
    thisOne: "diese Sitzung",
    unknown: "unbekannt",
    end: "Beenden",
    endLabel: (from) => `Sitzung von ${from} beenden`,
    endTitle: "Diese Sitzung beenden?",
    endSays: (from) => `Der Browser oder das Programm unter ${from} muss sich neu anmelden.`,
    endOthers: "Alle anderen Sitzungen beenden",
    endOthersTitle: "Alle anderen Sitzungen beenden?",
    endOthersSays:
      "Sie bleiben hier angemeldet. Alle anderen Browser und Programme müssen sich neu anmelden.",
  },
  password: {
    title: "Passwort",
    endOthers: "Auch meine anderen Sitzungen beenden",
    current: "Aktuelles Passwort",
    next: "Neues Passwort",
    verb: "Passwort ändern",
    done: "Ihr Passwort wurde geändert.",
    meanwhile: "Jemand hat Ihr Passwort gerade geändert. Melden Sie sich mit dem neuen an.",
  },
};
