// Registration tokens: single-use invitations. (`service.md` "Credentials"; `decisions.md` 5)

import { z } from "zod";
import { registrationTokenStatuses } from "../domain/registration-tokens.ts";
import { defineRoutes } from "./route.ts";
import { idOf, timestamp } from "./schemas.ts";

const registrationToken = z.object({
  id: idOf("rtk"),
  name: z.string().nullable(),
  status: z.enum(registrationTokenStatuses),
  createdBy: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  usedAt: timestamp.nullable(),
  usedByAgentId: idOf("agt").nullable(),
  revokedAt: timestamp.nullable(),
});

const createBody = z
  .object({
    name: z.string().min(1).max(200).optional(),
    expiresAt: z.iso.datetime({ offset: true }).nullable().optional(),
    expiresInSeconds: z.int().min(0).max(3_153_600_000).optional(),
  })
  .refine((body) => body.expiresAt === undefined || body.expiresInSeconds === undefined, {
    error: "give expiresAt or expiresInSeconds, not both",
    path: ["expiresAt"],
  })
  .meta({
    description:
      "Without an expiry the configured one is used; `expiresInSeconds: 0` or `expiresAt: null` " +
      "make a token that does not expire.",
  });

export const registrationTokens = defineRoutes({
  "registration-tokens.create": {
    method: "POST",
    path: "/api/admin/registration-tokens",
    access: "operator",
    summary: "Create a registration token; its plain text is shown this once",
    body: createBody,
    status: 201,
    reply: registrationToken.extend({ token: z.string() }),
  },
});
