import { listedActions } from "./action-catalog.ts";
import type { Case } from "./case.ts";

export const services: Record<string, Case> = {
  "services list": {
    route: "services.list",
    same: async (api) => (await api.page("services.list")).data,
    columns: ["code", "status"],
    named: /^(log-collector|sleeper)$/,
  },
  "services get": {
    words: () => ["log-collector"],
    route: "services.get",
    same: (api, { id }) => api.call("services.get", { params: { serviceId: id } }),
    columns: ["code", "version"],
    named: /^log-collector$/,
  },
  "services move": {
    words: () => ["sleeper", "--to", "edge-1"],
    route: "services.move",
    same: (api, { id }) => api.call("services.get", { params: { serviceId: id } }),
    columns: ["code", "agent"],
    named: /^sleeper$/,
  },
  "services actions": listedActions,
  "services wait": {
    words: () => ["sleeper", "--for", "unhealthy"],
    route: "services.get",
    same: (api, { id }) => api.call("services.get", { params: { serviceId: id } }),
    columns: ["code", "status"],
    named: /^sleeper$/,
  },
};
