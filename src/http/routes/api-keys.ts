// Binds the routes of api/api-keys.ts to their use cases.

import type { apiKeys } from "../../api/api-keys.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../../core/api-keys.ts";
import type { HandlersOf } from "../dispatch.ts";

export const apiKeyHandlers: HandlersOf<typeof apiKeys> = {
  "api-keys.create": (ctx, { body }) => createApiKey(ctx, body),
  "api-keys.list": (ctx, { query }) => listApiKeys(ctx, query),
  "api-keys.revoke": (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};
