// API keys: how programs reach the admin side. (`decisions.md` 5: three ways in)

import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { idOf, role, timestamp } from "./schemas.ts";

export const apiKeys = defineRoutes({
  "api-keys.create": {
    method: "POST",
    path: "/api/admin/api-keys",
    access: "owner",
    summary: "Create an API key; its plain text is shown this once",
    body: z.object({
      name: z.string().min(1).max(200),
      role,
      expiresInSeconds: z.int().min(1).max(3_153_600_000).optional(),
    }),
    status: 201,
    reply: z.object({
      id: idOf("key"),
      name: z.string(),
      role,
      createdAt: timestamp,
      expiresAt: timestamp.nullable(),
      key: z.string(),
    }),
  },
});
