import type { CommandSpec } from "../../command.ts";
import { callsApi, option, yes } from "../../options.ts";

export const system = (): CommandSpec[] => [
  {
    name: "health",
    summary: "Show the health of the server; fails if the server is DOWN",
    ...callsApi,
    onlyPrints: true,
    run: async () => (await import("./health.ts")).health,
  },
  {
    name: "metrics",
    summary: "Show counts, rates and states",
    options: [option("--prometheus", "print in the Prometheus text format")],
    ...callsApi,
    onlyPrints: true,
    examples: ["metrics", "metrics --columns byStatus.commands.FAILED --no-headers"],
    run: async () => (await import("./metrics.ts")).showMetrics,
  },
  {
    name: "diagnostics",
    summary: "Show versions, sizes, queues, delays and clocks, without secrets",
    ...callsApi,
    onlyPrints: true,
    examples: ["diagnostics", "diagnostics -o json >diagnostics.json"],
    run: async () => (await import("./diagnostics.ts")).showDiagnostics,
  },
  {
    name: "maintenance run",
    summary:
      "Run the maintenance sweep now: update statuses, expire what is overdue, and delete " +
      "old data",
    options: [
      option("--trust-clock", "trust the server's clock now, even if deletion by age is suspended"),
    ],
    ...callsApi,
    run: async () => (await import("./maintenance.ts")).runMaintenance,
  },
  {
    name: "maintenance accept-data-loss",
    summary: "Accept that confirmed changes are gone, so that schedules and rollouts continue",
    options: [yes],
    ...callsApi,
    run: async () => (await import("./data-loss.ts")).acceptDataLoss,
  },
  {
    name: "version",
    summary: "Show the version of this program, and of the server if it responds",
    options: [option("--licenses", "print the licenses of the packages in this program")],
    ...callsApi,
    onlyPrints: true,
    run: async () => (await import("./version.ts")).version,
  },
];
