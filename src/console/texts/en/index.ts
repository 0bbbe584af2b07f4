// English. One file for each part of the console; words that many parts use are in words.ts.

import { account } from "./account.ts";
import { actions } from "./actions.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { audit } from "./audit.ts";
import { busEvents } from "./bus-events.ts";
import { busRoutes } from "./bus-routes.ts";
import { commands } from "./commands.ts";
import { login } from "./login.ts";
import { nouns } from "./nouns.ts";
import { overview } from "./overview.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { services } from "./services.ts";
import { settings } from "./settings.ts";
import { auditTrail } from "./shared/audit-trail.ts";
import { expiries } from "./shared/expiries.ts";
import { json } from "./shared/json.ts";
import { recentCommands } from "./shared/recent-commands.ts";
import { schemaForm } from "./shared/schema-form.ts";
import { values } from "./shared/values.ts";
import { words } from "./shared/words.ts";
import { shell } from "./shell.ts";
import { users } from "./users.ts";

export const en = {
  /** For numbers and times. */
  locale: "en-GB",
  time: { now: "now", never: "never" },
  words,
  expiries,
  shell,
  nouns,
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
