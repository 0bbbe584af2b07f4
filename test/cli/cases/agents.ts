import type { World } from "../world.ts";
import { type Case, getAgent } from "./case.ts";

export const agents: Record<string, Case> = {
  "agents list": {
    words: () => ["--status", "ONLINE", "--mode", "sidecar"],
    route: "agents.list",
    same: async (api) => (await api.page("agents.list")).data,
  },
  "agents get": {
    words: () => ["edge-1"],
    route: "agents.get",
    same: getAgent,
  },
  "agents disable": {
    words: () => ["edge-2"],
    route: "agents.disable",
    same: getAgent,
  },
  "agents enable": {
    words: async ({ as }) => {
      const agents = await as("owner").page("agents.list", { query: { q: "edge-2" } });
      const agentId = agents.data[0]?.id ?? "";
      await as("owner").call("agents.disable", { params: { agentId } });
      return ["edge-2"];
    },
    route: "agents.enable",
    same: getAgent,
  },
  "agents revoke-token": {
    words: () => ["edge-2", "--yes"],
    route: "agents.revoke-token",
    same: getAgent,
  },
  "agents delete": {
    words: async (world) => {
      await retiredAgent(world);
      return ["edge-3", "--yes"];
    },
    route: "agents.delete",
  },
  "agents wait": {
    words: async ({ as, sleeping: { agentId } }) => {
      await as("owner").call("agents.disable", { params: { agentId } });
      return ["edge-2", "--for", "disabled"];
    },
    route: "agents.get",
    same: getAgent,
  },
};

/** One whose token was revoked, with a service `retired`. */
export async function retiredAgent({ as, registerAgent }: World): Promise<void> {
  const service = { code: "retired", name: "Retired", version: "1" };
  const { agentId } = await registerAgent("edge-3", [service]);
  await as("owner").call("agents.revoke-token", { params: { agentId } });
}
