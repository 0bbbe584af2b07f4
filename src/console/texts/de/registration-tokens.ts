import type { Texts } from "../index.ts";
import { expiries } from "./words.ts";

export const registrationTokens: Texts["registrationTokens"] = {
  toAgent: "Zum Agenten",
  create: "Registrierungstoken erstellen",

  form: {
    nameHint: "Zum Beispiel, für welchen Agenten das Token ist oder wer es erhält.",
    agent: "Code des Agenten",
    agentHint: "Ein Code wie edge-7 oder ein Präfix wie edge-*. Leer für beliebige Agenten.",
    labelsHint:
      "Werden dem Agenten zugewiesen, der sich registriert. Eines pro Zeile, zum Beispiel env=prod.",
    replace: "Das Token darf einen Agenten ersetzen, der online ist",
    replaceHint:
      "Normalerweise kann sich kein Agent mit dem Code eines Agenten registrieren, der online ist. Das Token des ersetzten Agenten wird widerrufen.",
    expiresHint:
      "Danach kann sich kein Agent mehr mit diesem Token registrieren. Bereits registrierte Agenten sind nicht betroffen.",
    choices: {
      "3600": expiries.hour,
      "86400": expiries.day,
      "604800": expiries.week,
      "0": expiries.never,
      at: "Zu einer bestimmten Zeit",
    },
    at: "Zeit",
    atHint: (zone) => `Ihre Ortszeit (${zone}).`,
  },

  once: {
    title: "Registrierungstoken erstellt",
    label: "Registrierungstoken",
    warning: "Kopieren Sie das Token jetzt: Es wird nur einmal angezeigt.",
    registered: (agent) => `Der Agent ${agent} hat sich mit diesem Token registriert.`,
    expires: "Das Token läuft ab: {time}.",
    sidecar: "Mit dem Sidecar",
    sidecarLead:
      "Führen Sie diese Befehle auf dem Host des Agenten aus, auf dem platform installiert ist. Der erste Befehl schreibt eine Konfigurationsdatei, die ohne Änderungen funktioniert. Lesen Sie die Datei, bevor Sie den zweiten Befehl ausführen.",
    copySidecar: "Befehle kopieren",
    curl: "Mit Ihrem eigenen Agenten",
    curlLead: (code) =>
      `Dieser Aufruf registriert den Agenten. Ersetzen Sie ${code} durch den Code des Agenten, und bewahren Sie das agentToken aus der Antwort auf: Es wird nicht noch einmal angezeigt.`,
    copyCurl: "Befehl kopieren",
    loopback:
      "Diese Adresse funktioniert nur auf Ihrem eigenen Rechner. Verwenden Sie auf einem anderen Host die Adresse, unter der er diesen Server erreicht.",
    exampleCode: "my-agent",
  },
};
