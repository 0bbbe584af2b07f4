// The routes with their use cases, each noun loaded when the first of its routes is called: what a
// command that makes one call needs. A server has them all from its start, by index.ts.

import type { RouteName } from "../../api/index.ts";
import { loadRoutes, type Noun, nounOf, type RoutesOf } from "../../api/on-demand.ts";
import { bind, type Endpoint, type Endpoints, type HandlersOf } from "../dispatch.ts";
import type { RequestTimes } from "../metrics/request-times.ts";

const handlers: { [N in Noun]: (times: RequestTimes) => Promise<HandlersOf<RoutesOf<N>>> } = {
  agent: async () => (await import("./agent-endpoints.ts")).agentEndpointHandlers,
  auth: async () => (await import("./sessions.ts")).sessionHandlers,
  "registration-tokens": async () =>
    (await import("./registration-tokens.ts")).registrationTokenHandlers,
  agents: async () => (await import("./agents.ts")).agentHandlers,
  services: async () => (await import("./services.ts")).serviceHandlers,
  actions: async () => (await import("./actions.ts")).actionHandlers,
  commands: async () => (await import("./commands.ts")).commandHandlers,
  "idempotency-keys": async () => (await import("./idempotency-keys.ts")).idempotencyKeyHandlers,
  users: async () => (await import("./users.ts")).userHandlers,
  "api-keys": async () => (await import("./api-keys.ts")).apiKeyHandlers,
  "bus-routes": async () => (await import("./bus/bus-routes.ts")).busRouteHandlers,
  "bus-events": async () => (await import("./bus/bus-events.ts")).busEventHandlers,
  "audit-events": async () => (await import("./audit-events.ts")).auditEventHandlers,
  settings: async () => (await import("./settings.ts")).settingsHandlers,
  maintenance: async () => (await import("./maintenance.ts")).maintenanceHandlers,
  overview: async () => (await import("./overview.ts")).overviewHandlers,
  metrics: async (times) => (await import("./metrics.ts")).metricsHandlers(times),
  diagnostics: async () => (await import("./diagnostics.ts")).diagnosticsHandlers,
  backup: async () => (await import("./backups.ts")).backupHandlers,
  stream: async () => (await import("./stream.ts")).streamHandlers,
  system: async () => (await import("./system.ts")).systemHandlers,
};

/** Loads each noun once. */
export function endpointsOnDemand(times: RequestTimes): Endpoints {
  const loaded = new Map<Noun, Promise<Readonly<Record<string, Endpoint>>>>();
  return async (name: RouteName) => {
    const noun = nounOf(name);
    let endpoints = loaded.get(noun);
    if (!endpoints) {
      endpoints = load(noun, times);
      loaded.set(noun, endpoints);
    }
    return (await endpoints)[name] as Endpoint;
  };
}

async function load(noun: Noun, times: RequestTimes) {
  const [routes, useCases] = await Promise.all([loadRoutes(noun), handlers[noun](times)]);
  return bind(routes, useCases);
}
