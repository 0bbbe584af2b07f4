// API keys: how programs reach the admin side.

import { z } from "zod";
import { apiKeyStatuses } from "../domain/api-keys.ts";
import { keyRoles } from "../domain/principals.ts";
import { userStatuses } from "../domain/users.ts";
import { defineRoutes } from "./contract/route.ts";
import { idOf, idParam, pageQuery, someOf, timestamp, withExpiry } from "./contract/schemas.ts";

const role = z.enum(keyRoles).meta({
  description: "`metrics` reads GET /api/admin/metrics and its Prometheus form, and nothing else.",
});

const apiKey = z.object({
  id: idOf("key"),
  name: z.string(),
  role,
  status: z.enum(apiKeyStatuses),
  user: z
    .object({
      id: z.string(),
      username: z.string().nullable(),
      status: z.enum([...userStatuses, "DELETED"]),
    })
    .nullable()
    .meta({
      description:
        "The user who made the key, also with another key: disabling, demoting below the key's " +
        "role or deleting that user revokes it. Null for a key that was made on the host.",
    }),
  createdBy: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable().meta({ description: "To the minute." }),
});

const keyParams = z.object({ keyId: idParam });

export const apiKeys = defineRoutes({
  "api-keys.create": {
    method: "POST",
    path: "/api/admin/api-keys",
    access: "owner",
    summary: "Create an API key; its plain text is shown this once",
    body: withExpiry({ name: z.string().min(1).max(200), role }).meta({
      description: "Without an expiry the key does not expire.",
    }),
    status: 201,
    idempotent: { shownOnce: "key" },
    reply: apiKey.extend({ key: z.string() }),
  },
  "api-keys.list": {
    method: "GET",
    path: "/api/admin/api-keys",
    access: "owner",
    summary: "List API keys, newest first; never their plain text",
    query: z.object({
      ...pageQuery,
      status: someOf(apiKeyStatuses).meta({ description: "With one of these." }),
      userId: idParam.optional().meta({ description: "The keys that belong to this user." }),
    }),
    reply: z.array(apiKey),
    paginated: true,
  },
  "api-keys.get": {
    method: "GET",
    path: "/api/admin/api-keys/:keyId",
    access: "owner",
    summary: "Get an API key; never its plain text",
    params: keyParams,
    reply: apiKey,
    errors: ["API_KEY_NOT_FOUND"],
  },
  "api-keys.delete": {
    method: "DELETE",
    path: "/api/admin/api-keys/:keyId",
    access: "owner",
    summary: "Delete an API key that is not ACTIVE",
    params: keyParams,
    reply: z.object({ id: idOf("key"), deleted: z.literal(true) }),
    errors: ["API_KEY_NOT_FOUND", "API_KEY_ACTIVE"],
  },
  "api-keys.revoke": {
    method: "POST",
    path: "/api/admin/api-keys/:keyId/revoke",
    access: "owner",
    summary: "Revoke an API key: the next call with it is refused",
    params: keyParams,
    reply: apiKey,
    errors: ["API_KEY_NOT_FOUND"],
  },
});
