// Every route of the table, bound to its use case: what a server has from its start.

import { type RouteName, routes } from "../../api/index.ts";
import { bind, type Endpoint, type Endpoints, type Handlers } from "../dispatch.ts";
import type { RequestTimes } from "../metrics/request-times.ts";
import { actionHandlers } from "./actions.ts";
import { agentEndpointHandlers } from "./agent-endpoints.ts";
import { agentHandlers } from "./agents.ts";
import { apiKeyHandlers } from "./api-keys.ts";
import { auditEventHandlers } from "./audit-events.ts";
import { backupHandlers } from "./backups.ts";
import { busEventHandlers } from "./bus/bus-events.ts";
import { busRouteHandlers } from "./bus/bus-routes.ts";
import { commandHandlers } from "./commands.ts";
import { diagnosticsHandlers } from "./diagnostics.ts";
import { idempotencyKeyHandlers } from "./idempotency-keys.ts";
import { maintenanceHandlers } from "./maintenance.ts";
import { metricsHandlers } from "./metrics.ts";
import { overviewHandlers } from "./overview.ts";
import { registrationTokenHandlers } from "./registration-tokens.ts";
import { serviceHandlers } from "./services.ts";
import { sessionHandlers } from "./sessions.ts";
import { settingsHandlers } from "./settings.ts";
import { streamHandlers } from "./stream.ts";
import { systemHandlers } from "./system.ts";
import { userHandlers } from "./users.ts";

export function everyEndpoint(requestTimes: RequestTimes): Endpoints {
  const handlers: Handlers = {
    ...agentEndpointHandlers,
    ...sessionHandlers,
    ...registrationTokenHandlers,
    ...agentHandlers,
    ...serviceHandlers,
    ...actionHandlers,
    ...commandHandlers,
    ...idempotencyKeyHandlers,
    ...userHandlers,
    ...apiKeyHandlers,
    ...busRouteHandlers,
    ...busEventHandlers,
    ...auditEventHandlers,
    ...settingsHandlers,
    ...maintenanceHandlers,
    ...overviewHandlers,
    ...metricsHandlers(requestTimes),
    ...diagnosticsHandlers,
    ...backupHandlers,
    ...streamHandlers,
    ...systemHandlers,
  };
  const endpoints = bind(routes, handlers) as Record<RouteName, Endpoint>;
  return (name) => endpoints[name];
}
