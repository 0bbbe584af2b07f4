// `platformctl health` and what else is asked of the server itself.

import type { CommandSpec } from "../../command.ts";
import { callsApi } from "../../options.ts";

export const system: CommandSpec[] = [
  {
    name: "health",
    summary: "Ask the server how it is; fails when it is DOWN",
    ...callsApi,
    run: async () => (await import("./health.ts")).health,
  },
  {
    name: "metrics",
    summary: "Show how much there is, and how it goes",
    options: [{ flags: "--prometheus", summary: "in the text format of Prometheus" }],
    ...callsApi,
    examples: ["metrics", "metrics --columns byStatus.commands.FAILED --no-headers"],
    run: async () => (await import("./metrics.ts")).showMetrics,
  },
  {
    name: "diagnostics",
    summary: "Show versions, sizes, queues, delays and clocks, without secrets",
    ...callsApi,
    examples: ["diagnostics", "diagnostics -o json >diagnostics.json"],
    run: async () => (await import("./diagnostics.ts")).showDiagnostics,
  },
  {
    name: "maintenance run",
    summary: "Sweep now: silent agents, everything expired, pruning",
    options: [
      {
        flags: "--trust-clock",
        summary: "believe the server's clock at once, also when deletion by age is held back",
      },
    ],
    ...callsApi,
    run: async () => (await import("./maintenance.ts")).runMaintenance,
  },
  {
    name: "version",
    summary: "Show the version of this program, and of the server if it answers",
    options: [
      { flags: "--licenses", summary: "print the licences of what this program is made of" },
    ],
    ...callsApi,
    run: async () => (await import("./version.ts")).version,
  },
];
