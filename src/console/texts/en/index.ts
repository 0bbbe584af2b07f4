// The English texts, one file for each part of the console.

export { account } from "./account.ts";
export { actions } from "./actions.ts";
export { agents } from "./agents.ts";
export { apiKeys } from "./api-keys.ts";
export { approvals } from "./approvals.ts";
export { attention } from "./attention.ts";
export { audit } from "./audit.ts";
export { busEvents } from "./bus-events.ts";
export { busRoutes } from "./bus-routes.ts";
export { commands } from "./commands.ts";
export { csv } from "./csv.ts";
export { login } from "./login.ts";
export { nouns } from "./nouns.ts";
export { overview } from "./overview.ts";
export { palette, shortcuts } from "./palette.ts";
export { policies } from "./policies.ts";
export { registrationTokens } from "./registration-tokens.ts";
export { results } from "./results.ts";
export { rollouts } from "./rollouts.ts";
export { savedViews } from "./saved-views.ts";
export { schedules } from "./schedules.ts";
export { schemaForm } from "./schema-form.ts";
export { services } from "./services.ts";
export { settings } from "./settings.ts";
export { shell } from "./shell.ts";
export { users } from "./users.ts";
export * from "./words.ts";

export const locale = "en-GB";
