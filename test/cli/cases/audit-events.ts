import type { Case } from "./case.ts";

export const auditEvents: Record<string, Case> = {
  "audit list": {
    words: () => ["--action", "agent.*"],
    route: "audit-events.list",
    same: async (api) =>
      (await api.page("audit-events.list", { query: { action: "agent.*" } })).data,
    columns: ["seq", "action"],
    named: /^aud_/,
  },
};
