import type { Case } from "./case.ts";

export const system: Record<string, Case> = {
  health: { route: "system.health", columns: ["status", "version"], named: /^UP$/ },
  version: {
    route: "system.version",
    said: ({ server }) => server,
    columns: ["client", "server"],
    named: /^\d+\.\d+\.\d+-dev$/,
  },
};
