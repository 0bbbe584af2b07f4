// English. One file for each part of the console; words that many parts use are in words.ts.

import { account } from "./account.ts";
import { actions } from "./actions.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { audit } from "./audit.ts";
import { auditTrail } from "./audit-trail.ts";
import { busEvents } from "./bus-events.ts";
import { busRoutes } from "./bus-routes.ts";
import { commands } from "./commands.ts";
import { expiries } from "./expiries.ts";
import { json } from "./json.ts";
import { login } from "./login.ts";
import { overview } from "./overview.ts";
import { recentCommands } from "./recent-commands.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { schemaForm } from "./schema-form.ts";
import { services } from "./services.ts";
import { settings } from "./settings.ts";
import { shell } from "./shell.ts";
import { users } from "./users.ts";
import { values } from "./values.ts";
import { words } from "./words.ts";

export const en = {
  /** For numbers and times. */
  locale: "en-GB",
  time: { now: "now", never: "never" },
  words,
  expiries,
  shell,
  login,
  overview,
  agents,
  services,
  registrationTokens,
  recentCommands,
  auditTrail,
  busRoutes,
  busEvents,
  audit,
  users,
  apiKeys,
  settings,
  account,
  actions,
  schemaForm,
  commands,
  values,
  json,
};
