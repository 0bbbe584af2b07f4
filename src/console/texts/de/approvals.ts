import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

const named = (policies: readonly string[]) =>
  policies.length === 1
    ? `Die Richtlinie ${policies[0]} verlangt`
    : `Die Richtlinien ${policies.slice(0, -1).join(", ")} und ${policies.at(-1)} verlangen`;

export const approvals: Texts["approvals"] = {
  pending: (many) =>
    plural(many, {
      one: "# Anfrage von anderen wartet auf Freigabe",
      other: "# Anfragen von anderen warten auf Freigabe",
    }),
  tabs: { label: "Freigaben", inbox: "Eingang", all: "Alle Anfragen" },

  inbox: {
    yours: "Von Ihnen zu entscheiden",
    others: "Von anderen zu entscheiden",
    none: "Nichts wartet auf Ihre Entscheidung.",
    noneAtAll: "Keine Anfrage wartet auf Freigabe.",
    request: "Anfrage",
    policies: "Richtlinien",
    by: "Angefragt von",
    you: "Ihnen",
    more: (many) =>
      plural(many, {
        one: "Die Anfrage, die auf Freigabe wartet",
        other: "Alle # Anfragen, die auf Freigabe warten",
        bound: "Alle Anfragen, die auf Freigabe warten (#)",
      }),
  },

  needed: {
    text: (policies) =>
      `${named(policies)} eine Freigabe. Nichts wird ausgeführt, bis jemand anderes Ihre Anfrage freigegeben hat.`,
    verb: "Freigabe anfragen",
  },

  glass: {
    label: "Notfall: ohne Freigabe ausführen",
    loud: "Das Prüfprotokoll und das Log des Servers halten dies mit Ihrem Namen und dem Grund fest, und die Übersicht zeigt es allen 7 Tage lang.",
    reason: "Warum es nicht warten kann",
    verb: "Ohne Freigabe ausführen",
  },

  waiting: {
    title: "Wartet auf Freigabe",
    nothingYet: "Vor der Freigabe wird nichts ausgeführt.",
    own: "Sie haben dies angefragt. Deshalb muss es jemand anderes freigeben.",
    open: "Anfrage öffnen",
    expires: "Läuft ab: {time}",
  },

  ended: {
    APPROVED: "Die Anfrage wurde freigegeben.",
    REJECTED: "Die Anfrage wurde abgelehnt. Nichts wird ausgeführt.",
    WITHDRAWN: "Die Anfrage wurde zurückgezogen. Nichts wird ausgeführt.",
    EXPIRED:
      "Die Anfrage ist vor der Freigabe abgelaufen. Nichts wird ausgeführt. Fragen Sie bei Bedarf erneut an.",
    OUTDATED:
      "Was ausgeführt würde, hat sich seit der Anfrage geändert. Daher wird nichts ausgeführt. Fragen Sie für den jetzigen Stand erneut an.",
    FAILED: "Die Anfrage wurde freigegeben, konnte aber nicht ausgeführt werden.",
    BYPASSED: "Ein Owner hat sie ohne Freigabe ausgeführt.",
  },
  runsRollout: "Rollout",
  runsSchedule: "Zeitplan",
  because: (reason) => `Grund: ${reason}`,

  detail: {
    what: "Was ausgeführt wird",
    whatRan: "Was angefragt wurde",
    command: "Befehl",
    asked: "Angefragt",
    by: "Angefragt von",
    withKey: "{user} mit dem API-Schlüssel {name}",
    expires: "Läuft ab",
    ended: "Beendet",
    digest: "Digest",
    digestHint:
      "Bezeichnet genau das, was ausgeführt wird. Eine Freigabe gilt nur für diesen Digest.",
    withheld: "Geheimnisse werden nicht angezeigt. Sie sind Teil des Digests.",
    ifUnchanged: "Nur bei unverändertem Zustand",
    retryOf: "Wiederholung von",
    timeout: "Timeout",
    ownPayloads: "Payloads einzelner Dienste",
    targets: "Ziele nach Welle",
    wave: "Welle",
    services: "Dienste",
    codes: "Codes",
    gone: "Das Rollout existiert nicht mehr. Angefragt wurde:",
    dues: "Nächste Läufe",
  },

  requirements: {
    title: "Nötige Freigaben",
    progress: (done, needed) =>
      `${count(done)} von ${plural(needed, { one: "# Freigabe", other: "# Freigaben" })}`,
    from: { operator: "einem Operator oder Owner", owner: "einem Owner" },
    nobody: "niemandem, weil diese Benutzer gelöscht wurden",
    who: (who) => `von ${who}`,
    by: (names) => `freigegeben von ${names}`,
  },

  decisions: {
    title: "Entscheidungen",
    none: "Noch niemand hat entschieden.",
    who: "Benutzer",
    what: "Entscheidung",
    when: "Zeit",
    comment: "Kommentar",
    words: { APPROVE: "APPROVED", REJECT: "REJECTED" },
  },

  approve: {
    verb: "Freigeben",
    title: (title) => `${title} freigeben?`,
    runs: "Mit Ihrer Freigabe beginnt die Ausführung sofort, im Namen der anfragenden Person.",
    counts: "Ihre Freigabe ist gespeichert. Bis zur Ausführung sind aber weitere Freigaben nötig.",
    schedule: "Mit Ihrer Freigabe läuft der Zeitplan, wenn er fällig ist.",
    comment: "Kommentar",
    commentHint: "Wird mit Ihrer Entscheidung und im Prüfprotokoll gespeichert.",
    digest: "Sie geben genau das frei, was dieser Digest bezeichnet:",
    done: "Sie haben die Anfrage freigegeben.",
    changed:
      "Die Anfrage hat sich geändert, seit Sie sie gelesen haben. Die Seite zeigt jetzt, was ausgeführt würde. Lesen Sie es, und entscheiden Sie dann neu.",
  },
  reject: {
    verb: "Ablehnen",
    title: (title) => `${title} ablehnen?`,
    what: "Die Anfrage endet, und nichts wird ausgeführt.",
    reason: "Grund",
    reasonHint: "Wird der anfragenden Person angezeigt.",
    done: "Sie haben die Anfrage abgelehnt.",
  },
  errors: {
    OWN_REQUEST: "Sie haben dies selbst angefragt. Deshalb muss jemand anderes entscheiden.",
    NOT_AN_APPROVER:
      "Die Richtlinien dieser Anfrage lassen Sie nicht entscheiden. Fragen Sie jemanden, der freigeben darf.",
    APPROVAL_WRONG_STATE: "Die Anfrage ist bereits beendet. Die Seite zeigt jetzt ihren Status.",
    AGENT_OFFLINE:
      "Der Agent ist offline, die Aktion kann jetzt also nicht laufen. Ihre Freigabe wurde nicht gespeichert. Geben Sie die Anfrage erneut frei, wenn der Agent wieder da ist.",
    AGENT_DISABLED:
      "Der Agent ist deaktiviert. Ihre Freigabe wurde nicht gespeichert. Aktivieren Sie den Agenten, und geben Sie die Anfrage dann erneut frei.",
  },
};
