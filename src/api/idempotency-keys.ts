// What became of a call that was made with an Idempotency-Key. See "Idempotency" in docs/administration.md.

import { z } from "zod";
import { idempotencyKeyRule, isIdempotencyKey } from "../domain/idempotency-keys.ts";
import { defineRoutes } from "./contract/route.ts";
import { namedObject } from "./contract/schema-names.ts";
import { jsonObject, timestamp } from "./contract/schemas.ts";

export const idempotencyKeys = defineRoutes({
  "idempotency-keys.get": {
    method: "GET",
    path: "/api/admin/idempotency-keys",
    access: "viewer",
    summary: "What a call with this `Idempotency-Key` made, in the last 24 hours",
    description: "Only the caller's own calls are found.",
    query: z.object({
      key: z.string().refine(isIdempotencyKey, { error: idempotencyKeyRule }),
    }),
    reply: namedObject("IdempotencyKey", {
      key: z.string(),
      route: z.string().meta({ description: "The `operationId` of the call." }),
      createdAt: timestamp,
      expiresAt: timestamp.meta({ description: "From then on the key may be used again." }),
      answer: jsonObject.meta({
        description: "The `data` of the first answer, without what is shown only once.",
      }),
    }),
    errors: ["IDEMPOTENCY_KEY_NOT_FOUND"],
  },
});
