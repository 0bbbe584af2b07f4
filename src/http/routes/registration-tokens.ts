// Binds the routes of api/registration-tokens.ts to their use cases.

import type { registrationTokens } from "../../api/registration-tokens.ts";
import {
  createRegistrationToken,
  deleteRegistrationToken,
  getRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
} from "../../core/fleet/registration-tokens.ts";
import type { HandlersOf } from "../dispatch.ts";

export const registrationTokenHandlers: HandlersOf<typeof registrationTokens> = {
  "registration-tokens.create": (ctx, { body }) => createRegistrationToken(ctx, body),
  "registration-tokens.list": (ctx, { query }) => listRegistrationTokens(ctx, query),
  "registration-tokens.get": (ctx, { params }) => getRegistrationToken(ctx, params.tokenId),
  "registration-tokens.revoke": (ctx, { params }) => revokeRegistrationToken(ctx, params.tokenId),
  "registration-tokens.delete": (ctx, { params }) => deleteRegistrationToken(ctx, params.tokenId),
};
