import { z } from "zod";
import { agentCodeScopePattern } from "../domain/fleet/agents.ts";
import { registrationTokenStatuses } from "../domain/fleet/registration-tokens.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  createdBy,
  deletedOf,
  idOf,
  idParam,
  pageQuery,
  someOf,
  sortQuery,
  timestamp,
  withExpiry,
} from "./contract/schemas.ts";
import { agentReference } from "./shapes/agent-reference.ts";
import { assignedLabels, labelsToAssign } from "./shapes/label-schemas.ts";

const status = named(
  "RegistrationTokenStatus",
  z.enum(registrationTokenStatuses).describe("Only an ACTIVE token can register an agent."),
);

const registrationToken = namedObject("RegistrationToken", {
  id: idOf("rtk"),
  name: z.string().nullable().describe("A name that says what the token is for."),
  agentCode: z
    .string()
    .nullable()
    .describe(
      "The code of the only agent that can use the token, or a prefix followed by `*`. Null " +
        "if any agent can use it.",
    ),
  replace: z
    .boolean()
    .describe("Whether the token lets an agent replace an online agent with the same code."),
  labels: assignedLabels.describe(
    "Labels that are assigned to the agent that registers with the token.",
  ),
  status,
  createdBy,
  createdAt: timestamp,
  expiresAt: timestamp.nullable().describe("Null if the token does not expire."),
  usedAt: timestamp.nullable().describe("When an agent registered with the token."),
  usedByAgentId: idOf("agt").nullable().describe("The agent that registered with the token."),
  revokedAt: timestamp.nullable().describe("Null unless the token is revoked."),
  agent: agentReference
    .nullable()
    .describe(
      "The agent that registered with the token. Null if no agent has registered with it, or " +
        "if that agent was deleted.",
    ),
});

const createBody = named(
  "CreateRegistrationTokenRequest",
  withExpiry({
    name: z.string().min(1).max(200).optional().describe("A name that says what the token is for."),
    agentCode: z
      .string()
      .regex(agentCodeScopePattern, {
        error: "must be an agent's code, such as edge-7, or a prefix followed by *, such as edge-*",
      })
      .optional()
      .describe(
        "The code of the only agent that can use the token, or a prefix followed by `*`. By " +
          "default, any agent can use it.",
      ),
    replace: z
      .boolean()
      .optional()
      .describe("Whether the token lets an agent replace an online agent with the same code."),
    labels: labelsToAssign
      .optional()
      .describe(
        "Labels to assign to the agent. Only owners can create a token with labels. By " +
          "default, if an owner creates a token for the code of a registered agent, the token " +
          "has the labels that are assigned to that agent.",
      ),
  }).describe(
    "If neither expiry field is set, the configured default applies. With `expiresInSeconds: " +
      "0` or `expiresAt: null`, the token does not expire.",
  ),
);

const one = {
  params: z.object({ tokenId: idParam.describe("The token's id.") }),
  errors: ["REGISTRATION_TOKEN_NOT_FOUND"],
} as const;

export const registrationTokens = defineRoutes({
  "registration-tokens.create": {
    method: "POST",
    path: "/api/admin/registration-tokens",
    access: "operator",
    summary: "Create a registration token; only this response contains the token itself",
    body: createBody,
    status: 201,
    idempotent: { shownOnce: "token" },
    reply: named(
      "CreatedRegistrationToken",
      registrationToken.extend({
        token: z.string().describe("The token itself. Only this response contains it."),
      }),
    ),
  },
  "registration-tokens.list": {
    method: "GET",
    path: "/api/admin/registration-tokens",
    access: "viewer",
    summary: "List registration tokens, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["name", "expiresAt", "createdAt", "usedAt"]),
      status: someOf(status),
    }),
    reply: z.array(registrationToken),
    paginated: true,
  },
  "registration-tokens.get": {
    ...one,
    method: "GET",
    path: "/api/admin/registration-tokens/:tokenId",
    access: "viewer",
    summary: "Get the details of a registration token, but not the token itself",
    reply: registrationToken,
  },
  "registration-tokens.revoke": {
    ...one,
    method: "POST",
    path: "/api/admin/registration-tokens/:tokenId/revoke",
    access: "operator",
    summary: "Revoke a registration token; an agent that registered with it keeps its own token",
    reply: registrationToken,
  },
  "registration-tokens.delete": {
    ...one,
    method: "DELETE",
    path: "/api/admin/registration-tokens/:tokenId",
    access: "operator",
    summary: "Delete a registration token that is not ACTIVE",
    reply: named("DeletedRegistrationToken", deletedOf("rtk")),
    errors: ["REGISTRATION_TOKEN_NOT_FOUND", "REGISTRATION_TOKEN_ACTIVE"],
  },
});
