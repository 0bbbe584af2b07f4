// The order and the titles in which the reference lists the routes.

import { exportNameOf } from "../../src/api/contract/export-names.ts";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";

const specs: Record<string, RouteSpec> = routes;

/** The first part of the routes' names, and the title. */
export const headings: readonly [tag: string, title: string][] = [
  ["agent", "Calls of agents"],
  ["auth", "Signing in"],
  ["agents", "Agents"],
  ["registration-tokens", "Registration tokens"],
  ["services", "Services"],
  ["attention", "Attention"],
  ["actions", "Actions"],
  ["plans", "Plans"],
  ["commands", "Commands"],
  ["rollouts", "Rollouts"],
  ["schedules", "Schedules"],
  ["approvals", "Approvals"],
  ["approval-policies", "Approval policies"],
  ["bus-routes", "Routes of the event bus"],
  ["bus-events", "Events of the event bus"],
  ["users", "Users"],
  ["api-keys", "API keys"],
  ["saved-views", "Saved views"],
  ["declarations", "Declarations"],
  ["overview", "Overview"],
  ["search", "Search"],
  ["stream", "Live stream"],
  ["audit-events", "Audit trail"],
  ["settings", "Settings"],
  ["maintenance", "Maintenance"],
  ["backup", "Backup"],
  ["nodes", "Nodes"],
  ["metrics", "Metrics"],
  ["diagnostics", "Diagnostics"],
  ["idempotency-keys", "Idempotency keys"],
  ["system", "System"],
];

/** Whether the route exports a list, which the list's own section mentions. */
export function isExport(route: string): boolean {
  return specs[route]?.exportOf !== undefined;
}

/** Whether the list has an export that was derived from it. */
export function hasExport(list: string): boolean {
  return isExport(exportNameOf(list));
}
