// Binds the routes of api/agent-endpoints.ts to their use cases.

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import { proveAgentToken } from "../../core/agent-calls/agent-proofs.ts";
import { sayGoodbye } from "../../core/agent-calls/going-offline.ts";
import { beat } from "../../core/agent-calls/heartbeats.ts";
import { pollCommands } from "../../core/agent-calls/polls.ts";
import { registerAgent } from "../../core/agent-calls/registration.ts";
import { checkRegistration } from "../../core/agent-calls/registration-check.ts";
import { takeReport } from "../../core/agent-calls/reports.ts";
import { takeResult } from "../../core/agent-calls/results.ts";
import { publishAsAgent } from "../../core/bus/bus-events.ts";
import { AppError } from "../../domain/errors.ts";
import { agentOf, type HandlersOf } from "../dispatch.ts";
import { takenAnswer } from "./bus/bus-events.ts";

export const agentEndpointHandlers: HandlersOf<typeof agentEndpoints> = {
  "agent.register": (ctx, { body, bearer }) => {
    const { agent, service, services } = body;
    return registerAgent(ctx, {
      registrationToken: tokenOf(body, bearer),
      agent,
      services: [...(service ? [service] : []), ...(services ?? [])],
    });
  },
  "agent.proof": (ctx, { body, isOwnUrl }) => proveAgentToken(ctx, body, isOwnUrl),
  "agent.check": (ctx, { body, bearer }) => {
    const { agent, services = [] } = body;
    return checkRegistration(ctx, {
      token: tokenOf(body, bearer),
      agentCode: agent.code,
      services,
    });
  },
  "agent.heartbeat": (ctx, { body }) => beat(ctx, agentOf(ctx), body),
  "agent.offline": (ctx) => sayGoodbye(ctx, agentOf(ctx)),
  "agent.report": (ctx, { body }) => {
    const agent = agentOf(ctx);
    if (body.agentId !== undefined && body.agentId !== agent.agentId) {
      throw new AppError("FORBIDDEN", "The agentId in the body is not this token's agent.");
    }
    return takeReport(ctx, agent, body.services);
  },
  "agent.poll": (ctx, { query }) => pollCommands(ctx, agentOf(ctx), query),
  "agent.result": (ctx, { params, body }) => {
    const { success, output, data, error, message } = body;
    const result = { success, output: output ?? data, error, message };
    return takeResult(ctx, agentOf(ctx), params.commandId, result);
  },
  "agent.publish": async (ctx, { body }) =>
    takenAnswer(await publishAsAgent(ctx, agentOf(ctx), body)),
};

/** Throws INVALID_REQUEST when there are two. */
function tokenOf(body: { registrationToken?: string | undefined }, bearer: string | null) {
  const { registrationToken } = body;
  if (registrationToken !== undefined && bearer !== null && registrationToken !== bearer) {
    throw new AppError(
      "INVALID_REQUEST",
      "The body and the Authorization header carry different registration tokens.",
    );
  }
  return registrationToken ?? bearer;
}
