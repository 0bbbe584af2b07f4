// Loads the routes of each noun, by the first part of their names.
// Written by scripts/write-tables.ts: do not edit.

export const loaders = {
  actions: async () => (await import("./actions.ts")).actions,
  agent: async () => (await import("./agent-endpoints.ts")).agentEndpoints,
  agents: async () => (await import("./agents.ts")).agents,
  "api-keys": async () => (await import("./api-keys.ts")).apiKeys,
  "audit-events": async () => (await import("./audit/audit-events.ts")).auditEvents,
  auth: async () => (await import("./sessions.ts")).sessions,
  backup: async () => (await import("./backups.ts")).backups,
  "bus-events": async () => (await import("./bus/bus-events.ts")).busEvents,
  "bus-routes": async () => (await import("./bus/bus-routes.ts")).busRoutes,
  commands: async () => (await import("./commands.ts")).commands,
  diagnostics: async () => (await import("./diagnostics.ts")).diagnostics,
  "idempotency-keys": async () => (await import("./idempotency-keys.ts")).idempotencyKeys,
  maintenance: async () => (await import("./maintenance.ts")).maintenance,
  metrics: async () => (await import("./metrics.ts")).metrics,
  nodes: async () => (await import("./nodes.ts")).nodes,
  overview: async () => (await import("./overview.ts")).overview,
  plans: async () => (await import("./plans.ts")).plans,
  "registration-tokens": async () => (await import("./registration-tokens.ts")).registrationTokens,
  rollouts: async () => (await import("./rollouts.ts")).rollouts,
  services: async () => (await import("./services.ts")).services,
  settings: async () => (await import("./settings.ts")).settings,
  stream: async () => (await import("./stream.ts")).stream,
  system: async () => (await import("./system.ts")).system,
  users: async () => (await import("./users.ts")).users,
};
