// Binds the routes of api/registration-tokens.ts to their use cases.

import type { registrationTokens } from "../../api/registration-tokens.ts";
import { createRegistrationToken } from "../../core/registration-tokens.ts";
import type { HandlersOf } from "../dispatch.ts";

export const registrationTokenHandlers: HandlersOf<typeof registrationTokens> = {
  "registration-tokens.create": (ctx, { body }) => createRegistrationToken(ctx, body),
};
