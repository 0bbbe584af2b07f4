import type { Amount } from "../amounts.ts";
import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

const days = (many: Amount) => plural(many, { one: "# Tag", other: "# Tage" });
const dativeDays = (many: Amount) => plural(many, { one: "# Tag", other: "# Tagen" });

const totals = {
  agents: "Agenten",
  capsuleServices: "Dienste",
  registrationTokens: "Registrierungstoken",
  commands: "Befehle",
};
const byStatus = { ...totals, rollouts: "Rollouts" };

export const settings: Texts["settings"] = {
  title: "Einstellungen",
  tabs: {
    maintenance: "Wartung",
    diagnostics: "Diagnose",
    nodes: "Knoten",
    metrics: "Metriken",
    backup: "Sicherung",
  },
  api: "API-Dokumentation (OpenAPI)",

  run: {
    title: "Wartungslauf",
    says: "Im unten angegebenen Abstand setzt der Server stille Agenten auf OFFLINE, lässt Befehle und Zugangsdaten ablaufen und löscht Daten, deren Aufbewahrungsfrist vorbei ist.",
    saysToOperators:
      "Der Server setzt regelmäßig stille Agenten auf OFFLINE, lässt Befehle und Zugangsdaten ablaufen und löscht Daten, deren Aufbewahrungsfrist vorbei ist.",
    verb: "Jetzt ausführen",
    nothing: "Es gab nichts zu tun.",
    did: {
      agentsOffline: (many) =>
        plural(many, { one: "# Agent ist jetzt OFFLINE", other: "# Agenten sind jetzt OFFLINE" }),
      serviceStatusesStored: (many) =>
        plural(many, {
          one: "# Status eines Dienstes wurde gespeichert",
          other: "# Status von Diensten wurden gespeichert",
        }),
      commandsExpired: (many) =>
        plural(many, { one: "# Befehl ist abgelaufen", other: "# Befehle sind abgelaufen" }),
      registrationTokensExpired: (many) =>
        plural(many, {
          one: "# Registrierungstoken ist abgelaufen",
          other: "# Registrierungstoken sind abgelaufen",
        }),
      sessionsEnded: (many) =>
        plural(many, { one: "# Sitzung wurde beendet", other: "# Sitzungen wurden beendet" }),
      auditEventsPruned: (many) =>
        plural(many, {
          one: "# Ereignis des Prüfprotokolls wurde gelöscht",
          other: "# Ereignisse des Prüfprotokolls wurden gelöscht",
        }),
      busEventsPruned: (many) =>
        plural(many, {
          one: "# Ereignis des Busses wurde gelöscht",
          other: "# Ereignisse des Busses wurden gelöscht",
        }),
      commandsPruned: (many) =>
        plural(many, { one: "# Befehl wurde gelöscht", other: "# Befehle wurden gelöscht" }),
      rolloutsPruned: (many) =>
        plural(many, { one: "# Rollout wurde gelöscht", other: "# Rollouts wurden gelöscht" }),
      servicePeriodsPruned: (many) =>
        plural(many, {
          one: "# Abschnitt im Verlauf eines Dienstes wurde gelöscht",
          other: "# Abschnitte in Verläufen von Diensten wurden gelöscht",
        }),
      credentialsPruned: (many) =>
        plural(many, {
          one: "# Satz abgelaufener oder widerrufener Zugangsdaten wurde gelöscht",
          other: "# Sätze abgelaufener oder widerrufener Zugangsdaten wurden gelöscht",
        }),
      agentsDeleted: (many) =>
        plural(many, {
          one: "# stiller Agent wurde gelöscht",
          other: "# stille Agenten wurden gelöscht",
        }),
      servicesDeleted: (many) =>
        plural(many, {
          one: "# stiller Dienst wurde gelöscht",
          other: "# stille Dienste wurden gelöscht",
        }),
    },
    took: (duration) => `Dauer: ${duration}.`,
  },

  form: {
    title: "Einstellungen der Installation",
    says: "Änderungen gelten sofort und haben Vorrang vor der Konfiguration des Servers.",
    fields: {
      workspaceName: "Name des Arbeitsbereichs",
      maintenanceIntervalSeconds: "Sekunden zwischen Wartungsläufen",
      auditRetentionDays: "Tage, die das Prüfprotokoll aufbewahrt wird",
      busEventRetentionDays: "Tage, die Ereignisse des Busses aufbewahrt werden",
      commandRetentionDays: "Tage, die Befehle aufbewahrt werden",
      silentRetentionDays: "Tage, die stille Agenten und Dienste aufbewahrt werden",
      serviceHistoryRetentionDays: "Tage, die der Statusverlauf von Diensten aufbewahrt wird",
      operatorLabels: "Labels, die Agenten nicht melden können",
    },
    hints: {
      workspaceName: "Steht über der Navigation.",
      maintenanceIntervalSeconds: "1 bis 86.400.",
      auditRetentionDays: "Mit 0 für immer.",
      busEventRetentionDays: "Mit 0 für immer.",
      commandRetentionDays:
        "Gezählt ab dem Ende des Befehls. Das Ergebnis wird mit dem Befehl gelöscht. Mit 0 für immer.",
      silentRetentionDays:
        "Agenten, die OFFLINE sind, und Dienste, die kein Agent meldet. Mit 0 für immer.",
      serviceHistoryRetentionDays:
        "Die Seite eines Dienstes zeigt bis zu 30 Tage, bei kürzerer Aufbewahrung weniger. Mit 0 für immer.",
      operatorLabels:
        "Namen, getrennt durch Kommas, zum Beispiel env,tier,team. Von Labels mit diesen Namen zählen nur die, die Owner zuweisen.",
    },
    configured: (value) => `Konfigurierter Wert: ${value}.`,
    changed: "Hier geändert.",
    declared:
      "Das nächste apply macht Änderungen an den Einstellungen rückgängig, die durch Dateien verwaltet werden.",
    back: "Auf den konfigurierten Wert zurücksetzen",
    backOf: (field) => `Auf den konfigurierten Wert zurücksetzen: ${field}`,
    saved: "Die Einstellungen wurden gespeichert.",
    unchanged: "Nichts wurde geändert.",
  },

  shorter: {
    title: "Daten früher löschen?",
    audit: (many) =>
      `Der nächste Wartungslauf löscht Ereignisse des Prüfprotokolls, die älter als ${days(many)} sind. Das übrige Protokoll lässt sich weiterhin prüfen.`,
    bus: (many) =>
      `Der nächste Wartungslauf löscht Ereignisse des Busses, die älter als ${days(many)} sind, mit ihren Ergebnissen.`,
    commands: (many) =>
      `Der nächste Wartungslauf löscht Befehle, die vor mehr als ${dativeDays(many)} geendet haben, mit ihren Ergebnissen. Ihre Ereignisse im Prüfprotokoll bleiben.`,
    silent: (many) =>
      `Der nächste Wartungslauf löscht Agenten, die seit mehr als ${dativeDays(many)} OFFLINE sind, mit ihren Diensten und Token, und Dienste, die so lange kein Agent gemeldet hat. Ein gelöschter Agent muss sich neu registrieren.`,
    history: (many) =>
      `Der nächste Wartungslauf löscht den Statusverlauf von Diensten, der älter als ${days(many)} ist.`,
    nowEvents: (many) =>
      plural(many, {
        one: "Das betrifft derzeit # Ereignis.",
        other: "Das betrifft derzeit # Ereignisse.",
      }),
    nowCommands: (many) =>
      plural(many, {
        one: "Das betrifft derzeit # Befehl.",
        other: "Das betrifft derzeit # Befehle.",
      }),
    verb: "Speichern und Daten löschen",
  },

  diagnostics: {
    says: "Sehen Sie bei Problemen zuerst hier nach. Diese Werte enthalten keine Geheimnisse.",
    copy: "Als JSON kopieren",
    service: "Programm",
    process: "Prozess",
    database: "Datenbank",
    queues: "Warteschlangen",
    delay: "Verzögerung der Event Loop",
    limits: "Grenzen für Clients",
    configuration: "Konfiguration",
    names: {
      edition: "Edition",
      commit: "Commit",
      buildTime: "Erstellt",
      contractVersion: "Version des Agentenvertrags",
      pid: "Prozess-ID",
      node: "Node.js",
      system: "System",
      uptime: "Laufzeit",
      cpu: "CPU-Zeit",
      resident: "Belegter Speicher",
      heap: "Heap-Speicher",
      heapOf: (used, total) => `${used} von ${total}`,
      external: "Externer Speicher",
      engine: "Engine",
      fileName: "Datei",
      size: "Größe",
      wal: "Write-Ahead-Log",
      pages: "Seiten",
      pagesOf: (pages, free) => `${count(pages)}, davon ${count(free)} frei`,
      schema: "Schema",
      migrated: "Letzte Migration",
      now: "Serverzeit",
      startedAt: "Gestartet",
      moved: "Verstellung der Systemuhr",
      connections: "Offene Verbindungen",
      pendingBodies: "Anfragen im Speicher",
      pendingOutput: "Ungelesene Antworten",
      connectionsPerAddress: "Erlaubte Verbindungen je Adresse",
      requestsPerSecond: "Erlaubte Anfragen je Sekunde und Zugang",
      stalledOutput: "Zeitlimit für ungelesene Antworten",
      unlimited: "keine Grenze",
      ofAllowed: (used, allowed) => `${used} von ${allowed}`,
    },
    queued: {
      writes: "Noch nicht gespeicherte Schreibvorgänge",
      heldPolls: "Offene Long Polls",
      waitingReaders: "Aufrufer, die auf einen Befehl warten",
      passwordsRunning: "Passwörter in Prüfung",
      passwordsWaiting: "Passwörter, die auf Prüfung warten",
      oneTimeSecrets: "Noch nicht abgeholte einmalige Geheimnisse",
    },
    delays: { p50Ms: "p50", p99Ms: "p99", maxMs: "Maximum" },
    limitReached: {
      connections: "Abgelehnte Verbindungen",
      connectionsPerAddress: "Abgelehnte Verbindungen einer Adresse",
      idleConnections: "Geschlossene ungenutzte Verbindungen, um Platz zu schaffen",
      pipelinedRequests: "Geschlossene Verbindungen: zu viele Anfragen auf einmal",
      stalledOutput: "Geschlossene Verbindungen: Client las nicht weiter",
      pendingOutput: "Geschlossene Verbindungen: zu viele ungelesene Antworten",
      pendingBodies: "Abgelehnte große Anfragen",
      requestsPerCredential: "Abgelehnte Anfragen eines Zugangs",
      failedRegistrations: "Nach Fehlschlägen abgelehnte Registrierungen",
      streams: "Abgelehnte Live-Streams",
      commandOutput: "Abgelehnte Aufrufe mit Ausgabe von Befehlen",
      logLines: "Verworfene Logzeilen",
    },
    configured: {
      workspaceName: "Name des Arbeitsbereichs",
      agentOfflineThresholdSeconds:
        "Ein stiller Agent ist OFFLINE und seine Dienste sind STALE nach",
      agentSuppressAfterSeconds: "Seine Dienste sind OFFLINE nach",
      serviceStaleThresholdSeconds: "Ein Dienst ohne Meldungen ist STALE nach",
      agentHeartbeatIntervalSeconds: "Agenten sollen einen Heartbeat senden alle",
      agentReportIntervalSeconds: "Agenten sollen melden alle",
      commandTtlSeconds: "Ein Befehl läuft ab nach",
      registrationTokenTtlSeconds: "Ein Registrierungstoken läuft ab nach",
      sessionTtlSeconds: "Eine ungenutzte Sitzung endet nach",
      maintenanceIntervalSeconds: "Abstand der Wartungsläufe",
      auditRetentionDays: "Aufbewahrung des Prüfprotokolls",
      busEventRetentionDays: "Aufbewahrung von Ereignissen des Busses",
      commandRetentionDays: "Aufbewahrung von Befehlen",
      silentRetentionDays: "Aufbewahrung stiller Agenten und Dienste",
      serviceHistoryRetentionDays: "Aufbewahrung des Statusverlaufs von Diensten",
    },
    counted: {
      maxServicesPerAgent: "Erlaubte Dienste je Agent",
      metricsMaxSeries: "Erlaubte Zeitreihen in den Metriken",
    },
    days,
    forEver: "für immer",
  },

  metrics: {
    says: "Gezählt seit dem Anlegen der Datenbank, über Neustarts hinweg.",
    prometheus: "Prometheus-Format",
    operational: {
      title: "Befehle und Agenten",
      names: {
        agentCommandPolls: "Abfragen von Befehlen",
        commandsDispatched: "Zugestellte Befehle",
        commandsCompleted: "Erfolgreiche Befehle",
        commandsFailed: "Fehlgeschlagene Befehle",
        actionPrepareRequested: "Vorbereitete Aktionen",
        actionPrepareTimeouts: "Vorbereitungen mit Zeitüberschreitung",
        actionPrepareFailures: "Fehlgeschlagene Vorbereitungen",
        oversizedCommandResultsRejected: "Wegen ihrer Größe abgelehnte Ergebnisse",
        staleOnlineAgents: "Stille Agenten, die noch nicht als OFFLINE gelten",
      },
    },
    bus: {
      title: "Ereignisbus",
      names: {
        eventsReceived: "Empfangene Ereignisse",
        eventsDuplicate: "Doppelte Ereignisse",
        eventsRejected: "Abgelehnte Ereignisse",
        eventsRateLimited: "Wegen der Ratenbegrenzung abgelehnte Ereignisse",
        commandsCreated: "Durch Ereignisse erstellte Befehle",
        routesFailed: "Passende Ereignisse ohne Befehl",
      },
    },
    durations: {
      title: "Dauer von Befehlen",
      sampleSize: "Befehle in der Stichprobe",
      p50Ms: "p50",
      p95Ms: "p95",
      maxMs: "Maximum",
      meanMs: "Mittelwert",
      none: "noch keine",
    },
    helps: {
      actionPrepareTimeouts:
        "Agenten haben das Formular nicht rechtzeitig geliefert. Prüfen Sie, ob sie online und nicht überlastet sind.",
      actionPrepareFailures:
        "Agenten konnten eine Aktion nicht vorbereiten. Die Fehler stehen in den Befehlen der Art Prepare.",
      oversizedCommandResultsRejected:
        "Agenten haben größere Ergebnisse gesendet, als der Server annimmt. Lassen Sie die Aktionen weniger oder den Namen einer Datei zurückgeben.",
      staleOnlineAgents:
        "Diese Agenten schweigen länger, als der Schwellenwert erlaubt. Die nächste Wartung setzt sie auf OFFLINE.",
      eventsRejected:
        "Agenten haben Ereignisse zu fremden Diensten gesendet, oder Ereignisse, die aus zu vielen anderen folgen.",
      eventsRateLimited:
        "Agenten haben schneller Ereignisse gesendet, als das Limit erlaubt. Das Prüfprotokoll zeigt, welcher zu viele sendet.",
      routesFailed:
        "Routen passten auf ein Ereignis, konnten aber keinen Befehl erstellen. Der Grund steht bei den Ereignissen.",
    },
    errors: "Häufigste Fehler",
    byStatus,
    totals: {
      title: "Objekte in der Datenbank",
      names: { users: "Benutzer", ...totals, auditEvents: "Ereignisse im Prüfprotokoll" },
    },
  },

  backup: {
    says: "Eine Sicherung enthält die ganze Datenbank in einer Datei. Bevor der Server die Datei sendet, prüft er, ob sie fehlerfrei und die Kette ihres Prüfprotokolls intakt ist.",
    keys: "Die Datei enthält nicht die Schlüssel, die neben der Datenbank gespeichert sind. Wer die Datei hat, kann alles lesen, was der Server weiß. Schützen Sie sie also wie die Datenbank.",
    postgresql:
      "PostgreSQL hat ein eigenes Programm für Sicherungen, das auch funktioniert, während Server die Datenbank nutzen. Führen Sie es mit der URL der Datenbank aus:",
    size: "Die Datenbank ist {size} groß.",
    large:
      "Weil die Sicherung groß ist, wählen Sie zuerst, wo sie gespeichert wird. Der Browser schreibt sie dann während der Übertragung dorthin.",
    make: "Sicherung erstellen",
    making: "Der Server erstellt und prüft die Sicherung …",
    receiving: (done) => `Empfangen: ${done}`,
    receivingOf: (done, all) => `Empfangen: ${done} von ${all}`,
    progress: "Empfangen",
    saved: (name, size) => `${name} wurde gespeichert (${size}).`,
    digest: "SHA-256",
    verdicts: {
      same: "Die Datei ist die, die der Server gesendet hat.",
      other:
        "Die Datei ist NICHT die, die der Server gesendet hat. Verlassen Sie sich nicht auf sie: Erstellen Sie eine neue Sicherung.",
      unsent: "Der Server hat keinen Digest zum Vergleichen gesendet.",
      insecure:
        "Dieser Browser vergleicht Digests nur auf HTTPS-Seiten. Vergleichen Sie diesen Digest selbst mit dem der Datei.",
      large:
        "Die Datei ist zu groß, um sie hier zu vergleichen. Vergleichen Sie diesen Digest selbst mit dem der Datei.",
    },
    cutOff:
      "Die Verbindung brach ab, bevor die ganze Datei angekommen war. Nichts wurde gespeichert. Erstellen Sie die Sicherung erneut.",
    elsewhere:
      "Gerade wird eine andere Sicherung erstellt oder heruntergeladen. Warten Sie, bis sie fertig ist.",
  },
};
