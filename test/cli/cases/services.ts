import { listedActions } from "./action-catalog.ts";
import { retiredAgent } from "./agents.ts";
import type { Case } from "./case.ts";

export const services: Record<string, Case> = {
  "services list": {
    route: "services.list",
    same: async (api) => (await api.page("services.list")).data,
  },
  "services get": {
    words: () => ["log-collector"],
    route: "services.get",
    same: (api, { id }) => api.call("services.get", { params: { serviceId: id } }),
  },
  "services move": {
    words: () => ["sleeper", "--to", "edge-1"],
    route: "services.move",
    same: (api, { id }) => api.call("services.get", { params: { serviceId: id } }),
  },
  "services actions": listedActions,
  "services delete": {
    words: async (world) => {
      await retiredAgent(world);
      return ["retired", "--yes"];
    },
    route: "services.delete",
  },
  "services wait": {
    words: async ({ as, sleeping: { agentId } }) => {
      await as("owner").call("agents.disable", { params: { agentId } });
      return ["sleeper", "--for", "offline"];
    },
    route: "services.get",
    same: (api, { id }) => api.call("services.get", { params: { serviceId: id } }),
  },
};
