// The texts of the nouns in src/api.

import type { NounWords } from "../../nouns/with-words.ts";
import { allNouns } from "./all-nouns.ts";

export const nounWords: NounWords = {
  ...allNouns,

  "agents.one": "Agent",
  "agents.title": "Agenten",
  "agents.lead": "Programme, die neben Ihren Diensten laufen und sie mit diesem Server verbinden.",
  "agents.emptyPage":
    "Noch hat sich kein Agent registriert. Um einen einzuladen, erstellt ein Operator ein Registrierungstoken für ihn.",
  "agents.columns.why.label": "Grund",
  "agents.filters.q.hint": "Code oder Name",
  "agents.acts.disable.happens": [
    "Der Server lehnt die Aufrufe des Agenten ab jetzt ab und beendet seinen Long Poll.",
    "Die Dienste des Agenten werden OFFLINE. Neue Befehle werden abgelehnt, sofern sie nicht eingereiht werden. Eingereihte Befehle laufen ab, wenn Sie den Agenten nicht rechtzeitig aktivieren.",
    "Befehle, die der Agent gerade ausführt, können noch zu Ende laufen, aber der Server lehnt ihre Ergebnisse ab. Ein Befehl endet als FAILED, wenn Sie den Agenten nicht vor dessen Frist aktivieren.",
    "Der Agent kann nicht durch eine neue Registrierung zurückkehren. Er behält sein Token, das wieder gilt, sobald Sie ihn aktivieren.",
  ],
  "agents.acts.enable.happens": [
    "Der Server nimmt die Aufrufe des Agenten wieder an, mit seinem bisherigen Token.",
    "Befehle, die auf den Agenten warten und nicht abgelaufen sind, werden zugestellt und ausgeführt.",
    "Der Agent ist sofort ONLINE, wenn sein letzter Aufruf nicht zu lange her ist, sonst nach seinem nächsten Aufruf. Ein Agent, der alle 30 s abfragt, kann so lange brauchen.",
  ],
  "agents.acts.revoke-token.question": "Token von {title} widerrufen?",
  "agents.acts.revoke-token.happens": [
    "Das Token des Agenten gilt sofort und endgültig nicht mehr, und der Server beendet seinen Long Poll.",
    "Die Dienste des Agenten werden OFFLINE. Befehle, die der Agent gerade ausführt, können noch zu Ende laufen, aber der Server lehnt ihre Ergebnisse ab, bis sich der Agent neu registriert hat.",
    "Der Agent muss sich mit einem neuen Registrierungstoken neu registrieren. Mit demselben Code bleibt er derselbe Agent, mit seinen Diensten und seinem Verlauf.",
  ],
  "agents.acts.revoke-token.done":
    "Das Token von {title} ist widerrufen. Der Agent muss sich neu registrieren.",
  "agents.acts.delete.happens": [
    "Der Agent wird gelöscht, mit seinem Token und seinen Diensten samt deren Konfiguration und Aktionen.",
    "Seine Befehle, seine Ereignisse des Busses und das Prüfprotokoll bleiben, mit den Codes des Agenten und seiner Dienste. Befehle werden gelöscht, wenn ihre Aufbewahrungsfrist endet.",
    "Wenn der Agent wieder startet, muss er sich mit einem neuen Registrierungstoken registrieren und wird ein neuer Agent. Routen des Busses, die einen seiner Dienste nennen, schlagen fehl, bis der Dienst wieder gemeldet wird.",
  ],

  "api-keys.one": "API-Schlüssel",
  "api-keys.title": "API-Schlüssel",
  "api-keys.lead":
    "Programme, und platformctl auf anderen Rechnern, rufen diesen Server mit API-Schlüsseln auf.",
  "api-keys.emptyPage":
    "Es gibt keine API-Schlüssel. Programme brauchen einen; Benutzer melden sich stattdessen an.",
  "api-keys.columns.expires.none": "nie",
  "api-keys.columns.used.label": "Zuletzt verwendet",
  "api-keys.acts.revoke.question": "API-Schlüssel {title} widerrufen?",
  "api-keys.acts.revoke.happens": [
    "Der nächste Aufruf mit diesem Schlüssel wird abgelehnt, und Streams, die mit ihm geöffnet wurden, werden geschlossen. Das lässt sich nicht rückgängig machen: Jedes Programm, das den Schlüssel verwendet, braucht einen neuen.",
  ],
  "api-keys.acts.revoke.done": "Der API-Schlüssel {title} ist widerrufen.",
  "api-keys.acts.delete.question": "API-Schlüssel {title} löschen?",
  "api-keys.acts.delete.happens": [
    "Der Schlüssel gilt ohnehin nicht mehr. Das Prüfprotokoll bewahrt, was mit ihm getan wurde.",
  ],
  "api-keys.acts.delete.done": "Der API-Schlüssel {title} ist gelöscht.",

  "approval-policies.one": "Freigaberichtlinie",
  "approval-policies.title": "Freigaberichtlinien",
  "approval-policies.lead":
    "Richtlinien verlangen eine Freigabe, bevor Aktionen laufen. Die erste Richtlinie, die zu einer Aktion passt, gilt. Ohne Richtlinien braucht nichts eine Freigabe.",
  "approval-policies.emptyPage":
    "Es gibt noch keine Richtlinie, also braucht nichts eine Freigabe.",
  "approval-policies.acts.delete.question": "Richtlinie {title} löschen?",
  "approval-policies.acts.delete.happens": [
    "Für Aktionen, für die sie galt, zählen nur noch die anderen Richtlinien. Offene Anfragen brauchen ihre Freigaben weiterhin. Das lässt sich nicht rückgängig machen.",
  ],

  "approvals.one": "Freigabe",
  "approvals.title": "Freigaben",
  "approvals.lead":
    "Anfragen, Aktionen, Rollouts und Zeitpläne auszuführen, die Richtlinien erst nach einer Freigabe zulassen. Niemand kann seine eigene Anfrage freigeben.",
  "approvals.emptyPage": "Bisher hat nichts eine Freigabe gebraucht.",
  "approvals.acts.withdraw.question": "Anfrage {title} zurückziehen?",
  "approvals.acts.withdraw.happens": [
    "Die Anfrage endet, und nichts wird ausgeführt. Für die Ausführung fragen Sie erneut eine Freigabe an.",
  ],
  "approvals.acts.withdraw.done": "Die Anfrage ist zurückgezogen.",
  "approvals.acts.withdraw.keep": "Anfrage behalten",

  "bus-events.one": "Ereignis",
  "bus-events.title": "Ereignisse",
  "bus-events.lead":
    "Ereignisse, die Agenten veröffentlicht haben, mit dem Ergebnis bei jeder Route.",
  "bus-events.emptyPage": "Noch wurde kein Ereignis empfangen. Agenten veröffentlichen Ereignisse.",
  "bus-events.filters.source.hint": "Code eines Dienstes",

  "bus-routes.one": "Route des Busses",
  "bus-routes.title": "Routen",
  "bus-routes.lead":
    "Routen legen fest, welche Ereignisse zu welchen Befehlen werden. Eine Route erstellt höchstens einen Befehl je Ereignis.",
  "bus-routes.emptyPage":
    "Es gibt noch keine Route. Erstellen Sie eine, testen Sie sie, und setzen Sie sie in den Probelauf, bevor Sie sie aktivieren.",
  "bus-routes.columns.type.label": "Ereignistyp",
  "bus-routes.columns.target.label": "Führt aus",
  "bus-routes.filters.state.options.DISABLED": "Deaktiviert",
  "bus-routes.filters.state.options.DRY_RUN": "Probelauf",
  "bus-routes.filters.state.options.ENABLED": "Aktiviert",
  "bus-routes.acts.delete.question": "Route {title} löschen?",
  "bus-routes.acts.delete.happens": [
    "Die Route erstellt keine Befehle mehr. Bestehende Befehle bleiben, und Ereignisse behalten den Namen der Route. Das lässt sich nicht rückgängig machen.",
  ],

  "commands.one": "Befehl",
  "commands.title": "Befehle",
  "commands.lead":
    "Jede ausgeführte Aktion, wer sie ausgeführt hat und wie sie endete. Anfragen nach Formular und Zustand einer Aktion haben den Typ Vorbereitung.",
  "commands.emptyPage":
    "Noch wurde keine Aktion ausgeführt. Öffnen Sie einen Dienst, und wählen Sie eine seiner Aktionen.",
  "commands.columns.type.values.ACTION_PREPARE": "Vorbereitung",
  "commands.columns.type.values.ACTION_EXECUTE": "Ausführung",
  "commands.filters.type.options.": "Ausführung",
  "commands.filters.type.options.ACTION_PREPARE": "Vorbereitung",
  "commands.filters.type.options.ACTION_EXECUTE,ACTION_PREPARE": "Beide",
  "commands.acts.cancel.verb": "Befehl abbrechen",
  "commands.acts.cancel.question": "Befehl {title} abbrechen?",
  "commands.acts.cancel.keep": "Befehl behalten",
  "commands.acts.cancel.happens.PENDING": [
    "Der Agent hat den Befehl noch nicht abgeholt. Nach dem Abbruch läuft er nie.",
  ],
  "commands.acts.cancel.happens.RUNNING": [
    "Der Agent führt den Befehl aus und kann ihn noch zu Ende führen. Ein Ergebnis, das nach dem Abbruch eintrifft, wird als spätes Ergebnis aufbewahrt und ändert den Status des Befehls nicht.",
  ],
  "commands.acts.cancel.done": "Der Befehl ist abgebrochen.",

  "nodes.one": "Knoten",
  "nodes.title": "Knoten",
  "nodes.lead":
    "Die Server, die sich diese PostgreSQL-Datenbank teilen. Ein ausgefallener Server bleibt eine Stunde lang in der Liste.",
  "nodes.emptyPage": "Dieser Server verwendet SQLite, er ist also der einzige.",

  "registration-tokens.one": "Registrierungstoken",
  "registration-tokens.title": "Registrierungstoken",
  "registration-tokens.lead":
    "Mit jedem Token kann sich ein Agent einmal registrieren. Der Agent erhält dann sein eigenes Token.",
  "registration-tokens.emptyPage": "Noch wurde kein Registrierungstoken erstellt.",
  "registration-tokens.columns.expires.none": "nie",
  "registration-tokens.columns.agent.label": "Verwendet von",
  "registration-tokens.acts.revoke.question": "Registrierungstoken {title} widerrufen?",
  "registration-tokens.acts.revoke.happens.ACTIVE": [
    "Ab jetzt kann sich kein Agent mit diesem Token registrieren. Das lässt sich nicht rückgängig machen.",
  ],
  "registration-tokens.acts.revoke.happens.USED": [
    "Ein Agent hat sich mit diesem Token bereits registriert und behält sein eigenes Token. Um ihn auszusperren, widerrufen Sie das Token des Agenten auf dessen Seite.",
  ],
  "registration-tokens.acts.revoke.done": "Das Registrierungstoken {title} ist widerrufen.",
  "registration-tokens.acts.delete.question": "Registrierungstoken {title} löschen?",
  "registration-tokens.acts.delete.happens": [
    "Das Registrierungstoken verschwindet aus dieser Liste. Das Prüfprotokoll bewahrt, was mit ihm getan wurde, und ein Agent, der sich mit ihm registriert hat, bleibt.",
  ],
  "registration-tokens.acts.delete.done": "Das Registrierungstoken {title} ist gelöscht.",

  "rollouts.one": "Rollout",
  "rollouts.title": "Rollouts",
  "rollouts.lead":
    "Jedes Rollout führt eine Aktion in Wellen auf vielen Diensten aus und stoppt, wenn zu viele fehlschlagen.",
  "rollouts.emptyPage": "Noch wurde kein Rollout gestartet.",
  "rollouts.acts.pause.happens": [
    "Das Rollout erstellt keine weiteren Befehle. Bestehende laufen weiter, und ihre Ergebnisse werden erfasst.",
  ],
  "rollouts.acts.resume.happens": ["Das Rollout läuft mit den nächsten Diensten weiter."],
  "rollouts.acts.cancel.question": "Rollout {title} abbrechen?",
  "rollouts.acts.cancel.happens": [
    "Das Rollout erstellt keine weiteren Befehle und kann nicht fortgesetzt werden. Bestehende Befehle laufen weiter, wenn Sie sie nicht auch abbrechen.",
  ],
  "rollouts.acts.cancel.done": "{title} ist abgebrochen.",
  "rollouts.acts.cancel.keep": "Rollout behalten",

  "saved-views.one": "gespeicherte Ansicht",
  "saved-views.title": "Ansichten",
  "saved-views.lead":
    "Eine Ansicht ist eine Liste mit ihren Filtern, ihrer Sortierung und ihren Spalten. Geteilte Ansichten sind für alle, alle übrigen nur für Sie.",
  "saved-views.emptyPage":
    "Noch wurde keine Ansicht gespeichert. Setzen Sie die Filter einer Liste, und speichern Sie sie als Ansicht.",
  "saved-views.filters.shared.options.true": "Geteilt",
  "saved-views.filters.shared.options.false": "Nur Ihre",
  "saved-views.acts.delete.question": "Ansicht {title} löschen?",
  "saved-views.acts.delete.happens": [
    "Die Ansicht verschwindet. Listen und ihre Einträge ändern sich nicht.",
  ],

  "schedules.one": "Zeitplan",
  "schedules.title": "Zeitpläne",
  "schedules.lead":
    "Jeder Zeitplan führt eine Aktion eines Dienstes oder ein Rollout aus, wann immer er fällig ist.",
  "schedules.emptyPage": "Es gibt noch keinen Zeitplan.",
  "schedules.columns.next.label": "Nächster Lauf",
  "schedules.columns.next.none": "keiner",
  "schedules.columns.last.label": "Letzter Lauf",
  "schedules.columns.last.none": "noch keiner",
  "schedules.columns.note.label": "Warum er nicht läuft",
  "schedules.acts.pause.happens": [
    "Der Zeitplan läuft nicht, bis er fortgesetzt wird. Läufe, die schon begonnen haben, laufen weiter.",
  ],
  "schedules.acts.resume.happens": [
    "Der Zeitplan läuft wieder, wenn er das nächste Mal fällig ist. Läufe, die währenddessen fällig waren, werden nicht nachgeholt.",
  ],
  "schedules.acts.delete.question": "Zeitplan {title} löschen?",
  "schedules.acts.delete.happens": [
    "Der Zeitplan und der Verlauf seiner Läufe werden gelöscht. Befehle und Rollouts, die er gestartet hat, bleiben. Das lässt sich nicht rückgängig machen.",
  ],

  "services.one": "Dienst",
  "services.title": "Dienste",
  "services.lead": "Die Dienste, die Ihre Agenten verwalten, so wie die Agenten sie melden.",
  "services.emptyPage":
    "Noch wurde kein Dienst gemeldet. Agenten melden ihre Dienste nach der Registrierung.",
  "services.filters.q.hint": "Code oder Name",
  "services.acts.delete.question": "{title} von {agentCode} löschen?",
  "services.acts.delete.happens": [
    "Der Dienst wird gelöscht, mit seiner Konfiguration und seinen Aktionen.",
    "Seine Befehle, seine Ereignisse des Busses und das Prüfprotokoll bleiben, mit seinem Code. Befehle werden gelöscht, wenn ihre Aufbewahrungsfrist endet.",
    "Wenn ein Agent den Dienst wieder meldet, kommt er als neuer Dienst zurück. Bis dahin schlagen Routen des Busses fehl, die ihn nennen.",
  ],

  "users.one": "Benutzer",
  "users.title": "Benutzer",
  "users.lead":
    "Personen, die sich hier anmelden können. Programme verwenden stattdessen API-Schlüssel.",
  "users.columns.last login.none": "nie",
  "users.filters.q.hint": "Teil eines Benutzernamens",
  "users.acts.end-sessions.question": "Alle Sitzungen von {title} beenden?",
  "users.acts.end-sessions.happens": [
    "Der Benutzer wird sofort überall abgemeldet und kann sich wieder anmelden.",
  ],
  "users.acts.end-sessions.done": "Sitzungen beendet: {ended}.",
  "users.acts.disable.happens": [
    "Der Benutzer wird sofort überall abgemeldet und kann sich erst wieder anmelden, wenn er aktiviert wird.",
  ],
  "users.acts.disable.done": "Der Benutzer {title} ist deaktiviert.",
  "users.acts.enable.happens": [
    "Der Benutzer kann sich wieder anmelden, mit demselben Passwort wie zuvor.",
  ],
  "users.acts.enable.done": "Der Benutzer {title} ist aktiviert.",
  "users.acts.delete.happens": [
    "Der Benutzer wird sofort abgemeldet. Das Prüfprotokoll bewahrt unter seinem Namen, was er getan hat. Das lässt sich nicht rückgängig machen: Um einen Benutzer vorübergehend auszusperren, deaktivieren Sie ihn.",
  ],
  "users.acts.delete.done": "Der Benutzer {title} ist gelöscht.",
};
