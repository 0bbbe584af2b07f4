// Loads the handlers of each noun, by the first part of their routes' names. If one is missing, this
// does not compile.
// Written by scripts/write-tables.ts: do not edit.

import type { Noun, RoutesOf } from "../../api/on-demand.ts";
import type { HandlersOf } from "../../core/handlers.ts";

export const loaders = {
  actions: () => import("../../core/commands/actions.ts"),
  agent: () => import("../../core/agent-calls/agent-endpoints.ts"),
  agents: () => import("../../core/fleet/agent-handlers.ts"),
  "api-keys": () => import("../../core/access/api-keys.ts"),
  "approval-policies": () => import("../../core/approvals/policies.ts"),
  approvals: () => import("../../core/decisions/approval-handlers.ts"),
  attention: () => import("../../core/fleet/attention.ts"),
  "audit-events": () => import("../../core/audit/audit-event-handlers.ts"),
  auth: () => import("./sessions.ts"),
  backup: () => import("../../core/system/backups.ts"),
  "bus-events": () => import("../../core/bus/bus-events.ts"),
  "bus-routes": () => import("../../core/bus/bus-route-handlers.ts"),
  commands: () => import("../../core/commands/command-handlers.ts"),
  declarations: () => import("../../core/declarations/declarations.ts"),
  diagnostics: () => import("../../core/system/diagnostics.ts"),
  "idempotency-keys": () => import("../../core/idempotency-keys.ts"),
  maintenance: () => import("../../core/system/maintenance.ts"),
  metrics: () => import("./metrics.ts"),
  nodes: () => import("../../core/cluster/nodes.ts"),
  overview: () => import("../../core/system/overview.ts"),
  plans: () => import("../../core/commands/plans.ts"),
  "registration-tokens": () => import("../../core/fleet/registration-tokens.ts"),
  rollouts: () => import("../../core/rollouts/rollout-handlers.ts"),
  "saved-views": () => import("../../core/views/saved-views.ts"),
  schedules: () => import("../../core/schedules/schedule-handlers.ts"),
  search: () => import("../../core/search/search.ts"),
  services: () => import("../../core/fleet/service-handlers.ts"),
  settings: () => import("../../core/system/settings.ts"),
  stream: () => import("../../core/system/stream.ts"),
  system: () => import("./system.ts"),
  users: () => import("../../core/access/users.ts"),
} satisfies { [N in Noun]: () => Promise<{ handlers: HandlersOf<RoutesOf<N>> }> };
