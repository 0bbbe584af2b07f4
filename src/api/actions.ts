// Running a declared action in two phases: PREPARE brings the form, EXECUTE runs it.

import { z } from "zod";
import { defineRoutes } from "./contract/route.ts";
import { namedObject } from "./contract/schema-names.ts";
import { flagQuery, idParam, json, jsonObject, queueQuery } from "./contract/schemas.ts";
import { action } from "./services.ts";
import { commandDetail, createdCommand } from "./shapes/command-schemas.ts";

const actionPath = "/api/admin/capsule-services/:serviceId/actions/:actionName";
const actionParams = z.object({ serviceId: idParam, actionName: idParam });

const preparedAction = namedObject("PreparedAction", {
  action,
  inputSchema: jsonObject,
  initialPayload: jsonObject,
  currentState: json,
  command: commandDetail.nullable(),
});

const executeBody = namedObject("ExecuteActionRequest", {
  payload: jsonObject.default({}),
  confirmation: z.boolean().default(false),
  prepareCommandId: z.string().max(200).optional(),
  reason: z.string().max(500).optional(),
});

export const actions = defineRoutes({
  "actions.prepare": {
    method: "GET",
    path: actionPath,
    access: "operator",
    summary: "Ask the agent for the action's form, initial payload and current state",
    description:
      "Creates an ACTION_PREPARE command and waits for its result, up to the action's " +
      "`timeoutSeconds` (default 30, at most 60).",
    params: actionParams,
    query: z.object({
      fromCatalog: flagQuery.meta({
        description:
          "Answer from the catalog if the action declares `prepare: false`: the agent is not asked, " +
          "and `command` is null. Otherwise there is always a command.",
      }),
    }),
    hasEffects: true,
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
    method: "POST",
    path: actionPath,
    access: "operator",
    summary: "Run the action with a payload",
    params: actionParams,
    query: queueQuery,
    body: executeBody,
    status: 202,
    idempotent: true,
    reply: createdCommand,
    errors: [
      "SERVICE_NOT_FOUND",
      "ACTION_NOT_FOUND",
      "COMMAND_NOT_FOUND",
      "CONFIRMATION_REQUIRED",
      "PAYLOAD_INVALID",
      "AGENT_OFFLINE",
      "AGENT_DISABLED",
    ],
  },
});
