// The handlers of api/agents.ts.

import type { agents } from "../../api/agents.ts";
import type { HandlersOf } from "../handlers.ts";
import { deleteAgent } from "./agent-deletion.ts";
import { disableAgent, enableAgent, getAgent, listAgents, revokeAgentToken } from "./agents.ts";
import { changeAgentLabels } from "./assigned-labels.ts";

export const handlers: HandlersOf<typeof agents> = {
  "agents.list": (ctx, { query }) => listAgents(ctx, query),
  "agents.get": (ctx, { params }) => getAgent(ctx, params.agentId),
  "agents.disable": (ctx, { params }) => disableAgent(ctx, params.agentId),
  "agents.enable": (ctx, { params }) => enableAgent(ctx, params.agentId),
  "agents.revoke-token": (ctx, { params }) => revokeAgentToken(ctx, params.agentId),
  "agents.label": (ctx, { params, body }) => changeAgentLabels(ctx, params.agentId, body.labels),
  "agents.delete": (ctx, { params }) => deleteAgent(ctx, params.agentId),
};
