import type { Case } from "./case.ts";

export const system: Record<string, Case> = {
  health: {
    route: "system.health",
    columns: ["status", "version"],
    named: /^UP$/,
    varies: ["version"],
  },
  metrics: {
    route: "metrics.get",
    varies: ["agentCommandPolls", "agent command polls"],
    columns: ["bystatus.agents.online", "totals.users"],
    named: /^wsp_/,
  },
  diagnostics: {
    route: "diagnostics.get",
    varies: [
      ...["version", "pid", "node", "os", "arch", "cpuSeconds", "cpu"],
      ...[
        "residentBytes",
        "heapTotalBytes",
        "heapUsedBytes",
        "externalBytes",
        "memory resident",
        "memory heap total",
        "memory heap used",
        "memory external",
      ],
      ...[
        "sizeBytes",
        "size",
        "walBytes",
        "wal",
        "pageCount",
        "page count",
        "freePages",
        "free pages",
      ],
      ...["heldPolls", "held polls", "wallClockMovedMs", "wall clock moved"],
      // Without a server nothing is in use.
      ...["used", "allowed"],
      ...["connectionsPerAddress", "requestsPerSecond", "stalledOutputSeconds"],
      ...["connections per address", "requests per second", "stalled output"].map(
        (label) => `per client ${label}`,
      ),
      ...["connections", "pending body bytes", "pending output bytes"].flatMap((name) => [
        `in use ${name} used`,
        `in use ${name} allowed`,
      ]),
    ],
    columns: ["service.version", "process.pid"],
    named: /^\d+\./,
  },
  "maintenance run": {
    route: "maintenance.run",
    varies: ["took"],
    columns: ["commands expired", "took"],
    named: /^\d+$/,
  },
  version: {
    route: "system.version",
    // On the file no server is asked.
    said: ({ server }) => server ?? { version: "0.0.0", edition: "ce" },
    ownWays: true,
    varies: ["version", "client", "node", "sqlite", "client node", "client sqlite"],
    columns: ["client", "server"],
    named: /^\d+\.\d+\.\d+-dev$/,
  },
};
