import { z } from "zod";
import { apiKeyStatuses } from "../domain/access/api-keys.ts";
import { keyRoles } from "../domain/access/principals.ts";
import { userStatuses } from "../domain/access/users.ts";
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

const status = named(
  "ApiKeyStatus",
  z.enum(apiKeyStatuses).describe("The server accepts only ACTIVE keys."),
);
const role = named(
  "ApiKeyRole",
  z
    .enum(keyRoles)
    .describe(
      "A key with the `metrics` role can only call GET /api/admin/metrics and its Prometheus form.",
    ),
);

const keyUser = namedObject("ApiKeyUser", {
  id: z.string(),
  username: z.string().nullable().describe("Null if the user was deleted."),
  displayName: z
    .string()
    .nullable()
    .describe("Null if the user has no display name, or was deleted."),
  status: named("ApiKeyUserStatus", z.enum([...userStatuses, "DELETED"])),
});

const apiKey = namedObject("ApiKey", {
  id: idOf("key"),
  name: z.string().describe("A name that says what the key is for."),
  role,
  status,
  user: keyUser
    .nullable()
    .describe(
      "The user who uses the key. The key is revoked if that user is disabled, deleted, or " +
        "demoted below the key's role. Null if the key was created on the host and belongs to " +
        "nobody.",
    ),
  makerId: idOf("usr")
    .nullable()
    .describe(
      "The user who created the key. If the key was created with another key, this is the user who " +
        "created that other key or, if that one was created on the host, the user to whom it " +
        "belongs. A key that belongs to another user is revoked when its creator is no longer an " +
        "owner. Null if the key was created on the host.",
    ),
  createdBy,
  createdAt: timestamp,
  expiresAt: timestamp.nullable().describe("Null if the key does not expire."),
  revokedAt: timestamp.nullable().describe("Null unless the key is revoked."),
  lastUsedAt: timestamp.nullable().describe("The time of the last use, accurate to the minute."),
});

const createBody = named(
  "CreateApiKeyRequest",
  withExpiry({
    name: z.string().min(1).max(200).describe("A name that says what the key is for."),
    role,
    user: z
      .string()
      .max(100)
      .optional()
      .describe(
        "The user who will use the key; by default, the caller. Only owners can create keys " +
          "for other users.",
      ),
  }).describe("If neither expiry field is set, the key does not expire."),
);

const one = {
  params: z.object({ keyId: idParam.describe("The API key's id.") }),
  access: "operator",
  errors: ["API_KEY_NOT_FOUND"],
} as const;

export const apiKeys = defineRoutes({
  "api-keys.create": {
    method: "POST",
    path: "/api/admin/api-keys",
    access: "operator",
    summary: "Create an API key; only this response contains the key itself",
    description:
      "Operators can create keys only for themselves, with at most their own role. Owners " +
      "can also create keys for other users.",
    body: createBody,
    status: 201,
    idempotent: { shownOnce: "key" },
    reply: named(
      "CreatedApiKey",
      apiKey.extend({
        key: z.string().describe("The key itself. Only this response contains it."),
      }),
    ),
  },
  "api-keys.list": {
    method: "GET",
    path: "/api/admin/api-keys",
    access: "operator",
    summary: "List API keys, newest first",
    description: "Only owners see the keys of other users.",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["name", "role", "expiresAt", "lastUsedAt", "createdAt"]),
      status: someOf(status),
      userId: idParam
        .optional()
        .describe("Only keys that belong to this user (an id; owners can also give a username)."),
      makerId: idParam
        .optional()
        .describe("Only keys that this user has created (an id; owners can also give a username)."),
    }),
    reply: z.array(apiKey),
    paginated: true,
  },
  "api-keys.get": {
    ...one,
    method: "GET",
    path: "/api/admin/api-keys/:keyId",
    summary: "Get the details of an API key, but not the key itself",
    reply: apiKey,
  },
  "api-keys.delete": {
    ...one,
    method: "DELETE",
    path: "/api/admin/api-keys/:keyId",
    summary: "Delete an API key that is not ACTIVE",
    reply: named("DeletedApiKey", deletedOf("key")),
    errors: ["API_KEY_NOT_FOUND", "API_KEY_ACTIVE"],
  },
  "api-keys.revoke": {
    ...one,
    method: "POST",
    path: "/api/admin/api-keys/:keyId/revoke",
    summary: "Revoke an API key; it stops working immediately",
    reply: apiKey,
  },
});
