// Binds every route to its use case.

import { type PlainInput, plainInput } from "../../api/contract/plain-input.ts";
import type { RouteRules, RouteSpec } from "../../api/contract/route.ts";
import type { RouteName } from "../../api/index.ts";
import type { Ctx } from "../../core/context.ts";
import type { HandlersOf } from "../../core/handlers.ts";
import { exportHandler, type ListHandler } from "../../core/list-export.ts";
import { factsOf } from "../../domain/route-facts.ts";

type AnyHandler = (ctx: Ctx, input: unknown) => unknown;

/** What `dispatch` needs to handle a call. */
export interface Endpoint {
  spec: RouteRules;
  handler: AnyHandler;
  /** The input of the call, if it was checked without the schemas. */
  input?: PlainInput;
}

interface CallOfRoute {
  route: RouteName;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** Returns a promise if the endpoint must be loaded first. */
export type Endpoints = (call: CallOfRoute) => Endpoint | Promise<Endpoint>;

type Specs = Readonly<Record<string, RouteSpec>>;
type NounOf<N extends RouteName> = N extends `${infer Noun}.${string}` ? Noun : never;

interface Bound {
  loadRoutes: () => Promise<Specs>;
  loadHandlers: () => Promise<{ handlers: Readonly<Record<string, unknown>> }>;
}

/** Does not compile if a route has no use case. */
function bound<T extends Specs>(
  loadRoutes: () => Promise<T>,
  loadHandlers: () => Promise<{ handlers: HandlersOf<T> }>,
): Bound {
  return { loadRoutes, loadHandlers };
}

/** Each key is the first part of the routes' names. */
const nouns: Readonly<Record<NounOf<RouteName>, Bound>> = {
  actions: bound(
    async () => (await import("../../api/actions.ts")).actions,
    () => import("../../core/commands/actions.ts"),
  ),
  agent: bound(
    async () => (await import("../../api/agent-endpoints.ts")).agentEndpoints,
    () => import("../../core/agent-calls/agent-endpoints.ts"),
  ),
  agents: bound(
    async () => (await import("../../api/agents.ts")).agents,
    () => import("../../core/fleet/agent-handlers.ts"),
  ),
  "api-keys": bound(
    async () => (await import("../../api/api-keys.ts")).apiKeys,
    () => import("../../core/access/api-keys.ts"),
  ),
  "approval-policies": bound(
    async () => (await import("../../api/approval-policies.ts")).approvalPolicies,
    () => import("../../core/approvals/policies.ts"),
  ),
  approvals: bound(
    async () => (await import("../../api/approvals.ts")).approvals,
    () => import("../../core/approval-decisions/approval-handlers.ts"),
  ),
  attention: bound(
    async () => (await import("../../api/attention.ts")).attention,
    () => import("../../core/fleet/attention.ts"),
  ),
  "audit-events": bound(
    async () => (await import("../../api/audit/audit-events.ts")).auditEvents,
    () => import("../../core/audit/audit-event-handlers.ts"),
  ),
  auth: bound(
    async () => (await import("../../api/sessions.ts")).sessions,
    () => import("./sessions.ts"),
  ),
  backup: bound(
    async () => (await import("../../api/backups.ts")).backups,
    () => import("../../core/system/backups.ts"),
  ),
  "bus-events": bound(
    async () => (await import("../../api/bus/bus-events.ts")).busEvents,
    () => import("../../core/bus/bus-events.ts"),
  ),
  "bus-routes": bound(
    async () => (await import("../../api/bus/bus-routes.ts")).busRoutes,
    () => import("../../core/bus/bus-route-handlers.ts"),
  ),
  commands: bound(
    async () => (await import("../../api/commands.ts")).commands,
    () => import("../../core/commands/command-handlers.ts"),
  ),
  declarations: bound(
    async () => (await import("../../api/declarations.ts")).declarations,
    () => import("../../core/declarations/declarations.ts"),
  ),
  diagnostics: bound(
    async () => (await import("../../api/diagnostics.ts")).diagnostics,
    () => import("../../core/system/diagnostics.ts"),
  ),
  "idempotency-keys": bound(
    async () => (await import("../../api/idempotency-keys.ts")).idempotencyKeys,
    () => import("../../core/idempotency-keys.ts"),
  ),
  maintenance: bound(
    async () => (await import("../../api/maintenance.ts")).maintenance,
    () => import("../../core/system/maintenance.ts"),
  ),
  metrics: bound(
    async () => (await import("../../api/metrics.ts")).metrics,
    () => import("./metrics.ts"),
  ),
  nodes: bound(
    async () => (await import("../../api/nodes.ts")).nodes,
    () => import("../../core/cluster/nodes.ts"),
  ),
  overview: bound(
    async () => (await import("../../api/overview.ts")).overview,
    () => import("../../core/system/overview.ts"),
  ),
  plans: bound(
    async () => (await import("../../api/plans.ts")).plans,
    () => import("../../core/commands/plans.ts"),
  ),
  "registration-tokens": bound(
    async () => (await import("../../api/registration-tokens.ts")).registrationTokens,
    () => import("../../core/fleet/registration-tokens.ts"),
  ),
  rollouts: bound(
    async () => (await import("../../api/rollouts.ts")).rollouts,
    () => import("../../core/rollouts/rollout-handlers.ts"),
  ),
  "saved-views": bound(
    async () => (await import("../../api/saved-views.ts")).savedViews,
    () => import("../../core/views/saved-views.ts"),
  ),
  schedules: bound(
    async () => (await import("../../api/schedules.ts")).schedules,
    () => import("../../core/schedules/schedule-handlers.ts"),
  ),
  search: bound(
    async () => (await import("../../api/search.ts")).search,
    () => import("../../core/search/search.ts"),
  ),
  services: bound(
    async () => (await import("../../api/services.ts")).services,
    () => import("../../core/fleet/service-handlers.ts"),
  ),
  settings: bound(
    async () => (await import("../../api/settings.ts")).settings,
    () => import("../../core/system/settings.ts"),
  ),
  stream: bound(
    async () => (await import("../../api/stream.ts")).stream,
    () => import("../../core/system/stream.ts"),
  ),
  system: bound(
    async () => (await import("../../api/system.ts")).system,
    () => import("./system.ts"),
  ),
  users: bound(
    async () => (await import("../../api/users.ts")).users,
    () => import("../../core/access/users.ts"),
  ),
};

/** A server loads everything when it starts, so that an error appears before it listens. */
export async function loadEveryEndpoint(): Promise<Endpoints> {
  const loaded = await Promise.all(
    Object.values(nouns).map(async ({ loadRoutes, loadHandlers }) => {
      const [routes, { handlers }] = await Promise.all([loadRoutes(), loadHandlers()]);
      return { routes, handlers };
    }),
  );
  const routes = Object.assign({}, ...loaded.map((noun) => noun.routes));
  const handlers = Object.assign({}, ...loaded.map((noun) => noun.handlers));
  return ({ route }) => endpointIn(routes, handlers, route);
}

/**
 * Loads the use cases of a noun when one of its routes is called, and its schemas only if the
 * facts of the route do not show that the input is valid. Only the command line uses this.
 */
export const endpointsOnDemand: Endpoints = async (call) => {
  const { route } = call;
  const { loadRoutes, loadHandlers } =
    nouns[route.slice(0, route.indexOf(".")) as NounOf<RouteName>];
  const facts = factsOf(route);
  const input = plainInput(facts, call);
  if (input === null) {
    const [routes, { handlers }] = await Promise.all([loadRoutes(), loadHandlers()]);
    return endpointIn(routes, handlers, route);
  }
  const { params, query, body, ...spec } = facts;
  const { handlers } = await loadHandlers();
  return { ...endpointIn({ [route]: spec }, handlers, route), input };
};

/** The export of a list uses the handler of the list. */
function endpointIn(
  routes: Readonly<Record<string, RouteRules>>,
  handlers: Readonly<Record<string, unknown>>,
  name: RouteName,
): Endpoint {
  const spec = routes[name] as RouteRules;
  if (spec.exportOf === undefined) return { spec, handler: handlers[name] as AnyHandler };
  const list = handlers[spec.exportOf] as ListHandler;
  return { spec, handler: exportHandler(spec.exportOf, list) as AnyHandler };
}
