// The one table of routes. Server, OpenAPI file, client, command line and tests read it.

import { actions } from "./actions.ts";
import { agentEndpoints } from "./agent-endpoints.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { auditEvents } from "./audit/audit-events.ts";
import { backups } from "./backups.ts";
import { busEvents } from "./bus/bus-events.ts";
import { busRoutes } from "./bus/bus-routes.ts";
import { commands } from "./commands.ts";
import type { RouteSpec } from "./contract/route.ts";
import { diagnostics } from "./diagnostics.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";
import { maintenance } from "./maintenance.ts";
import { metrics } from "./metrics.ts";
import { overview } from "./overview.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { services } from "./services.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { stream } from "./stream.ts";
import { system } from "./system.ts";
import { users } from "./users.ts";

export const routes = {
  ...agentEndpoints,
  ...sessions,
  ...registrationTokens,
  ...agents,
  ...services,
  ...actions,
  ...commands,
  ...idempotencyKeys,
  ...users,
  ...apiKeys,
  ...busRoutes,
  ...busEvents,
  ...auditEvents,
  ...settings,
  ...maintenance,
  ...overview,
  ...metrics,
  ...diagnostics,
  ...backups,
  ...stream,
  ...system,
} satisfies Record<string, RouteSpec>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
