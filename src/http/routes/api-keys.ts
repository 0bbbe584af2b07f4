// Binds the routes of api/api-keys.ts to their use cases.

import type { apiKeys } from "../../api/api-keys.ts";
import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../core/access/api-keys.ts";
import type { HandlersOf } from "../dispatch.ts";

export const apiKeyHandlers: HandlersOf<typeof apiKeys> = {
  "api-keys.create": (ctx, { body }) => createApiKey(ctx, body),
  "api-keys.list": (ctx, { query }) => listApiKeys(ctx, query),
  "api-keys.get": (ctx, { params }) => getApiKey(ctx, params.keyId),
  "api-keys.delete": (ctx, { params }) => deleteApiKey(ctx, params.keyId),
  "api-keys.revoke": (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};
