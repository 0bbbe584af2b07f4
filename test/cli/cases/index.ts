// One run of every command that calls the API: one file for each noun.

import { actionCatalog } from "./action-catalog.ts";
import { actions } from "./actions.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { auditEvents } from "./audit-events.ts";
import { busEvents } from "./bus-events.ts";
import { busRoutes } from "./bus-routes.ts";
import type { Case } from "./case.ts";
import { commands } from "./commands.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { services } from "./services.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { system } from "./system.ts";
import { users } from "./users.ts";

export const cases: Record<string, Case> = {
  ...actionCatalog,
  ...actions,
  ...agents,
  ...apiKeys,
  ...auditEvents,
  ...busEvents,
  ...busRoutes,
  ...commands,
  ...registrationTokens,
  ...services,
  ...settings,
  ...sessions,
  ...system,
  ...users,
};

/** Those that answer something else than JSON data: each has tests of its own. */
export const downloads = ["backup"];

/** Only somebody who is signed in has these: own-sessions.test.ts. */
export const forPeople = ["sessions list", "sessions end"];
