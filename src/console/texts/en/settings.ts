import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

const days = (many: Amount) => plural(many, { one: "# day", other: "# days" });

const totals = {
  agents: "Agents",
  capsuleServices: "Services",
  registrationTokens: "Registration tokens",
  commands: "Commands",
};
const byStatus = { ...totals, rollouts: "Rollouts" };

export const settings = {
  title: "Settings",
  tabs: {
    maintenance: "Maintenance",
    diagnostics: "Diagnostics",
    nodes: "Nodes",
    metrics: "Metrics",
    backup: "Backup",
  },
  api: "API documentation (OpenAPI)",

  run: {
    title: "Maintenance sweep",
    says: "At the interval below, the server marks silent agents OFFLINE, expires commands and credentials, and deletes data that is past its retention.",
    saysToOperators:
      "The server regularly marks silent agents OFFLINE, expires commands and credentials, and deletes data that is past its retention.",
    verb: "Run now",
    nothing: "There was nothing to do.",
    /** What was done, with how often. */
    did: {
      agentsOffline: (many: Amount) =>
        plural(many, { one: "# agent is now OFFLINE", other: "# agents are now OFFLINE" }),
      serviceStatusesStored: (many: Amount) =>
        plural(many, {
          one: "# service status was stored",
          other: "# service statuses were stored",
        }),
      commandsExpired: (many: Amount) =>
        plural(many, { one: "# command has expired", other: "# commands have expired" }),
      registrationTokensExpired: (many: Amount) =>
        plural(many, {
          one: "# registration token has expired",
          other: "# registration tokens have expired",
        }),
      sessionsEnded: (many: Amount) =>
        plural(many, { one: "# session has ended", other: "# sessions have ended" }),
      auditEventsPruned: (many: Amount) =>
        plural(many, { one: "# audit event was deleted", other: "# audit events were deleted" }),
      busEventsPruned: (many: Amount) =>
        plural(many, { one: "# bus event was deleted", other: "# bus events were deleted" }),
      commandsPruned: (many: Amount) =>
        plural(many, { one: "# command was deleted", other: "# commands were deleted" }),
      rolloutsPruned: (many: Amount) =>
        plural(many, { one: "# rollout was deleted", other: "# rollouts were deleted" }),
      servicePeriodsPruned: (many: Amount) =>
        plural(many, {
          one: "# period of a service's history was deleted",
          other: "# periods of services' histories were deleted",
        }),
      credentialsPruned: (many: Amount) =>
        plural(many, {
          one: "# expired or revoked credential was deleted",
          other: "# expired or revoked credentials were deleted",
        }),
      agentsDeleted: (many: Amount) =>
        plural(many, { one: "# silent agent was deleted", other: "# silent agents were deleted" }),
      servicesDeleted: (many: Amount) =>
        plural(many, {
          one: "# silent service was deleted",
          other: "# silent services were deleted",
        }),
    } satisfies Record<string, (many: Amount) => string>,
    took: (duration: string) => `It took ${duration}.`,
  },

  form: {
    title: "Installation settings",
    says: "Changes take effect immediately and override the configuration of the server.",
    fields: {
      workspaceName: "Workspace name",
      maintenanceIntervalSeconds: "Seconds between maintenance sweeps",
      auditRetentionDays: "Days to keep audit events",
      busEventRetentionDays: "Days to keep bus events",
      commandRetentionDays: "Days to keep commands",
      silentRetentionDays: "Days to keep silent agents and services",
      serviceHistoryRetentionDays: "Days to keep the status history of services",
      operatorLabels: "Labels that agents cannot report",
    },
    hints: {
      workspaceName: "Shown at the top of the navigation.",
      maintenanceIntervalSeconds: "1 to 86,400.",
      auditRetentionDays: "0 keeps them forever.",
      busEventRetentionDays: "0 keeps them forever.",
      commandRetentionDays:
        "Counted from the end of the command. The result is deleted with the command. 0 keeps commands forever.",
      silentRetentionDays:
        "Agents that are OFFLINE, and services that no agent reports. 0 keeps them forever.",
      serviceHistoryRetentionDays:
        "A service's page shows up to 30 days, or fewer if the history is kept for less. 0 keeps it forever.",
      operatorLabels:
        "Keys, separated by commas, such as env,tier,team. Only the labels with these keys that owners assign count.",
    },
    configured: (value: string) => `Configured value: ${value}.`,
    changed: "Changed here.",
    declared: "The next apply reverses changes to the settings that are managed by files.",
    back: "Reset to configured value",
    backOf: (field: string) => `Reset to configured value: ${field}`,
    saved: "The settings were saved.",
    unchanged: "Nothing was changed.",
  },

  shorter: {
    title: "Delete data sooner?",
    audit: (many: Amount) =>
      `The next maintenance sweep deletes audit events older than ${days(many)}. The remaining trail can still be verified.`,
    bus: (many: Amount) =>
      `The next maintenance sweep deletes bus events older than ${days(many)}, with their outcomes.`,
    commands: (many: Amount) =>
      `The next maintenance sweep deletes commands that ended more than ${days(many)} ago, with their results. Their audit events remain.`,
    silent: (many: Amount) =>
      `The next maintenance sweep deletes agents that have been OFFLINE for more than ${days(many)}, with their services and tokens, and services that no agent has reported for that long. A deleted agent must register again.`,
    history: (many: Amount) =>
      `The next maintenance sweep deletes the status history of services older than ${days(many)}.`,
    nowEvents: (many: Amount) =>
      plural(many, {
        one: "This currently affects # event.",
        other: "This currently affects # events.",
      }),
    nowCommands: (many: Amount) =>
      plural(many, {
        one: "This currently affects # command.",
        other: "This currently affects # commands.",
      }),
    verb: "Save and delete data",
  },

  diagnostics: {
    says: "Check these values first when something is wrong. They contain no secrets.",
    copy: "Copy as JSON",
    service: "Program",
    process: "Process",
    database: "Database",
    queues: "Queues",
    delay: "Event loop delay",
    limits: "Limits on clients",
    configuration: "Configuration",
    names: {
      edition: "Edition",
      commit: "Commit",
      buildTime: "Built",
      contractVersion: "Agent contract version",
      pid: "Process id",
      node: "Node.js",
      system: "System",
      uptime: "Uptime",
      cpu: "CPU time",
      resident: "Resident memory",
      heap: "Heap memory",
      heapOf: (used: string, total: string) => `${used} of ${total}`,
      external: "External memory",
      engine: "Engine",
      fileName: "File",
      size: "Size",
      wal: "Write-ahead log",
      pages: "Pages",
      pagesOf: (pages: Amount, free: Amount) => `${count(pages)}, ${count(free)} of them free`,
      schema: "Schema",
      migrated: "Last migrated",
      now: "Server time",
      startedAt: "Started",
      moved: "Wall clock moved by",
      connections: "Open connections",
      pendingBodies: "Request bodies in memory",
      pendingOutput: "Unread responses",
      connectionsPerAddress: "Connections allowed per address",
      requestsPerSecond: "Requests per second allowed per credential",
      stalledOutput: "Timeout of unread responses",
      unlimited: "no limit",
      ofAllowed: (used: string, allowed: string) => `${used} of ${allowed}`,
    },
    queued: {
      writes: "Writes not yet on disk",
      heldPolls: "Open long polls",
      waitingReaders: "Callers waiting for a command",
      passwordsRunning: "Passwords being checked",
      passwordsWaiting: "Passwords waiting to be checked",
      oneTimeSecrets: "One-time secrets not fetched yet",
    },
    delays: { p50Ms: "p50", p99Ms: "p99", maxMs: "Maximum" },
    limitReached: {
      connections: "Connections refused",
      connectionsPerAddress: "Connections refused to one address",
      idleConnections: "Idle connections closed to make room",
      pipelinedRequests: "Connections closed: too many requests at once",
      stalledOutput: "Connections closed: client stopped reading",
      pendingOutput: "Connections closed: too many unread responses",
      pendingBodies: "Large requests refused",
      requestsPerCredential: "Requests refused to one credential",
      failedRegistrations: "Registrations refused after failures",
      streams: "Live streams refused",
      commandOutput: "Calls with output of commands refused",
      logLines: "Log lines dropped",
    },
    configured: {
      workspaceName: "Workspace name",
      agentOfflineThresholdSeconds: "A silent agent is OFFLINE, and its services STALE, after",
      agentSuppressAfterSeconds: "Its services are OFFLINE after",
      serviceStaleThresholdSeconds: "A service without reports is STALE after",
      agentHeartbeatIntervalSeconds: "Agents should send a heartbeat every",
      agentReportIntervalSeconds: "Agents should report every",
      commandTtlSeconds: "A command expires after",
      registrationTokenTtlSeconds: "A registration token expires after",
      sessionTtlSeconds: "An unused session ends after",
      maintenanceIntervalSeconds: "The maintenance sweep runs every",
      auditRetentionDays: "Audit events are kept",
      busEventRetentionDays: "Bus events are kept",
      commandRetentionDays: "Commands are kept",
      silentRetentionDays: "Silent agents and services are kept",
      serviceHistoryRetentionDays: "The status history of services is kept",
    },
    counted: {
      maxServicesPerAgent: "Services allowed per agent",
      metricsMaxSeries: "Series allowed in the metrics",
    },
    days,
    forEver: "forever",
  },

  metrics: {
    says: "Counted since the database was created, across restarts.",
    prometheus: "Prometheus format",
    operational: {
      title: "Commands and agents",
      names: {
        agentCommandPolls: "Polls for commands",
        commandsDispatched: "Commands delivered",
        commandsCompleted: "Commands that succeeded",
        commandsFailed: "Commands that failed",
        actionPrepareRequested: "Actions prepared",
        actionPrepareTimeouts: "Preparations that timed out",
        actionPrepareFailures: "Preparations that failed",
        oversizedCommandResultsRejected: "Results refused because of their size",
        staleOnlineAgents: "Silent agents not yet marked OFFLINE",
      },
    },
    bus: {
      title: "Event bus",
      names: {
        eventsReceived: "Events received",
        eventsDuplicate: "Duplicate events",
        eventsRejected: "Events refused",
        eventsRateLimited: "Events refused by the rate limit",
        commandsCreated: "Commands created by events",
        routesFailed: "Matches without a command",
      },
    },
    durations: {
      title: "Command durations",
      sampleSize: "Sampled commands",
      p50Ms: "p50",
      p95Ms: "p95",
      maxMs: "Maximum",
      meanMs: "Mean",
      none: "none yet",
    },
    helps: {
      actionPrepareTimeouts:
        "Agents did not return a form in time. Check that they are online and not overloaded.",
      actionPrepareFailures:
        "Agents could not prepare an action. The commands of the type Prepare have the errors.",
      oversizedCommandResultsRejected:
        "Agents sent larger results than the server accepts. Let their actions return less, or a file's name.",
      staleOnlineAgents:
        "These agents have been silent for longer than the threshold. The next maintenance marks them OFFLINE.",
      eventsRejected:
        "Agents sent events about services that are not theirs, or events that follow from too many others.",
      eventsRateLimited:
        "Agents sent events faster than the limit allows. Find the one that sends too many in the audit trail.",
      routesFailed: "Routes matched an event but could not create a command. The events say why.",
    },
    errors: "Most frequent errors",
    byStatus: { ...byStatus, rollouts: "Rollouts" },
    totals: {
      title: "Objects in the database",
      names: { users: "Users", ...totals, auditEvents: "Audit events" },
    },
  },

  backup: {
    says: "A backup contains the whole database in one file. Before the server sends the file, it checks that the file is sound and that its audit chain is intact.",
    keys: "The file does not contain the keys that are stored next to the database. Anyone with the file can read everything that the server knows, so protect it like the database.",
    postgresql:
      "PostgreSQL has its own program for backups, which also works while servers use the database. Run it with the URL of the database:",
    size: "The database size is {size}.",
    large:
      "Because the backup is large, you first choose where to save it, and the browser writes it there as it arrives.",
    make: "Create backup",
    making: "The server is creating and checking the backup …",
    receiving: (done: string) => `Receiving: ${done}`,
    receivingOf: (done: string, all: string) => `Receiving: ${done} of ${all}`,
    progress: "Received",
    saved: (name: string, size: string) => `${name} was saved (${size}).`,
    digest: "SHA-256",
    verdicts: {
      same: "The file is the one that the server sent.",
      other:
        "The file is NOT the one that the server sent. Do not rely on it: create another backup.",
      unsent: "The server sent no digest to compare with.",
      insecure:
        "This browser compares digests only on HTTPS pages. Compare this digest with the file's digest yourself.",
      large:
        "The file is too large to compare here. Compare this digest with the file's digest yourself.",
    },
    cutOff:
      "The connection was lost before the whole file had arrived. Nothing was saved. Create the backup again.",
    elsewhere: "Another backup is being created or downloaded. Wait until it has finished.",
  },
};
