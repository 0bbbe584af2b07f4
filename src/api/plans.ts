// Plans: executions that the server has signed, to be applied later exactly as they were shown.

import { z } from "zod";
import { planVersion } from "../domain/commands/plans.ts";
import { bodyLimitBytes } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { namedObject } from "./contract/schema-names.ts";
import {
  codedIds,
  createdBy,
  dangerLevel,
  idOf,
  idParam,
  json,
  jsonObject,
  queueQuery,
  timestamp,
} from "./contract/schemas.ts";
import { agentReference } from "./shapes/agent-reference.ts";
import { breakGlass } from "./shapes/approval-schemas.ts";
import { conditionErrors, createdCommand, executionErrors } from "./shapes/command-schemas.ts";

const plan = namedObject("Plan", {
  version: z.literal(planVersion).describe("The version of the format of plans."),
  id: idOf("pln"),
  serverId: z
    .string()
    .describe(
      "Identifies the installation that created the plan. Only servers with the same id can " +
        "apply the plan.",
    ),
  service: namedObject("PlannedService", { id: idOf("svc"), code: z.string() }).describe(
    "The service on which the action runs.",
  ),
  agent: agentReference.describe("The agent that prepared the action."),
  action: namedObject("PlannedAction", {
    name: z.string().describe("The name by which calls refer to the action."),
    label: z.string().describe("The name that users see."),
    description: z
      .string()
      .describe("What the action does. Empty if the agent declares no description."),
    dangerLevel,
    requiresConfirmation: z
      .boolean()
      .describe("Whether the call that applies the plan must confirm it."),
  }).describe("The action, as the agent declared it when the plan was made."),
  inputSchema: jsonObject.describe("The JSON Schema of the payload."),
  initialPayload: jsonObject.describe("The values that the agent suggested."),
  currentState: json.describe("The state when the action was prepared."),
  stateFingerprint: z.string().describe("Identifies that state."),
  prepareCommandId: idOf("cmd").describe("The command that prepared the action."),
  payload: jsonObject.describe("The payload, with `[REDACTED]` in place of each secret."),
  withheld: z.array(z.string()).describe("JSON Pointers to the secrets in the payload."),
  sealedSecrets: z
    .string()
    .nullable()
    .describe("The secrets, encrypted with a key that only the server has."),
  reason: z.string().nullable().describe("The `reason` of the request."),
  createdBy,
  createdAt: timestamp,
  expiresAt: timestamp.describe("The time from which the plan can no longer be applied."),
  signature: z
    .string()
    .describe("HMAC-SHA256 of all other fields in canonical JSON, in hexadecimal."),
});

export const plans = defineRoutes({
  "plans.create": {
    method: "POST",
    changesNothing: true,
    path: "/api/admin/capsule-services/:serviceId/actions/:actionName/plan",
    access: "operator",
    params: z.object({
      serviceId: codedIds.serviceId,
      actionName: idParam.describe("The name of the action."),
    }),
    summary: "Get a signed plan for an action, from a prepare command and a payload",
    description:
      "The server does not store the plan. The plan expires one hour after the prepare " +
      "command has ended. Any operator can apply it, but only once.",
    body: namedObject("CreatePlanRequest", {
      payload: jsonObject
        .default({})
        .describe("The input of the action. It must match the `inputSchema`."),
      prepareCommandId: z.string().max(200).describe("The command that prepared the action."),
      reason: z
        .string()
        .max(500)
        .optional()
        .describe("Stored with the command and in the audit trail."),
    }),
    reply: plan,
    errors: [
      "SERVICE_NOT_FOUND",
      "ACTION_NOT_FOUND",
      "PAYLOAD_INVALID",
      "PAYLOAD_TOO_LARGE",
      "PLAN_NOT_SUPPORTED",
      ...conditionErrors,
    ],
  },
  "plans.apply": {
    method: "POST",
    path: "/api/admin/plans/apply",
    access: "operator",
    summary: "Run the action of a plan if the state is unchanged",
    query: queueQuery,
    body: namedObject("ApplyPlanRequest", {
      plan: jsonObject.describe("The plan, with exactly the fields that the server sent."),
      confirmation: z
        .boolean()
        .default(false)
        .describe("Confirms the action, if it requires confirmation."),
      breakGlass,
    }),
    bodyLimit: bodyLimitBytes.plan,
    // The schema in the plan comes from an agent. The payload was checked when the plan was made.
    mayRound: true,
    status: 202,
    idempotent: true,
    reply: createdCommand,
    errors: [...executionErrors, ...conditionErrors, "PLAN_INVALID", "PLAN_ALREADY_APPLIED"],
  },
});
