// The table of all routes, for the server, the OpenAPI file, the client, the command line and
// tests.

import { actions } from "./actions.ts";
import { agentEndpoints } from "./agent-endpoints.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { approvalPolicies } from "./approval-policies.ts";
import { approvals } from "./approvals.ts";
import { attention } from "./attention.ts";
import { auditEvents } from "./audit/audit-events.ts";
import { backups } from "./backups.ts";
import { busEvents } from "./bus/bus-events.ts";
import { busRoutes } from "./bus/bus-routes.ts";
import { commands } from "./commands.ts";
import type { BodyInput, QueryInput, ReplyData, RouteSpec } from "./contract/route.ts";
import { declarations } from "./declarations.ts";
import { diagnostics } from "./diagnostics.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";
import { maintenance } from "./maintenance.ts";
import { metrics } from "./metrics.ts";
import { nodes } from "./nodes.ts";
import { overview } from "./overview.ts";
import { plans } from "./plans.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { rollouts } from "./rollouts.ts";
import { savedViews } from "./saved-views.ts";
import { schedules } from "./schedules.ts";
import { search } from "./search.ts";
import { services } from "./services.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { stream } from "./stream.ts";
import { system } from "./system.ts";
import { users } from "./users.ts";

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
