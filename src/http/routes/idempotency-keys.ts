// Binds the routes of api/idempotency-keys.ts to their use cases.

import type { idempotencyKeys } from "../../api/idempotency-keys.ts";
import { getAnswer } from "../../core/system/idempotency-keys.ts";
import type { HandlersOf } from "../dispatch.ts";

export const idempotencyKeyHandlers: HandlersOf<typeof idempotencyKeys> = {
  "idempotency-keys.get": (ctx, { query }) => getAnswer(ctx, query.key),
};
