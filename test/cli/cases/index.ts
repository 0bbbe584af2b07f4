// One run of every command that calls the API: one file for each noun.

import { actions } from "./actions.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { auditEvents } from "./audit-events.ts";
import type { Case } from "./case.ts";
import { commands } from "./commands.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { services } from "./services.ts";
import { system } from "./system.ts";

export const cases: Record<string, Case> = {
  ...actions,
  ...agents,
  ...apiKeys,
  ...auditEvents,
  ...commands,
  ...registrationTokens,
  ...services,
  ...system,
};

/** Those that answer something else than JSON data: each has tests of its own. */
export const downloads = ["backup"];
