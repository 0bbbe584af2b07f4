// The handlers of api/agent-endpoints.ts.

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import { AppError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { publishAsAgent, takenAnswer } from "../bus/bus-events.ts";
import { pollCommands } from "../commands/delivery.ts";
import { agentOf, type HandlersOf } from "../handlers.ts";
import { proveAgentToken } from "./agent-proofs.ts";
import { goOffline } from "./going-offline.ts";
import { beat } from "./heartbeats.ts";
import { takeOutput } from "./output.ts";
import { registerAgent } from "./registration.ts";
import { checkRegistration } from "./registration-check.ts";
import { takeReport } from "./reports.ts";
import { takeResult } from "./results.ts";

export const handlers: HandlersOf<typeof agentEndpoints> = {
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
    const token = tokenOf(body, bearer);
    return checkRegistration(ctx, { token, agentCode: agent.code, services });
  },
  "agent.heartbeat": (ctx, { body }) => beat(ctx, agentOf(ctx), body),
  "agent.offline": (ctx) => goOffline(ctx, agentOf(ctx)),
  "agent.report": (ctx, { body }) => takeReport(ctx, agentOf(ctx), body),
  "agent.poll": (ctx, { query }) => pollCommands(ctx, agentOf(ctx), query),
  "agent.result": (ctx, { params, body }) => {
    const { success, output, data, error, message, ...rest } = body;
    const other = Object.keys(rest).length > 0 ? (rest as JsonObject) : undefined;
    const result = {
      success,
      output: output ?? (data === undefined ? output : data),
      error,
      message,
      other,
    };
    return takeResult(ctx, agentOf(ctx), params.commandId, result);
  },
  "agent.output": (ctx, { params, body }) => takeOutput(ctx, agentOf(ctx), params.commandId, body),
  "agent.publish": async (ctx, { body }) =>
    takenAnswer(await publishAsAgent(ctx, agentOf(ctx), body)),
};

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
