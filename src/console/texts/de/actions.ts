import type { Texts } from "../index.ts";

export const actions: Texts["actions"] = {
  danger: (level) => `Gefahr ${level}`,
  on: (service, agent) => `Läuft auf dem Dienst ${service}, über den Agenten ${agent}.`,
  state: "Aktueller Zustand",
  input: "Eingabe",
  reason: "Grund",
  reasonHint: "Wird mit dem Befehl und im Prüfprotokoll gespeichert.",
  ifUnchanged: "Nur bei unverändertem Zustand",
  ifUnchangedHint:
    "Der Agent vergleicht den Zustand noch einmal, unmittelbar bevor er die Aktion ausführt. Hat er sich geändert, wird nichts ausgeführt.",
  runThis: (label) => `${label} ausführen`,
  prepareAgain: "Neu vorbereiten",
  preparing: {
    title: "Wird vorbereitet",
    asking: "Formular und aktueller Zustand werden beim Agenten abgefragt …",
    waiting: "Der Agent hat den Befehl noch nicht abgeholt …",
    running: "Der Agent bereitet das Formular vor …",
  },
  failed: {
    title: "Die Aktion konnte nicht vorbereitet werden",
    agentSays: "Meldung des Agenten",
    code: "Fehlercode",
    command: "Befehl",
    without: "Ohne Vorbereitung fortfahren",
    withoutWhy:
      "Das Formular stammt dann aus dem Katalog des Dienstes, und der aktuelle Zustand ist unbekannt.",
    advice: {
      ACTION_PREPARE_TIMEOUT:
        "Der Agent hat nicht rechtzeitig geantwortet. Vielleicht ist er ausgelastet, oder der Dienst antwortet nicht. Prüfen Sie den Agenten, und bereiten Sie die Aktion dann neu vor.",
      ACTION_PREPARE_FAILED:
        "Der Agent konnte die Aktion nicht vorbereiten. Die Meldung stammt vom Dienst.",
      AGENT_OFFLINE:
        "Der Agent ist offline und kann das Formular nicht vorbereiten. Sie können ohne Vorbereitung fortfahren und den Befehl einreihen. Er läuft, sobald der Agent wieder da ist, sofern er nicht vorher abläuft.",
      AGENT_DISABLED:
        "Der Agent ist deaktiviert. Aktivieren Sie ihn, bevor Sie ihm Befehle senden.",
      ACTION_NOT_FOUND:
        "Der Dienst bietet diese Aktion nicht mehr an. Wählen Sie auf seiner Seite eine andere.",
      SERVICE_NOT_FOUND: "Der Dienst existiert nicht mehr.",
      COMMAND_ALREADY_COMPLETED:
        "Jemand hat die Vorbereitung abgebrochen. Bereiten Sie die Aktion neu vor, um fortzufahren.",
    },
  },
  unprepared:
    "Die Aktion wurde nicht vorbereitet. Dieses Formular stammt aus dem Katalog des Dienstes.",
  confirm: {
    title: (label) => `${label} ausführen?`,
    what: (label, service, agent) =>
      `Der Agent ${agent} führt „${label}“ auf dem Dienst ${service} aus.`,
    unchanged: "Sie läuft nur, wenn der Zustand noch der hier angezeigte ist.",
    high: "Diese Aktion hat die Gefahrenstufe HIGH. Sie lässt sich möglicherweise nicht rückgängig machen.",
    empty: "Der Payload ist leer.",
    word: (service) => `Geben Sie zur Bestätigung den Code ${service} ein`,
    verb: "Aktion ausführen",
  },
  queue: {
    title: "Der Agent ist nicht erreichbar",
    what: (agent, expiresIn) =>
      `${agent} ist derzeit nicht erreichbar. Sie können den Befehl einreihen. Er läuft, sobald der Agent wieder da ist, sofern er nicht vorher abläuft: nach ${expiresIn}.`,
    disabled: (agent, expiresIn) =>
      `${agent} ist deaktiviert oder hat kein Token. Sie können den Befehl einreihen. Er läuft, sobald der Agent wieder da ist, sofern er nicht vorher abläuft: nach ${expiresIn}.`,
    verb: "Befehl einreihen",
  },
};
