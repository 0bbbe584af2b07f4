import { z } from "zod";
import { agentModePattern } from "../domain/agents.ts";
import {
  bodyLimitBytes,
  commandOutput,
  maxFeaturesPerAgent,
  maxHeldCommands,
  maxServicesPerReport,
  pollLimit,
  pollWaitSeconds,
  stateFingerprintMaxLength,
} from "../domain/limits.ts";
import { rejectionReasons } from "../domain/service-claims.ts";
import { cloudEventTypes, sentEvent } from "./bus/event-schemas.ts";
import { listOf } from "./contract/bounded.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  code,
  empty,
  idOf,
  idParam,
  json,
  jsonObject,
  labels,
  timestamp,
  wholeNumberQuery,
} from "./contract/schemas.ts";
import { commandStatus, commandType } from "./shapes/command-schemas.ts";
import { outputPosition, outputStream } from "./shapes/output-schemas.ts";
import { reportedService } from "./shapes/reported-service.ts";
import { serviceStatus } from "./shapes/statuses.ts";

const features = listOf(z.string().max(50), maxFeaturesPerAgent);

const reportedAgent = z.object({
  code,
  name: z.string().max(200).optional(),
  mode: z.string().regex(agentModePattern, {
    error: "must be a lower-case letter, then up to 31 lower-case letters, digits, _ or -",
  }),
  runtime: json.optional(),
  version: z.string().max(100).optional(),
  labels: labels.optional(),
  features: features
    .optional()
    .describe("What the agent can do. The server ignores names that it does not know."),
});

const registerBody = namedObject("RegisterAgentRequest", {
  registrationToken: z.string().max(200).optional(),
  agent: named("ReportedAgent", reportedAgent),
  service: reportedService.optional(),
  services: listOf(reportedService, maxServicesPerReport).optional(),
});

const serviceHealth = namedObject("ServiceHealth", {
  serviceCode: code,
  healthStatus: z.string().min(1).max(50),
  message: z.string().max(500).optional(),
});

const heartbeatBody = namedObject("HeartbeatRequest", {
  timestamp: z.iso.datetime({ offset: true }).optional(),
  agent: named("ReportedAgentChange", reportedAgent.omit({ code: true, mode: true }))
    .optional()
    .describe("Attributes that may have changed since the registration."),
  health: listOf(serviceHealth, maxServicesPerReport).optional(),
});

const reportBody = namedObject("ReportServicesRequest", {
  agentId: z.string().optional(),
  features: features
    .optional()
    .describe(
      "What the agent can do, such as `plan`. It replaces what the agent has sent before: without " +
        "it, the agent can do nothing beyond the first version of the protocol.",
    ),
  services: listOf(reportedService, maxServicesPerReport),
});

const pollQuery = z.object({
  wait: wholeNumberQuery(0, pollWaitSeconds.max, pollWaitSeconds.default),
  limit: wholeNumberQuery(1, pollLimit.max, pollLimit.default),
  held: z
    .string()
    .max(maxHeldCommands * 31)
    .transform((text) => text.split(",").filter((id) => id !== ""))
    .optional()
    .describe(
      "Ids of the commands that the agent is running, separated by commas. The list can be empty.",
    ),
});

/** A proof signs the field as one line, so it must not contain line breaks. */
const oneWord = z.string().regex(/^\S+$/, { error: "must not contain white space" });

const reportedError = namedObject("ReportedError", {
  code: z.string().max(10_000).optional(),
  message: z.string().max(100_000).optional(),
  details: json.optional(),
});

const resultBody = namedObject("ReportResultRequest", {
  success: z.boolean(),
  output: json.optional(),
  data: json.optional().describe("Used instead of `output` if `output` is absent."),
  error: reportedError.optional(),
  message: z.string().max(100_000).optional(),
});

const cancelled = z
  .array(idOf("cmd"))
  .describe(
    "Commands for this agent that were cancelled in the last hour, after their delivery, and have " +
      "no result yet. The agent must stop each one and report the outcome.",
  );

const reportedServiceStatus = namedObject("ReportedServiceStatus", {
  id: idOf("svc"),
  code: z.string(),
  status: serviceStatus,
  storedStatus: serviceStatus,
});

const checkBody = namedObject("CheckRegistrationRequest", {
  registrationToken: z.string().max(200).optional(),
  agent: namedObject("AgentToCheck", { code }),
  services: z
    .array(code)
    .max(maxServicesPerReport)
    .optional()
    .describe("Codes of the services that the agent will report."),
});

const registrationErrors = [
  "INVALID_REQUEST",
  "AGENT_CODE_TAKEN",
  "AGENT_DISABLED",
  "REGISTRATION_TOKEN_INVALID",
  "REGISTRATION_TOKEN_EXPIRED",
  "REGISTRATION_TOKEN_REVOKED",
  "REGISTRATION_TOKEN_USED",
  "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT",
  "RATE_LIMITED",
] as const;

const rejectedService = namedObject("RejectedService", {
  code: z.string(),
  reason: named("RejectionReason", z.enum(rejectionReasons)),
  agentCode: z.string().nullable().describe("The agent that owns the service, or null."),
});

const rejectedServices = z.array(rejectedService);

const rejected = rejectedServices
  .optional()
  .describe("Services that were not accepted. Absent if all were accepted.");

const registeredAgent = namedObject("RegisteredAgent", {
  agentId: idOf("agt"),
  agentToken: z.string(),
  heartbeatIntervalSeconds: z.int(),
  reportIntervalSeconds: z.int(),
  pollWaitSeconds: z.int(),
  rejected,
});

const registrationCheck = namedObject("RegistrationCheck", {
  credential: named("CredentialKind", z.enum(["REGISTRATION_TOKEN", "AGENT_TOKEN"])),
  rejected: rejectedServices,
});

const proofBody = namedObject("TokenProofRequest", {
  agentId: oneWord.max(40),
  server: oneWord.max(2000).describe("The URL that the agent calls."),
  nonce: oneWord.min(16).max(128).describe("Random text, different for each request."),
});

const heartbeat = namedObject("Heartbeat", {
  serverTime: timestamp,
  clockSkewMs: z
    .int()
    .nullable()
    .describe(
      "The agent's clock minus the server's clock. Null if the request has no `timestamp`.",
    ),
  heartbeatIntervalSeconds: z.int(),
  cancelled,
  rejected,
});

const polledCommand = namedObject("PolledCommand", {
  id: idOf("cmd"),
  type: commandType,
  serviceCode: z.string(),
  action: z.string(),
  payload: jsonObject,
  expiresAt: timestamp,
  expectedState: z
    .string()
    .max(stateFingerprintMaxLength)
    .optional()
    .describe(
      "Only for agents with the feature `plan`. The agent must prepare the action again, and run it " +
        "only if the fingerprint of the state is this one. If not, the result is the error " +
        "`STATE_CHANGED`, whose details have the new `stateFingerprint` and `currentState`.",
    ),
});

const resultReceipt = namedObject("ResultReceipt", {
  commandId: idOf("cmd"),
  status: commandStatus,
  duplicate: z.boolean(),
});

const outputBody = namedObject("SendOutputRequest", {
  chunks: listOf(
    namedObject("OutputChunk", {
      offset: outputPosition.describe(
        "How many bytes of output, of both streams and in UTF-8, were before this chunk.",
      ),
      stream: outputStream,
      text: z.string().max(commandOutput.maxChunkLength),
    }),
    commandOutput.maxChunks,
  ).describe("In the order of the output. An empty list asks for `nextOffset`."),
});

const outputReceipt = namedObject("OutputReceipt", {
  commandId: idOf("cmd"),
  nextOffset: outputPosition.describe("The offset of the next chunk. All before it is stored."),
});

const busEventReceipt = namedObject("BusEventReceipt", {
  id: idOf("bev"),
  sourceEventId: z
    .string()
    .describe("`id` in the envelope: from the agent, or generated by the server."),
  depth: z.int(),
  receivedAt: timestamp,
  duplicate: z.boolean(),
});

/** The agent id in a path is optional. If it is present, the token must belong to that agent. */
const own = { access: "agent", params: z.object({ agentId: idParam.optional() }) } as const;

export const agentEndpoints = defineRoutes({
  "agent.register": {
    method: "POST",
    path: "/api/agents/register",
    access: "registration",
    summary: "Register an agent with a single-use registration token",
    description:
      "Send the token as `registrationToken` in the body or as a bearer token. Only this response contains " +
      "the agent token.",
    body: registerBody,
    bodyLimit: bodyLimitBytes.register,
    status: 201,
    reply: registeredAgent,
    errors: registrationErrors,
  },
  "agent.check": {
    method: "POST",
    path: "/api/agents/check",
    access: "registration",
    orAgentToken: true,
    summary: "Check whether a credential and service codes would be accepted",
    description:
      "The credential is a registration token, in `registrationToken` or as a bearer token, " +
      "or the agent's own token as a bearer token. The check does not use up the token, and " +
      "does not count as a call from the agent. A refused check counts as a failed registration.",
    body: checkBody,
    reply: registrationCheck,
    errors: [...registrationErrors, "UNAUTHORIZED", "FORBIDDEN"],
  },
  "agent.proof": {
    method: "POST",
    path: "/api/agents/proof",
    access: "public",
    summary: "Prove that this server knows an agent's token",
    description:
      "Use it if the configured URL differs from the URL where the agent registered. `proof` is " +
      "the hexadecimal HMAC-SHA256 of the lines `platform agent token proof`, `agentId`, " +
      "`server` and `nonce`, separated by line feeds. Its key is the hexadecimal SHA-256 of the " +
      "agent's token. A correct proof shows that `server` leads to the server that issued the " +
      "token, or to a copy of it. The server refuses the request with `MISDIRECTED_HOST` if " +
      "`server` is not one of its own URLs, so a server that relays the request cannot get a " +
      "valid proof.",
    body: proofBody,
    reply: namedObject("TokenProof", { proof: z.string() }),
  },
  "agent.heartbeat": {
    ...own,
    method: "POST",
    path: "/api/agents/heartbeat",
    aliases: ["/api/agents/:agentId/heartbeat"],
    summary: "Report that the agent is alive, and the health of its services",
    body: heartbeatBody,
    bodyLimit: bodyLimitBytes.heartbeat,
    reply: heartbeat,
  },
  "agent.offline": {
    ...own,
    method: "POST",
    path: "/api/agents/offline",
    aliases: ["/api/agents/:agentId/offline"],
    summary: "Report that the agent is stopping; it is OFFLINE until its next request",
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
    reply: namedObject("ServiceReport", { services: z.array(reportedServiceStatus), rejected }),
  },
  "agent.poll": {
    ...own,
    method: "GET",
    path: "/api/agents/commands",
    aliases: ["/api/agents/:agentId/commands"],
    summary: "Poll for commands; responds when one arrives or after `wait` seconds",
    query: pollQuery,
    reply: namedObject("CommandPoll", { commands: z.array(polledCommand), cancelled }),
  },
  "agent.result": {
    method: "POST",
    path: "/api/agents/commands/:commandId/result",
    aliases: ["/api/agents/:agentId/commands/:commandId/result"],
    access: "agent",
    summary: "Report the outcome of a command",
    params: own.params.extend({ commandId: idParam }),
    body: resultBody,
    bodyLimit: "commandResult",
    reply: resultReceipt,
    errors: ["COMMAND_NOT_FOUND", "COMMAND_ALREADY_COMPLETED", "COMMAND_RESULT_TOO_LARGE"],
  },
  "agent.output": {
    method: "POST",
    path: "/api/agents/commands/:commandId/output",
    aliases: ["/api/agents/:agentId/commands/:commandId/output"],
    access: "agent",
    summary: "Send output of a command while it runs",
    description:
      "Chunks that are already stored are ignored, so a call can be repeated. If a chunk's offset " +
      "is beyond the next one, the output between them counts as lost, and operators see how much " +
      "that is. So does a chunk with an empty text. After the end of a command with secrets in its " +
      "payload, all output counts as lost. Do not send the next call before the response.",
    params: own.params.extend({ commandId: idParam }),
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
    params: z.object({ agentId: idParam }),
    body: sentEvent,
    bodyTypes: cloudEventTypes,
    bodyLimit: bodyLimitBytes.busEvent,
    status: 201,
    otherStatus: 200,
    idempotent: true,
    reply: busEventReceipt,
    errors: [
      "BUS_SOURCE_NOT_FOUND",
      "CAPSULE_SOURCE_FORBIDDEN",
      "BUS_DEPTH_EXCEEDED",
      "BUS_RATE_LIMITED",
    ],
  },
});
