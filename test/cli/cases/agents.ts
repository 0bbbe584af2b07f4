import { type Case, getAgent } from "./case.ts";

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
