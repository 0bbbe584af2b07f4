import type { Texts } from "../index.ts";

export const agents: Texts["agents"] = {
  mode: "Modus",
  registered: "Registriert",

  life: "Verbindung",
  meaning: {
    ONLINE: (within) =>
      `Der Agent hat sich innerhalb der letzten ${within} gemeldet. Dabei zählt jeder Aufruf, nicht nur ein Heartbeat.`,
    SILENT: (after) =>
      `Der Agent hat sich seit mehr als ${after} nicht gemeldet. Mit seinem nächsten Aufruf ist er wieder ONLINE.`,
    STOPPED:
      "Der Agent hat gemeldet, dass er beendet wird. Mit seinem nächsten Aufruf ist er wieder ONLINE.",
    TOKEN_REVOKED:
      "Das Token des Agenten wurde widerrufen. Der Server lehnt die Aufrufe des Agenten ab, bis er sich neu registriert hat.",
    DISABLED:
      "Ein Operator hat den Agenten deaktiviert. Der Server lehnt daher seine Aufrufe ab, und seine Dienste sind OFFLINE. Befehle für diese Dienste werden abgelehnt, sofern sie nicht eingereiht werden.",
  },
  disabledSince: "Deaktiviert",
  token: "Agententoken",
  tokenSince: "Ausgestellt",
  withoutToken: "Token widerrufen",
  tokenRevokedMeaning:
    "Der Agent hat kein gültiges Token und muss sich mit einem neuen Registrierungstoken neu registrieren. Bis dahin lehnt der Server seine Aufrufe ab, und seine Dienste sind OFFLINE.",
  services: "Dienste",
  since: "Seit",
  servicesLabel: "Dienste dieses Agenten",
  noServices: "Der Agent hat noch keine Dienste gemeldet.",
  refused: "Abgelehnte Dienste",
  refusedMeaning:
    "Der Agent meldet diese Dienste, sie gehören aber anderen Agenten. Der Server ignoriert daher seine Meldungen. Der Agent übernimmt einen Dienst, wenn der andere Agent offline oder deaktiviert ist oder kein Token hat, oder wenn ein Operator den Dienst verschiebt.",
  refusedService: "{service} gehört zu {agent}; erstmals abgelehnt {time}",
  commands: "Letzte Befehle",
  audit: "Prüfprotokoll",
};
