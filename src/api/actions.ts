// Runs a declared action in two phases: PREPARE gets the form, EXECUTE runs the action.

import { z } from "zod";
import { defineRoutes } from "./contract/define-routes.ts";
import { namedObject } from "./contract/schema-names.ts";
import { codedIds, flagQuery, idParam, json, jsonObject, queueQuery } from "./contract/schemas.ts";
import { action } from "./services.ts";
import { breakGlass } from "./shapes/approval-schemas.ts";
import {
  commandDetail,
  conditionErrors,
  createdCommand,
  executionErrors,
} from "./shapes/command-schemas.ts";

const one = {
  path: "/api/admin/capsule-services/:serviceId/actions/:actionName",
  access: "operator",
  params: z.object({
    serviceId: codedIds.serviceId,
    actionName: idParam.describe("The name of the action."),
  }),
} as const;

const preparedAction = namedObject("PreparedAction", {
  action: action.describe("The action, as the agent declares it."),
  inputSchema: jsonObject.describe("The JSON Schema of the payload."),
  initialPayload: jsonObject.describe("The values that the agent suggests."),
  currentState: json.describe("The current state, as the agent reports it."),
  stateFingerprint: z
    .string()
    .nullable()
    .describe(
      "Identifies the current state. Null if the agent has sent no fingerprint of the state.",
    ),
  canPlan: z
    .boolean()
    .describe(
      "Whether the action can be run with `ifUnchanged`, that is, only if the state is unchanged.",
    ),
  command: commandDetail.nullable().describe("The prepare command. Null with `fromCatalog`."),
});

const executeBody = namedObject("ExecuteActionRequest", {
  payload: jsonObject
    .default({})
    .describe("The input of the action. It must match the `inputSchema`."),
  confirmation: z
    .boolean()
    .default(false)
    .describe("Confirms the action, if it requires confirmation."),
  prepareCommandId: z
    .string()
    .max(200)
    .optional()
    .describe("The prepare command whose form the payload fills in."),
  ifUnchanged: z
    .boolean()
    .optional()
    .describe(
      "Run the action only if the state is still the one that the prepare command in " +
        "`prepareCommandId` returned. The agent prepares the action again immediately before " +
        "it runs the action. If the state then has another fingerprint, the agent ends the " +
        "command with STATE_CHANGED.",
    ),
  reason: z
    .string()
    .max(500)
    .optional()
    .describe("Stored with the command and in the audit trail."),
  breakGlass,
});

export const actions = defineRoutes({
  "actions.prepare": {
    ...one,
    method: "GET",
    summary: "Get the action's form, initial payload and current state from the agent",
    description:
      "The server creates an ACTION_PREPARE command, and waits for its result. It waits as " +
      "long as the action's `timeoutSeconds` (30 by default), but at most 60 seconds.",
    query: z.object({
      fromCatalog: flagQuery.describe(
        "If the action declares `prepare: false`, use the form that the agent reported with the action. In this case, no command is created, and `command` is null.",
      ),
    }),
    holdsSecret: true,
    reply: preparedAction,
    errors: [
      "SERVICE_NOT_FOUND",
      "ACTION_NOT_FOUND",
      "AGENT_OFFLINE",
      "AGENT_DISABLED",
      "COMMAND_ALREADY_COMPLETED",
      "ACTION_PREPARE_FAILED",
      "ACTION_PREPARE_TIMEOUT",
    ],
  },
  "actions.execute": {
    ...one,
    method: "POST",
    summary: "Run an action with a payload, or request the approval that a policy requires",
    query: queueQuery,
    body: executeBody,
    status: 202,
    idempotent: true,
    reply: createdCommand,
    errors: [...executionErrors, ...conditionErrors],
  },
});
