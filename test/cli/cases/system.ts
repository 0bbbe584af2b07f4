import type { Case } from "./case.ts";

export const system: Record<string, Case> = {
  health: {
    route: "system.health",
    varies: ["version"],
  },
  metrics: { route: "metrics.get", varies: ["agent command polls"] },
  diagnostics: {
    route: "diagnostics.get",
    varies: [
      ...["version", "pid", "node", "os", "arch", "cpu", "size", "wal", "page count", "free pages"],
      ...["resident", "heap total", "heap used", "external"].map((part) => `memory ${part}`),
      ...["held polls", "wall clock moved"],
    ],
  },
  "maintenance run": {
    route: "maintenance.run",
    varies: ["took"],
    measured: true,
  },
  version: {
    route: "system.version",
    // On the file no server is asked.
    said: ({ server }) => server ?? { version: "0.0.0", edition: "ce" },
    varies: ["version", "client", "client node", "client sqlite"],
  },
};
