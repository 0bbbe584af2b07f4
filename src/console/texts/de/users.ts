import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

export const users: Texts["users"] = {
  you: "Sie",
  username: "Benutzername",
  usernameHint:
    "Ein Name oder eine E-Mail-Adresse: Buchstaben, Ziffern und . _ @ + -. Groß- und Kleinschreibung spielt keine Rolle.",
  displayName: "Anzeigename",
  displayNameHint: "Optional. Wird neben dem Benutzernamen angezeigt.",
  role: "Rolle",
  roles: { owner: "Owner", operator: "Operator", viewer: "Viewer", metrics: "Metrics" },
  roleMeans: {
    owner:
      "Darf alles, auch Benutzer, alle API-Schlüssel, zugewiesene Labels, Einstellungen und Sicherungen verwalten.",
    operator:
      "Sieht, was ein Viewer sieht, führt Aktionen aus und verwaltet Agenten, Dienste, Registrierungstoken und Routen des Busses.",
    viewer:
      "Sieht alles außer Benutzern, API-Schlüsseln, Einstellungen und Metriken. Ändert nichts.",
    metrics: "Liest die Metriken und sonst nichts. Gedacht für Prometheus.",
  },
  lastLogin: "Letzte Anmeldung",
  passwordChanged: "Passwort geändert",
  changes: "Änderungen",
  whatTheyDid: "Ereignisse dieses Benutzers",
  whatWasDone: "Änderungen an diesem Benutzer",

  create: "Benutzer erstellen",
  created: (name) => `Der Benutzer ${name} wurde erstellt.`,
  tellThem: (name) => `Geben Sie ${name} jetzt dieses Passwort. Es wird nur einmal angezeigt.`,

  editTitle: (name) => `${name} bearbeiten`,
  saved: (name) => `Der Benutzer ${name} wurde geändert.`,
  roleEndsSessions:
    "Eine neue Rolle beendet die Sitzungen dieses Benutzers: Er muss sich neu anmelden. Eine niedrigere Rolle widerruft auch seine API-Schlüssel, die eine höhere Rolle haben.",
  ownRole:
    "Dies ist Ihr eigenes Konto. Sie müssen sich mit der neuen Rolle neu anmelden und können dies vielleicht nicht rückgängig machen.",
  conflict: "Jemand anderes hat diesen Benutzer geändert. Der Benutzer ist jetzt:",
  takeTheirs: "Mit der neueren Version fortfahren",

  keysGo: (many) =>
    plural(many, {
      one: "Dieser API-Schlüssel wird endgültig widerrufen:",
      other: "Diese API-Schlüssel werden endgültig widerrufen:",
    }),
  moreKeys: (many) => `und ${count(many)} weitere`,
  disableYourself:
    "Dies ist Ihr eigenes Konto: Sie werden sofort abgemeldet, und nur ein anderer Owner kann es wieder aktivieren.",

  endOwnSessions: "Dies ist Ihr eigenes Konto: Sie werden auch hier abgemeldet.",
  ended: (sessions) =>
    plural(sessions, { one: "# Sitzung beendet.", other: "# Sitzungen beendet." }),

  deleteYourself: "Dies ist Ihr eigenes Konto.",

  setPassword: "Passwort setzen",
  setPasswordTitle: (name) => `Passwort von ${name} setzen`,
  setPasswordSays: "Das alte Passwort gilt nicht mehr. Offene Sitzungen laufen weiter.",
  passwordIsSet: (name) => `${name} hat ein neues Passwort. Offene Sitzungen laufen weiter.`,
  endThem: "Sitzungen beenden",
  yourOwn: "Ihr eigenes Passwort ändern Sie in Ihrem Konto.",

  password: "Passwort",
  passwordRules:
    "12 bis 128 Zeichen. Nicht der Benutzername, kein verbreitetes Passwort und keine Folge wie abcdef.",
  makeUp: "Generieren",
  madeUp:
    "Dieses Passwort wurde generiert. Es wird nach dem Speichern noch einmal angezeigt, danach nie wieder.",
};
