// The handlers of all routes. If one is missing, this does not compile.
// Written by scripts/write-tables.ts: do not edit.

import type { Routes } from "../../api/index.ts";
import type { HandlersOf } from "../../core/handlers.ts";
import { handlers as actions } from "../../core/commands/actions.ts";
import { handlers as agentEndpoints } from "../../core/agent-calls/agent-endpoints.ts";
import { handlers as agents } from "../../core/fleet/agent-handlers.ts";
import { handlers as apiKeys } from "../../core/access/api-keys.ts";
import { handlers as auditEvents } from "../../core/audit/audit-event-handlers.ts";
import { handlers as sessions } from "./sessions.ts";
import { handlers as backups } from "../../core/system/backups.ts";
import { handlers as busEvents } from "../../core/bus/bus-events.ts";
import { handlers as busRoutes } from "../../core/bus/bus-route-handlers.ts";
import { handlers as commands } from "../../core/commands/command-handlers.ts";
import { handlers as diagnostics } from "../../core/system/diagnostics.ts";
import { handlers as idempotencyKeys } from "../../core/system/idempotency-keys.ts";
import { handlers as maintenance } from "../../core/system/maintenance.ts";
import { handlers as metrics } from "./metrics.ts";
import { handlers as overview } from "../../core/fleet/overview.ts";
import { handlers as registrationTokens } from "../../core/fleet/registration-tokens.ts";
import { handlers as services } from "../../core/fleet/service-handlers.ts";
import { handlers as settings } from "../../core/system/settings.ts";
import { handlers as stream } from "../../core/system/stream.ts";
import { handlers as system } from "./system.ts";
import { handlers as users } from "../../core/access/users.ts";

export const handlers: HandlersOf<Routes> = {
  ...actions,
  ...agentEndpoints,
  ...agents,
  ...apiKeys,
  ...auditEvents,
  ...sessions,
  ...backups,
  ...busEvents,
  ...busRoutes,
  ...commands,
  ...diagnostics,
  ...idempotencyKeys,
  ...maintenance,
  ...metrics,
  ...overview,
  ...registrationTokens,
  ...services,
  ...settings,
  ...stream,
  ...system,
  ...users,
};
