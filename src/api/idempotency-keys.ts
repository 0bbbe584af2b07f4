// See docs/reference/api.md "Idempotency".

import { z } from "zod";
import { idempotencyKeyRule, isIdempotencyKey } from "../domain/idempotency-keys.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { namedObject } from "./contract/schema-names.ts";
import { jsonObject, timestamp } from "./contract/schemas.ts";

export const idempotencyKeys = defineRoutes({
  "idempotency-keys.get": {
    method: "GET",
    path: "/api/admin/idempotency-keys",
    access: "viewer",
    summary: "Get the result of a request made with a given `Idempotency-Key` in the last 24 hours",
    description: "The call finds only the caller's own requests.",
    query: z.object({
      key: z
        .string()
        .refine(isIdempotencyKey, { error: idempotencyKeyRule })
        .describe("The `Idempotency-Key` of that request."),
    }),
    reply: namedObject("IdempotencyKey", {
      key: z.string(),
      route: z.string().describe("The `operationId` of the request."),
      createdAt: timestamp.describe("When the first request with the key was carried out."),
      expiresAt: timestamp.describe("The time from which the key can be used for another request."),
      answer: jsonObject.describe(
        "The `data` of the first response, without the secret that is shown only once.",
      ),
    }),
    errors: ["IDEMPOTENCY_KEY_NOT_FOUND"],
  },
});
