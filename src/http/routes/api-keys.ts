// Binds the routes of api/api-keys.ts to their use cases.

import type { apiKeys } from "../../api/api-keys.ts";
import { createApiKey } from "../../core/api-keys.ts";
import type { HandlersOf } from "../dispatch.ts";

export const apiKeyHandlers: HandlersOf<typeof apiKeys> = {
  "api-keys.create": (ctx, { body }) => createApiKey(ctx, body),
};
