// The table of all routes, for the server, the OpenAPI file, the client, the command line and the tests.
// Written by scripts/write-tables.ts: do not edit.

import type { DefinedNoun } from "./contract/noun.ts";
import type { BodyInput, QueryInput, ReplyData, RouteSpec } from "./contract/route.ts";
import { actions } from "./actions.ts";
import { agentEndpoints } from "./agent-endpoints.ts";
import { agentNoun, agents } from "./agents.ts";
import { apiKeyNoun, apiKeys } from "./api-keys.ts";
import { approvalPolicyNoun, approvalPolicies } from "./approval-policies.ts";
import { approvalNoun, approvals } from "./approvals.ts";
import { attention } from "./attention.ts";
import { auditEvents } from "./audit/audit-events.ts";
import { sessions } from "./sessions.ts";
import { backups } from "./backups.ts";
import { busEventNoun, busEvents } from "./bus/bus-events.ts";
import { busRouteNoun, busRoutes } from "./bus/bus-routes.ts";
import { commandNoun, commands } from "./commands.ts";
import { declarations } from "./declarations.ts";
import { diagnostics } from "./diagnostics.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";
import { maintenance } from "./maintenance.ts";
import { metrics } from "./metrics.ts";
import { nodeNoun, nodes } from "./nodes.ts";
import { overview } from "./overview.ts";
import { plans } from "./plans.ts";
import { registrationTokenNoun, registrationTokens } from "./registration-tokens.ts";
import { rolloutNoun, rollouts } from "./rollouts.ts";
import { savedViewNoun, savedViews } from "./saved-views.ts";
import { scheduleNoun, schedules } from "./schedules.ts";
import { search } from "./search.ts";
import { serviceNoun, services } from "./services.ts";
import { settings } from "./settings.ts";
import { stream } from "./stream.ts";
import { system } from "./system.ts";
import { userNoun, users } from "./users.ts";

export const routes = {
  ...actions,
  ...agentEndpoints,
  ...agents,
  ...apiKeys,
  ...approvalPolicies,
  ...approvals,
  ...attention,
  ...auditEvents,
  ...sessions,
  ...backups,
  ...busEvents,
  ...busRoutes,
  ...commands,
  ...declarations,
  ...diagnostics,
  ...idempotencyKeys,
  ...maintenance,
  ...metrics,
  ...nodes,
  ...overview,
  ...plans,
  ...registrationTokens,
  ...rollouts,
  ...savedViews,
  ...schedules,
  ...search,
  ...services,
  ...settings,
  ...stream,
  ...system,
  ...users,
} satisfies Record<string, RouteSpec>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** The data that a route returns, and the input that it accepts. */
export type Reply<N extends RouteName> = ReplyData<Routes[N]>;
export type Body<N extends RouteName> = BodyInput<Routes[N]>;
export type Query<N extends RouteName> = QueryInput<Routes[N]>;

export const nouns: readonly DefinedNoun[] = [
  agentNoun,
  apiKeyNoun,
  approvalPolicyNoun,
  approvalNoun,
  busEventNoun,
  busRouteNoun,
  commandNoun,
  nodeNoun,
  registrationTokenNoun,
  rolloutNoun,
  savedViewNoun,
  scheduleNoun,
  serviceNoun,
  userNoun,
];
