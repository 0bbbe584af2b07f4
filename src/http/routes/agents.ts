// Binds the routes of api/agents.ts to their use cases.

import type { agents } from "../../api/agents.ts";
import { deleteAgent } from "../../core/fleet/agent-deletion.ts";
import {
  disableAgent,
  enableAgent,
  getAgent,
  listAgents,
  revokeAgentToken,
} from "../../core/fleet/agents.ts";
import type { HandlersOf } from "../dispatch.ts";

export const agentHandlers: HandlersOf<typeof agents> = {
  "agents.list": (ctx, { query }) => listAgents(ctx, query),
  "agents.get": (ctx, { params }) => getAgent(ctx, params.agentId),
  "agents.disable": (ctx, { params }) => disableAgent(ctx, params.agentId),
  "agents.enable": (ctx, { params }) => enableAgent(ctx, params.agentId),
  "agents.revoke-token": (ctx, { params }) => revokeAgentToken(ctx, params.agentId),
  "agents.delete": (ctx, { params }) => deleteAgent(ctx, params.agentId),
};
