import type { Case } from "./case.ts";

export const auditEvents: Record<string, Case> = {
  "audit list": {
    words: () => ["--action", "agent.*"],
    route: "audit-events.list",
    same: async (api) =>
      (await api.page("audit-events.list", { query: { action: "agent.*" } })).data,
  },
  "audit tail": {
    words: () => ["--lines", "2", "--action", "agent.*"],
    route: "audit-events.list",
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
