// The requests of agents, and the server's responses.

import { z } from "zod";
import { instancePattern } from "../../domain/fleet/agent-instances.ts";
import { agentModePattern } from "../../domain/fleet/agents.ts";
import { rejectionReasons } from "../../domain/fleet/service-claims.ts";
import {
  commandOutput,
  errorCodeMaxLength,
  errorMessageMaxLength,
  maxFeaturesPerAgent,
  maxHeldCommands,
  maxServicesPerReport,
  pollLimit,
  pollWaitSeconds,
  stateFingerprintMaxLength,
} from "../../domain/limits.ts";
import { listOf } from "../contract/bounded.ts";
import { optional } from "../contract/optional.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  code,
  idOf,
  json,
  jsonObject,
  labels,
  timestamp,
  wholeNumberQuery,
} from "../contract/schemas.ts";
import { commandStatus, commandType } from "./command-schemas.ts";
import { outputPosition, outputStream } from "./output-schemas.ts";
import { reportedService } from "./reported-service.ts";
import { serviceStatus } from "./statuses.ts";

const features = listOf(z.string().max(50), maxFeaturesPerAgent);

const reportedAgent = z.object({
  code,
  name: optional(z.string().max(200)),
  mode: z.string().regex(agentModePattern, {
    error: "must be a lower-case letter, then up to 31 lower-case letters, digits, _ or -",
  }),
  runtime: optional(json),
  version: optional(z.string().max(100)),
  labels: optional(labels),
  features: optional(features).describe(
    "What the agent can do. The server ignores names that it does not know.",
  ),
});

export const registerBody = namedObject("RegisterAgentRequest", {
  registrationToken: optional(z.string().max(200)),
  agent: named("ReportedAgent", reportedAgent),
  service: optional(reportedService),
  services: optional(listOf(reportedService, maxServicesPerReport)),
});

const serviceHealth = namedObject("ServiceHealth", {
  serviceCode: code,
  healthStatus: z.string().min(1).max(50),
  message: optional(z.string().max(500)),
});

const instance = z
  .string()
  .regex(instancePattern, { error: "must be 1 to 64 letters, digits, _ or -" })
  .describe(
    "A random id that the program chooses at each start. If an older id is used again after " +
      "a newer one, two programs are using the same token. The server then delivers no command " +
      "twice.",
  );

export const heartbeatBody = namedObject("HeartbeatRequest", {
  timestamp: optional(z.iso.datetime({ offset: true })),
  agent: optional(
    named("ReportedAgentChange", reportedAgent.omit({ code: true, mode: true })),
  ).describe("Attributes that may have changed since the registration."),
  health: optional(listOf(serviceHealth, maxServicesPerReport)),
  instance: optional(instance),
});

export const reportBody = namedObject("ReportServicesRequest", {
  agentId: optional(z.string()),
  features: optional(features).describe(
    "What the agent can do, such as `plan`. The list replaces the previous list. Without a " +
      "list, the server assumes that the agent has only the features of the first version of " +
      "the protocol.",
  ),
  complete: optional(z.boolean()).describe(
    "Whether these are all services that the agent manages. If true, the agent's other " +
      "services are marked as removed until it reports them again. Otherwise, they become " +
      "STALE.",
  ),
  services: listOf(reportedService, maxServicesPerReport),
});

export const pollQuery = z.object({
  wait: wholeNumberQuery(0, pollWaitSeconds.max, pollWaitSeconds.default),
  limit: wholeNumberQuery(1, pollLimit.max, pollLimit.default),
  held: z
    .string()
    .max(maxHeldCommands * 31)
    .transform((text) => text.split(",").filter((id) => id !== ""))
    .optional()
    .describe(
      "Ids of the commands that the agent has received, but for which it has not yet reported a " +
        "result, separated by commas. The list can be empty.",
    ),
  instance: instance.optional(),
});

/** A proof signs the field as one line, so it must not contain line breaks. */
const oneWord = z.string().regex(/^\S+$/, { error: "must not contain white space" });

const reportedError = named(
  "ReportedError",
  z.looseObject({
    code: optional(z.string()).describe(
      `The first ${errorCodeMaxLength} characters become the command's \`errorCode\`.`,
    ),
    message: optional(z.string()).describe(
      `The first ${errorMessageMaxLength} characters become the command's \`errorMessage\`.`,
    ),
    details: optional(json),
  }),
);

const sentResult = z.looseObject({
  success: z.boolean(),
  output: json.optional(),
  data: json.optional().describe("Used instead of `output` if `output` is absent or null."),
  error: optional(reportedError),
  message: optional(z.string()),
});

export const resultBody = named(
  "ReportResultRequest",
  sentResult.describe("Further fields are stored with the result."),
);

export const cancelled = z
  .array(idOf("cmd"))
  .describe(
    "Commands for this agent that were cancelled in the last hour after they had been " +
      "delivered, and that have no result yet. The agent must stop each of them and report the " +
      "outcome.",
  );

export const reportedServiceStatus = namedObject("ReportedServiceStatus", {
  id: idOf("svc"),
  code: z.string(),
  status: serviceStatus,
  storedStatus: serviceStatus,
});

export const checkBody = namedObject("CheckRegistrationRequest", {
  registrationToken: optional(z.string().max(200)),
  agent: namedObject("AgentToCheck", { code }),
  services: optional(z.array(code).max(maxServicesPerReport)).describe(
    "Codes of the services that the agent will report.",
  ),
});

export const registrationErrors = [
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
  agentCode: z
    .string()
    .nullable()
    .describe(
      "The code of the agent that owns the service. Null if `reason` is SERVICE_LIMIT_REACHED.",
    ),
});

const rejectedServices = z.array(rejectedService);

export const rejected = rejectedServices
  .optional()
  .describe("Services that were not accepted. Absent if all were accepted.");

export const registeredAgent = namedObject("RegisteredAgent", {
  agentId: idOf("agt"),
  agentToken: z.string(),
  heartbeatIntervalSeconds: z.int(),
  reportIntervalSeconds: z.int(),
  pollWaitSeconds: z.int(),
  rejected,
});

export const registrationCheck = namedObject("RegistrationCheck", {
  credential: named("CredentialKind", z.enum(["REGISTRATION_TOKEN", "AGENT_TOKEN"])),
  rejected: rejectedServices,
});

export const proofBody = namedObject("TokenProofRequest", {
  agentId: oneWord.max(40),
  server: oneWord.max(2000).describe("The URL that the agent calls."),
  nonce: oneWord.min(16).max(128).describe("Random text, different for each request."),
});

export const heartbeat = namedObject("Heartbeat", {
  serverTime: timestamp,
  clockSkewMs: z
    .int()
    .nullable()
    .describe(
      "The agent's clock minus the server's clock, in milliseconds. Null if the request has " +
        "no `timestamp`.",
    ),
  heartbeatIntervalSeconds: z.int(),
  cancelled,
  rejected,
  duplicated: z
    .boolean()
    .optional()
    .describe(
      "Whether two programs have used the agent's token in the last five minutes. Absent if this " +
        "server does not know.",
    ),
});

export const polledCommand = namedObject("PolledCommand", {
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
      "Only for agents with the feature `plan`. The agent must prepare the action again, and " +
        "run it only if the state has this fingerprint. Otherwise, the agent must report the " +
        "error `STATE_CHANGED`, whose details contain the new `stateFingerprint` and " +
        "`currentState`.",
    ),
});

export const resultReceipt = namedObject("ResultReceipt", {
  commandId: idOf("cmd"),
  status: commandStatus,
  duplicate: z.boolean(),
});

export const outputBody = namedObject("SendOutputRequest", {
  chunks: listOf(
    namedObject("OutputChunk", {
      offset: outputPosition.describe(
        "How many bytes of output (in UTF-8, both streams together) came before this chunk.",
      ),
      stream: outputStream,
      text: z.string().max(commandOutput.maxChunkLength),
    }),
    commandOutput.maxChunks,
  ).describe(
    "The chunks, in the order of the output. To get only `nextOffset`, send an empty list.",
  ),
  end: optional(z.boolean()).describe(
    "Whether this is the end of the output. If a call has `false`, operators see that the " +
      "end may be missing, until a later call has `true`.",
  ),
});

export const outputReceipt = namedObject("OutputReceipt", {
  commandId: idOf("cmd"),
  nextOffset: outputPosition.describe(
    "The offset of the next chunk. All earlier output is stored.",
  ),
});

export const busEventReceipt = namedObject("BusEventReceipt", {
  id: idOf("bev"),
  sourceEventId: z
    .string()
    .describe("The `id` in the envelope, which the agent chose or the server generated."),
  depth: z.int(),
  receivedAt: timestamp,
  duplicate: z.boolean(),
});
