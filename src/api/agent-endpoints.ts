import { z } from "zod";
import { bodyLimitBytes } from "../domain/limits.ts";
import { publishing } from "./bus/event-schemas.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { namedObject } from "./contract/schema-names.ts";
import { codedIds, empty, idParam } from "./contract/schemas.ts";
import {
  busEventReceipt,
  cancelled,
  checkBody,
  heartbeat,
  heartbeatBody,
  outputBody,
  outputReceipt,
  polledCommand,
  pollQuery,
  proofBody,
  registerBody,
  registeredAgent,
  registrationCheck,
  registrationErrors,
  rejected,
  reportBody,
  reportedServiceStatus,
  resultBody,
  resultReceipt,
} from "./shapes/agent-call-schemas.ts";

/** The agent id in a path is optional. If it is present, the token must belong to that agent. */
const own = {
  access: "agent",
  params: z.object({ agentId: codedIds.agentId.optional() }),
} as const;

export const agentEndpoints = defineRoutes({
  "agent.register": {
    method: "POST",
    path: "/api/agents/register",
    access: "registration",
    summary: "Register an agent with a single-use registration token",
    description:
      "Send the token as `registrationToken` in the body or as a bearer token. Only this " +
      "response contains the agent token.",
    body: registerBody,
    bodyLimit: bodyLimitBytes.register,
    status: 201,
    reply: registeredAgent,
    errors: registrationErrors,
  },
  "agent.check": {
    method: "POST",
    changesNothing: true,
    path: "/api/agents/check",
    access: "registration",
    orAgentToken: true,
    summary: "Check whether a credential and service codes would be accepted",
    description:
      "The credential is a registration token or the agent's own token. Send it as a bearer " +
      "token, or send a registration token as `registrationToken` in the body. The check does " +
      "not use up the token, and does not count as a call from the agent. A refused check " +
      "counts as a failed registration, except with `FORBIDDEN` or `AGENT_DISABLED`.",
    body: checkBody,
    reply: registrationCheck,
    errors: [...registrationErrors, "UNAUTHORIZED", "FORBIDDEN"],
  },
  "agent.proof": {
    method: "POST",
    changesNothing: true,
    path: "/api/agents/proof",
    access: "public",
    summary: "Prove that this server knows an agent's token",
    description:
      "An agent makes this call if its configured URL differs from the URL where it " +
      "registered. `proof` is the HMAC-SHA256, in hexadecimal, of four lines that are " +
      "separated by line feeds: `platform agent token proof`, `agentId`, `server` and " +
      "`nonce`. The key of the HMAC is the SHA-256 of the agent's token, in hexadecimal. A " +
      "correct proof shows that `server` leads to the server that issued the token, or to a " +
      "server with a copy of its database. The server refuses the request with " +
      "`MISDIRECTED_HOST` if `server` is not one of its own URLs. A server that relays the " +
      "request therefore cannot get a valid proof.",
    body: proofBody,
    reply: namedObject("TokenProof", {
      proof: z
        .string()
        .describe("The HMAC-SHA256 in hexadecimal. The route's description says what it covers."),
    }),
  },
  "agent.heartbeat": {
    ...own,
    method: "POST",
    path: "/api/agents/heartbeat",
    aliases: ["/api/agents/:agentId/heartbeat"],
    summary: "Report that the agent is alive, with the health of its services",
    body: heartbeatBody,
    bodyLimit: bodyLimitBytes.heartbeat,
    reply: heartbeat,
  },
  "agent.offline": {
    ...own,
    method: "POST",
    path: "/api/agents/offline",
    aliases: ["/api/agents/:agentId/offline"],
    summary: "Report that the agent is stopping; the agent is then OFFLINE until its next request",
    body: empty,
    reply: empty,
  },
  "agent.report": {
    ...own,
    method: "POST",
    path: "/api/agents/services",
    aliases: [
      "/api/agents/services/report",
      "/api/agents/:agentId/services",
      "/api/agents/:agentId/services/report",
    ],
    summary: "Report the agent's managed services with health, configs and actions",
    body: reportBody,
    bodyLimit: bodyLimitBytes.report,
    lazyBody: true,
    reply: namedObject("ServiceReport", {
      services: z.array(reportedServiceStatus).describe("The services that were accepted."),
      rejected,
    }),
  },
  "agent.poll": {
    ...own,
    method: "GET",
    path: "/api/agents/commands",
    aliases: ["/api/agents/:agentId/commands"],
    summary:
      "Poll for commands; the server responds when a command arrives, or after `wait` seconds",
    query: pollQuery,
    reply: namedObject("CommandPoll", {
      commands: z.array(polledCommand).describe("The commands that the agent must now run."),
      cancelled,
    }),
  },
  "agent.result": {
    method: "POST",
    path: "/api/agents/commands/:commandId/result",
    aliases: ["/api/agents/:agentId/commands/:commandId/result"],
    access: "agent",
    summary: "Report the outcome of a command",
    params: own.params.extend({ commandId: idParam.describe("The command's id.") }),
    body: resultBody,
    bodyLimit: "commandResult",
    reply: resultReceipt,
    errors: [
      "COMMAND_NOT_FOUND",
      "COMMAND_NOT_RUNNING",
      "COMMAND_ALREADY_COMPLETED",
      "COMMAND_RESULT_TOO_LARGE",
    ],
  },
  "agent.output": {
    method: "POST",
    path: "/api/agents/commands/:commandId/output",
    aliases: ["/api/agents/:agentId/commands/:commandId/output"],
    access: "agent",
    summary: "Send output of a command while it runs",
    description:
      "Chunks that are already stored are ignored, so a call can be repeated. If a chunk's " +
      "offset is greater than `nextOffset`, the output in between counts as lost, and " +
      "operators see how many bytes were lost. A chunk with an empty text can report such a " +
      "loss, too. If a command has secrets in its payload, all output that arrives after its " +
      "end counts as lost. Wait for the response to a call before you make the next call.",
    params: own.params.extend({ commandId: idParam.describe("The command's id.") }),
    body: outputBody,
    bodyLimit: bodyLimitBytes.commandOutput,
    reply: outputReceipt,
    errors: [
      "COMMAND_NOT_FOUND",
      "COMMAND_NOT_RUNNING",
      "COMMAND_ALREADY_COMPLETED",
      "RATE_LIMITED",
    ],
  },
  "agent.publish": {
    method: "POST",
    path: "/api/agents/:agentId/bus/events",
    access: "agent",
    bus: true,
    summary: "Publish an event of one of the agent's services",
    description:
      "The body is a CloudEvents 1.0 envelope in JSON. Each event is stored and routed once: if " +
      "an event with the same `source` and `id` already exists, the response is 200 with " +
      "`duplicate`.",
    params: z.object({ agentId: codedIds.agentId }),
    ...publishing,
    reply: busEventReceipt,
    errors: [
      "BUS_SOURCE_NOT_FOUND",
      "CAPSULE_SOURCE_FORBIDDEN",
      "BUS_DEPTH_EXCEEDED",
      "BUS_RATE_LIMITED",
    ],
  },
});
