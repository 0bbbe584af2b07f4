import type { World } from "../world.ts";
import { type Case, deleted, getAgent } from "./case.ts";

export const agents: Record<string, Case> = {
  "agents list": {
    words: () => ["--status", "ONLINE", "--mode", "sidecar"],
    route: "agents.list",
    same: async (api) => (await api.page("agents.list")).data,
    columns: ["code", "status"],
    named: /^edge-\d$/,
  },
  "agents get": {
    words: () => ["edge-1"],
    route: "agents.get",
    same: getAgent,
    columns: ["code", "status"],
    named: /^edge-1$/,
  },
  "agents disable": {
    words: () => ["edge-2"],
    route: "agents.disable",
    same: getAgent,
    columns: ["code", "disabled"],
    named: /^edge-2$/,
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
    columns: ["code", "status"],
    named: /^edge-2$/,
  },
  "agents revoke-token": {
    words: () => ["edge-2", "--yes"],
    route: "agents.revoke-token",
    same: getAgent,
    columns: ["code", "token"],
    named: /^edge-2$/,
  },
  "agents delete": {
    words: async (world) => {
      await retiredAgent(world);
      return ["edge-3", "--yes"];
    },
    route: "agents.delete",
    ...deleted,
  },
  "agents wait": {
    words: async ({ as, sleeping: { agentId } }) => {
      await as("owner").call("agents.disable", { params: { agentId } });
      return ["edge-2", "--for", "disabled"];
    },
    route: "agents.get",
    same: getAgent,
    columns: ["code", "status"],
    named: /^edge-2$/,
  },
};

/** One whose token was revoked, with a service `retired`. */
export async function retiredAgent({ as, registerAgent }: World): Promise<void> {
  const service = { code: "retired", name: "Retired", version: "1" };
  const { agentId } = await registerAgent("edge-3", [service]);
  await as("owner").call("agents.revoke-token", { params: { agentId } });
}
