// The tables of routes, each loaded when it is asked for: building the schemas of all takes longer than
// most commands do. A server has them all from its start, by index.ts.

import type { RouteSpec } from "./contract/route.ts";
import type { RouteName, Routes } from "./index.ts";

/** What the names of a table's routes begin with: `agents`, before the dot. */
export type Noun = RouteName extends `${infer N}.${string}` ? N : never;
/** The table of a noun. */
export type RoutesOf<N extends Noun> = Pick<Routes, RouteName & `${N}.${string}`>;

const tables: { [N in Noun]: () => Promise<RoutesOf<N>> } = {
  agent: async () => (await import("./agent-endpoints.ts")).agentEndpoints,
  auth: async () => (await import("./sessions.ts")).sessions,
  "registration-tokens": async () => (await import("./registration-tokens.ts")).registrationTokens,
  agents: async () => (await import("./agents.ts")).agents,
  services: async () => (await import("./services.ts")).services,
  actions: async () => (await import("./actions.ts")).actions,
  commands: async () => (await import("./commands.ts")).commands,
  "idempotency-keys": async () => (await import("./idempotency-keys.ts")).idempotencyKeys,
  users: async () => (await import("./users.ts")).users,
  "api-keys": async () => (await import("./api-keys.ts")).apiKeys,
  "bus-routes": async () => (await import("./bus/bus-routes.ts")).busRoutes,
  "bus-events": async () => (await import("./bus/bus-events.ts")).busEvents,
  "audit-events": async () => (await import("./audit/audit-events.ts")).auditEvents,
  settings: async () => (await import("./settings.ts")).settings,
  maintenance: async () => (await import("./maintenance.ts")).maintenance,
  overview: async () => (await import("./overview.ts")).overview,
  metrics: async () => (await import("./metrics.ts")).metrics,
  diagnostics: async () => (await import("./diagnostics.ts")).diagnostics,
  backup: async () => (await import("./backups.ts")).backups,
  stream: async () => (await import("./stream.ts")).stream,
  system: async () => (await import("./system.ts")).system,
};

/** The noun of a route. */
export function nounOf(name: RouteName): Noun {
  return name.slice(0, name.indexOf(".")) as Noun;
}

/** The routes of a noun, by their whole names. */
export function loadRoutes(noun: Noun): Promise<Readonly<Record<string, RouteSpec>>> {
  return tables[noun]();
}
