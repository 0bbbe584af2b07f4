// Golden cases for the server's state, settings and audit trail.

import type { Client } from "../../../src/client/client.ts";
import { writeDataLoss } from "../../../src/store/tables/data-loss.ts";
import type { Cases } from "./case.ts";

const getSettings = (api: Client) => api.call("settings.get");

export const system: Cases = {
  health: { route: "system.health", reads: true, varies: ["version"], byEngine: true },
  metrics: { route: "metrics.get", varies: ["agent command polls"] },
  diagnostics: {
    route: "diagnostics.get",
    varies: [
      ...[
        "version",
        "pid",
        "node",
        "os",
        "arch",
        "cpu",
        "size",
        "wal",
        "disk free",
        "page count",
        "free pages",
      ],
      ...["resident", "heap total", "heap used", "external"].map((part) => `memory ${part}`),
      ...["held polls", "wall clock moved"],
    ],
    byEngine: true,
  },
  "nodes list": { route: "nodes.list", reads: true, same: (api) => api.call("nodes.list") },
  "maintenance run": { route: "maintenance.run", varies: ["took"], measured: true },
  "maintenance accept-data-loss": {
    words: async ({ database, clock }) => {
      const loss = { seq: 41, host: "node-a", acceptedAt: null, acceptedBy: null };
      const since = clock.now() - 60_000;
      await database.write((tx) => writeDataLoss(tx, { since, ...loss }));
      return ["--yes"];
    },
    route: "maintenance.accept-data-loss",
  },
  version: {
    route: "system.version",
    reads: true,
    // With --db, the command asks no server.
    said: ({ server }) => server ?? { version: "0.0.0", edition: "ce" },
    varies: ["version", "client", "client node", "client sqlite"],
  },
  "settings get": { route: "settings.get", reads: true, same: getSettings },
  "settings set": {
    words: () => [
      "auditRetentionDays=365",
      "workspaceName=Edge 5",
      "busEventRetentionDays=default",
    ],
    route: "settings.update",
    same: getSettings,
    like: "settings get",
  },
  "audit list": {
    words: () => ["--action", "agent.*"],
    route: "audit-events.list",
    reads: true,
    same: async (api) =>
      (await api.page("audit-events.list", { query: { action: "agent.*" } })).data,
  },
  "audit tail": {
    words: () => ["--lines", "2", "--action", "agent.*"],
    route: "audit-events.list",
    reads: true,
    same: async (api) => {
      const query = { action: "agent.*", pageSize: 2 };
      return (await api.call("audit-events.list", { query })).toReversed();
    },
  },
  "audit verify": {
    route: "audit-events.verify",
    same: (api) => api.call("audit-events.verify"),
  },
};
