// API keys: how programs reach the admin side.

import { z } from "zod";
import { apiKeyStatuses } from "../domain/api-keys.ts";
import { keyRoles } from "../domain/principals.ts";
import { userStatuses } from "../domain/users.ts";
import { defineNoun } from "./contract/noun.ts";
import { defineRoutes } from "./contract/route.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  deletedOf,
  idOf,
  idParam,
  pageQuery,
  someOf,
  timestamp,
  withExpiry,
} from "./contract/schemas.ts";

const status = named("ApiKeyStatus", z.enum(apiKeyStatuses));
const role = named(
  "ApiKeyRole",
  z.enum(keyRoles).meta({
    description:
      "`metrics` reads GET /api/admin/metrics and its Prometheus form, and nothing else.",
  }),
);

const keyUser = namedObject("ApiKeyUser", {
  id: z.string(),
  username: z.string().nullable(),
  status: named("ApiKeyUserStatus", z.enum([...userStatuses, "DELETED"])),
});

const apiKey = namedObject("ApiKey", {
  id: idOf("key"),
  name: z.string(),
  role,
  status,
  user: keyUser.nullable().meta({
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

const createBody = named(
  "CreateApiKeyRequest",
  withExpiry({ name: z.string().min(1).max(200), role }).meta({
    description: "Without an expiry the key does not expire.",
  }),
);

const keyParams = z.object({ keyId: idParam });

export const apiKeys = defineRoutes({
  "api-keys.create": {
    method: "POST",
    path: "/api/admin/api-keys",
    access: "owner",
    summary: "Create an API key; its plain text is shown this once",
    body: createBody,
    status: 201,
    idempotent: { shownOnce: "key" },
    reply: named("CreatedApiKey", apiKey.extend({ key: z.string() })),
  },
  "api-keys.list": {
    method: "GET",
    path: "/api/admin/api-keys",
    access: "owner",
    summary: "List API keys, newest first; never their plain text",
    query: z.object({
      ...pageQuery,
      status: someOf(status).meta({ description: "With any of these, separated by commas." }),
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
    reply: named("DeletedApiKey", deletedOf("key")),
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

export const apiKeyNoun = defineNoun("api-keys", apiKeys, {
  one: "API key",
  title: "API keys",
  summary: "API keys for scripts",
  lead: "Programs, and the command line on other machines, use API keys to call this server.",
  prefix: "key",
  name: "name",
  live: "ACTIVE",
  about: "status",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "status", of: "status", kind: "state" },
    { name: "name", of: "name" },
    { name: "role", of: "role" },
    { name: "user", of: { cell: "keyOwner" }, label: "Belongs to" },
    { name: "expires", of: "expiresAt", kind: "time", none: "never" },
    { name: "used", of: "lastUsedAt", kind: "time", label: "Last used" },
    { name: "created", of: "createdAt", kind: "time", wide: "terminal" },
    { name: "by", of: "createdBy", wide: true, label: "Created by" },
    { name: "revoked", of: "revokedAt", kind: "time", wide: true },
  ],
  empty: "No API keys. Create one: platformctl api-keys create",
  emptyPage: "There are no API keys. Programs need one; people sign in.",
  acts: {
    revoke: {
      asks: "Revoke the API key {title}? Whatever uses it is refused from now on.",
      happens: [
        "The next call with this key is rejected, and streams that it opened are closed. This cannot be undone: every program that uses the key needs a new one.",
      ],
      done: "The API key {title} is revoked.",
      when: { status: ["ACTIVE"] },
      danger: true,
    },
    delete: {
      asks: "Delete the API key {title}?",
      refusedWhen: "ACTIVE",
      happens: ["The key no longer works. The audit trail keeps what was done with it."],
      done: "The API key {title} is deleted.",
      danger: true,
    },
  },
  create: {
    fields: {
      name: { hint: "What it is for.", default: "platformctl" },
      role: {
        hint: "What it can do; `metrics` only reads the metrics.",
        meanings: {
          viewer: "reads",
          operator: "also runs actions",
          owner: "everything",
          metrics: "only reads the metrics",
        },
      },
    },
    expires: "never",
    reminder: "Scripts pass it in PLATFORM_API_KEY.",
  },
  examples: {
    create: [
      "api-keys create --name ci --role operator --expires 90d",
      "api-keys create --name prometheus --role metrics",
      "api-keys create --name ci --role operator --db data/platform.db -o json",
    ],
  },
});
