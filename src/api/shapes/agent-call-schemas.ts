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
import { healthNote, reportedService } from "./reported-service.ts";
import { serviceStatus } from "./statuses.ts";

const features = listOf(z.string().max(50), maxFeaturesPerAgent);

const reportedAgent = z.object({
  code: code.describe("The agent's permanent name, which is unique on the server."),
  name: optional(z.string().max(200)).describe("A name for people."),
  mode: z
    .string()
    .regex(agentModePattern, {
      error: "must be a lower-case letter, then up to 31 lower-case letters, digits, _ or -",
    })
    .describe("How the agent runs, such as `embedded` or `sidecar`."),
  runtime: optional(json).describe("Any JSON, for operators to read."),
  version: optional(z.string().max(100)).describe("The agent's version, for operators to read."),
  labels: optional(labels).describe(
    "Operators select agents and their services by these labels. Labels that an owner has assigned override them.",
  ),
  features: optional(features).describe(
    "What the agent can do. The server ignores names that it does not know.",
  ),
});

export const registerBody = namedObject("RegisterAgentRequest", {
  registrationToken: optional(z.string().max(200)).describe(
    "Not needed if the token is sent as a bearer token.",
  ),
  agent: named("ReportedAgent", reportedAgent).describe("What the agent reports about itself."),
  service: optional(reportedService).describe(
    "A service to report with the registration, in addition to those in `services`.",
  ),
  services: optional(listOf(reportedService, maxServicesPerReport)).describe(
    "Services to report with the registration.",
  ),
});

const serviceHealth = namedObject("ServiceHealth", {
  serviceCode: code.describe("The code of one of the agent's services."),
  healthStatus: z.string().min(1).max(50).describe(healthNote),
  message: optional(z.string().max(500)).describe("The health message, for operators to read."),
});

const instance = z
  .string()
  .regex(instancePattern, { error: "must be 1 to 64 letters, digits, _ or -" })
  .describe(
    "A random id that the program chooses at each start. If an older id is used again after a " +
      "newer one, two programs are using the same token. The server then does not redeliver any " +
      "command.",
  );

export const heartbeatBody = namedObject("HeartbeatRequest", {
  timestamp: optional(z.iso.datetime({ offset: true })).describe(
    "The agent's own time, which the server compares with its clock.",
  ),
  agent: optional(
    named("ReportedAgentChange", reportedAgent.omit({ code: true, mode: true })),
  ).describe("Attributes that may have changed since the registration."),
  health: optional(listOf(serviceHealth, maxServicesPerReport)).describe(
    "The current health of services. Services that are not listed keep their last reported health.",
  ),
  instance: optional(instance),
});

export const reportBody = namedObject("ReportServicesRequest", {
  agentId: optional(z.string()).describe("If present, it must be the agent's own id."),
  features: optional(features).describe(
    "What the agent can do, such as `plan`. The list replaces the previous list. Without a " +
      "list, the server assumes that the agent has only the features of the first version of " +
      "the protocol.",
  ),
  complete: optional(z.boolean()).describe(
    "Whether these are all the services that the agent manages. If true, the agent's other " +
      "services are marked as removed until it reports them again. Otherwise, they become " +
      "STALE.",
  ),
  services: listOf(reportedService, maxServicesPerReport).describe(
    "The services that the agent manages.",
  ),
});

export const pollQuery = z.object({
  wait: wholeNumberQuery(0, pollWaitSeconds.max, pollWaitSeconds.default).describe(
    "The maximum number of seconds to wait for a command.",
  ),
  limit: wholeNumberQuery(1, pollLimit.max, pollLimit.default).describe(
    "The maximum number of commands in the response.",
  ),
  held: z
    .string()
    .max(maxHeldCommands * 31)
    .transform((text) => text.split(",").filter((id) => id !== ""))
    .optional()
    .describe(
      "The ids, separated by commas, of the commands that the agent has received but not yet " +
        "reported a result for. The list can be empty.",
    ),
  instance: instance.optional(),
});

/** A proof signs the field as one line, so it must not contain line breaks. */
const oneWord = z.string().regex(/^\S+$/, { error: "must not contain whitespace" });

const reportedError = named(
  "ReportedError",
  z.looseObject({
    code: optional(z.string()).describe(
      `The first ${errorCodeMaxLength} characters become the command's \`errorCode\`.`,
    ),
    message: optional(z.string()).describe(
      `The first ${errorMessageMaxLength} characters become the command's \`errorMessage\`.`,
    ),
    details: optional(json).describe("Further facts about the error."),
  }),
);

const sentResult = z.looseObject({
  success: z.boolean().describe("Whether the command succeeded."),
  output: json.optional().describe("The output of the action, or the result of a prepare command."),
  data: json.optional().describe("Used instead of `output` if `output` is absent or null."),
  error: optional(reportedError).describe("Why the command failed."),
  message: optional(z.string()).describe("A message for people."),
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
  storedStatus: serviceStatus.describe("The status at the last report or maintenance sweep."),
});

export const checkBody = namedObject("CheckRegistrationRequest", {
  registrationToken: optional(z.string().max(200)).describe(
    "Not needed if the token is sent as a bearer token.",
  ),
  agent: namedObject("AgentToCheck", {
    code: code.describe("The code with which the agent registers."),
  }),
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
  code: z.string().describe("The code of the service."),
  reason: named("RejectionReason", z.enum(rejectionReasons)).describe(
    "SERVICE_CODE_TAKEN: another agent owns the service. SERVICE_LIMIT_REACHED: the agent has the maximum number of services.",
  ),
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
  agentId: idOf("agt").describe("The agent's id. It stays the same if the agent registers again."),
  agentToken: z.string().describe("The agent's own token. Only this response contains it."),
  heartbeatIntervalSeconds: z.int().describe("How often the agent should send heartbeats."),
  reportIntervalSeconds: z.int().describe("How often the agent should report its services."),
  pollWaitSeconds: z.int().describe("The `wait` that the agent should use when it polls."),
  rejected,
});

export const registrationCheck = namedObject("RegistrationCheck", {
  credential: named("CredentialKind", z.enum(["REGISTRATION_TOKEN", "AGENT_TOKEN"])).describe(
    "The kind of credential that was checked.",
  ),
  rejected: rejectedServices.describe("Services that would not be accepted."),
});

export const proofBody = namedObject("TokenProofRequest", {
  agentId: oneWord.max(40).describe("The agent's id, which it got when it registered."),
  server: oneWord.max(2000).describe("The URL that the agent calls."),
  nonce: oneWord.min(16).max(128).describe("Random text, different for each request."),
});

export const heartbeat = namedObject("Heartbeat", {
  serverTime: timestamp.describe("The current time of the server's clock."),
  clockSkewMs: z
    .int()
    .nullable()
    .describe(
      "The agent's clock minus the server's clock, in milliseconds. Null if the request has " +
        "no `timestamp`.",
    ),
  heartbeatIntervalSeconds: z.int().describe("How often the agent should send heartbeats."),
  reportIntervalSeconds: z.int().describe("How often the agent should report its services."),
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
  serviceCode: z.string().describe("The code of the service on which to run the action."),
  action: z.string().describe("The name of the action."),
  payload: jsonObject.describe("The payload, including its secrets. Empty for a prepare command."),
  expiresAt: timestamp.describe("When the command expires if it has no result by then."),
  expectedState: z
    .string()
    .max(stateFingerprintMaxLength)
    .optional()
    .describe(
      "Only for agents with the `plan` feature. The agent must prepare the action again, and " +
        "run it only if the state has this fingerprint. Otherwise, the agent must report the " +
        "error `STATE_CHANGED`, whose details contain the new `stateFingerprint` and " +
        "`currentState`.",
    ),
});

export const resultReceipt = namedObject("ResultReceipt", {
  commandId: idOf("cmd"),
  status: commandStatus,
  duplicate: z.boolean().describe("Whether the same result had already been reported."),
});

export const outputBody = namedObject("SendOutputRequest", {
  chunks: listOf(
    namedObject("OutputChunk", {
      offset: outputPosition.describe(
        "How many bytes of output (in UTF-8, both streams together) came before this chunk.",
      ),
      stream: outputStream.describe("The program's standard output or standard error."),
      text: z
        .string()
        .max(commandOutput.maxChunkLength)
        .describe("The output itself. Can be empty, to report a loss of earlier output."),
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
  depth: z.int().describe("1 if an event or a command of the bus caused this event, otherwise 0."),
  receivedAt: timestamp.describe("When the server received the event."),
  duplicate: z.boolean().describe("Whether the server already had the event."),
});
