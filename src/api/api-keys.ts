// API keys: how programs reach the admin side. (`decisions.md` 5: three ways in)

import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { idOf, idParam, pageQuery, role, timestamp, withExpiry } from "./schemas.ts";

const apiKey = z.object({
  id: idOf("key"),
  name: z.string(),
  role,
  status: z.enum(["ACTIVE", "EXPIRED", "REVOKED"]),
  createdBy: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable().meta({ description: "To the minute." }),
});

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
    query: z.object(pageQuery),
    reply: z.array(apiKey),
    paginated: true,
  },
  "api-keys.revoke": {
    method: "POST",
    path: "/api/admin/api-keys/:keyId/revoke",
    access: "owner",
    summary: "Revoke an API key: the next call with it is refused",
    params: z.object({ keyId: idParam }),
    reply: apiKey,
    errors: ["API_KEY_NOT_FOUND"],
  },
});
