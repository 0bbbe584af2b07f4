// What a caller must know of each route. Written by scripts/write-wire-routes.ts from the table of
// routes, which brings the schemas with it: a client that does without them starts in half the time.

import type { RouteName } from "../index.ts";
import type { WireRoute } from "./route.ts";

export const wireRoutes: Record<RouteName, WireRoute> = {
  "actions.prepare": {
    method: "GET",
    path: "/api/admin/capsule-services/:serviceId/actions/:actionName",
  },
  "actions.execute": {
    method: "POST",
    path: "/api/admin/capsule-services/:serviceId/actions/:actionName",
  },
  "agent.register": {
    method: "POST",
    path: "/api/agents/register",
  },
  "agent.check": {
    method: "POST",
    path: "/api/agents/check",
  },
  "agent.proof": {
    method: "POST",
    path: "/api/agents/proof",
  },
  "agent.heartbeat": {
    method: "POST",
    path: "/api/agents/heartbeat",
  },
  "agent.offline": {
    method: "POST",
    path: "/api/agents/offline",
  },
  "agent.report": {
    method: "POST",
    path: "/api/agents/services",
  },
  "agent.poll": {
    method: "GET",
    path: "/api/agents/commands",
  },
  "agent.result": {
    method: "POST",
    path: "/api/agents/commands/:commandId/result",
  },
  "agent.publish": {
    method: "POST",
    path: "/api/agents/:agentId/bus/events",
  },
  "agents.list": {
    method: "GET",
    path: "/api/admin/agents",
    paginated: true,
  },
  "agents.get": {
    method: "GET",
    path: "/api/admin/agents/:agentId",
  },
  "agents.disable": {
    method: "POST",
    path: "/api/admin/agents/:agentId/disable",
  },
  "agents.enable": {
    method: "POST",
    path: "/api/admin/agents/:agentId/enable",
  },
  "agents.revoke-token": {
    method: "POST",
    path: "/api/admin/agents/:agentId/revoke-token",
  },
  "agents.delete": {
    method: "DELETE",
    path: "/api/admin/agents/:agentId",
  },
  "api-keys.create": {
    method: "POST",
    path: "/api/admin/api-keys",
  },
  "api-keys.list": {
    method: "GET",
    path: "/api/admin/api-keys",
    paginated: true,
  },
  "api-keys.get": {
    method: "GET",
    path: "/api/admin/api-keys/:keyId",
  },
  "api-keys.delete": {
    method: "DELETE",
    path: "/api/admin/api-keys/:keyId",
  },
  "api-keys.revoke": {
    method: "POST",
    path: "/api/admin/api-keys/:keyId/revoke",
  },
  "audit-events.list": {
    method: "GET",
    path: "/api/admin/audit-events",
    paginated: true,
  },
  "audit-events.export": {
    method: "GET",
    path: "/api/admin/audit-events/export",
    produces: ["application/json", "application/x-ndjson", "text/csv"],
  },
  "audit-events.verify": {
    method: "GET",
    path: "/api/admin/audit-events/verify",
    slowSeconds: 600,
  },
  "auth.login": {
    method: "POST",
    path: "/api/admin/auth/login",
  },
  "auth.me": {
    method: "GET",
    path: "/api/admin/auth/me",
  },
  "auth.password": {
    method: "POST",
    path: "/api/admin/auth/password",
  },
  "auth.sessions": {
    method: "GET",
    path: "/api/admin/auth/sessions",
  },
  "auth.end-session": {
    method: "DELETE",
    path: "/api/admin/auth/sessions/:sessionId",
  },
  "auth.end-other-sessions": {
    method: "DELETE",
    path: "/api/admin/auth/sessions",
  },
  "auth.logout": {
    method: "POST",
    path: "/api/admin/auth/logout",
  },
  "backup.create": {
    method: "POST",
    path: "/api/admin/backup",
    produces: ["application/vnd.sqlite3"],
    slowSeconds: 900,
  },
  "bus-events.list": {
    method: "GET",
    path: "/api/admin/bus/events",
    paginated: true,
  },
  "bus-events.get": {
    method: "GET",
    path: "/api/admin/bus/events/:eventId",
  },
  "bus-events.publish": {
    method: "POST",
    path: "/api/admin/bus/events",
  },
  "bus-routes.list": {
    method: "GET",
    path: "/api/admin/bus/routes",
    paginated: true,
  },
  "bus-routes.create": {
    method: "POST",
    path: "/api/admin/bus/routes",
  },
  "bus-routes.test-draft": {
    method: "POST",
    path: "/api/admin/bus/routes/test",
  },
  "bus-routes.replay": {
    method: "POST",
    path: "/api/admin/bus/routes/replay",
  },
  "bus-routes.get": {
    method: "GET",
    path: "/api/admin/bus/routes/:routeId",
  },
  "bus-routes.update": {
    method: "PUT",
    path: "/api/admin/bus/routes/:routeId",
  },
  "bus-routes.delete": {
    method: "DELETE",
    path: "/api/admin/bus/routes/:routeId",
  },
  "bus-routes.test": {
    method: "POST",
    path: "/api/admin/bus/routes/:routeId/test",
  },
  "commands.list": {
    method: "GET",
    path: "/api/admin/commands",
    paginated: true,
  },
  "commands.get": {
    method: "GET",
    path: "/api/admin/commands/:commandId",
  },
  "commands.cancel": {
    method: "POST",
    path: "/api/admin/commands/:commandId/cancel",
  },
  "commands.retry": {
    method: "POST",
    path: "/api/admin/commands/:commandId/retry",
  },
  "diagnostics.get": {
    method: "GET",
    path: "/api/admin/diagnostics",
  },
  "idempotency-keys.get": {
    method: "GET",
    path: "/api/admin/idempotency-keys",
  },
  "maintenance.run": {
    method: "POST",
    path: "/api/admin/maintenance/run",
  },
  "metrics.get": {
    method: "GET",
    path: "/api/admin/metrics",
  },
  "metrics.prometheus": {
    method: "GET",
    path: "/api/admin/metrics/prometheus",
    produces: ["text/plain; version=0.0.4; charset=utf-8"],
  },
  "overview.get": {
    method: "GET",
    path: "/api/admin/overview",
  },
  "overview.health-map": {
    method: "GET",
    path: "/api/admin/overview/health-map",
  },
  "overview.commands": {
    method: "GET",
    path: "/api/admin/overview/commands",
  },
  "registration-tokens.create": {
    method: "POST",
    path: "/api/admin/registration-tokens",
  },
  "registration-tokens.list": {
    method: "GET",
    path: "/api/admin/registration-tokens",
    paginated: true,
  },
  "registration-tokens.get": {
    method: "GET",
    path: "/api/admin/registration-tokens/:tokenId",
  },
  "registration-tokens.revoke": {
    method: "POST",
    path: "/api/admin/registration-tokens/:tokenId/revoke",
  },
  "registration-tokens.delete": {
    method: "DELETE",
    path: "/api/admin/registration-tokens/:tokenId",
  },
  "services.list": {
    method: "GET",
    path: "/api/admin/capsule-services",
    paginated: true,
  },
  "services.get": {
    method: "GET",
    path: "/api/admin/capsule-services/:serviceId",
  },
  "services.delete": {
    method: "DELETE",
    path: "/api/admin/capsule-services/:serviceId",
  },
  "services.move": {
    method: "POST",
    path: "/api/admin/capsule-services/:serviceId/move",
  },
  "settings.get": {
    method: "GET",
    path: "/api/admin/settings",
  },
  "settings.update": {
    method: "PATCH",
    path: "/api/admin/settings",
  },
  "stream.open": {
    method: "GET",
    path: "/api/admin/stream",
    websocket: true,
  },
  "system.health": {
    method: "GET",
    path: "/api/system/health",
  },
  "system.ready": {
    method: "GET",
    path: "/api/system/ready",
  },
  "system.version": {
    method: "GET",
    path: "/api/system/version",
  },
  "system.openapi": {
    method: "GET",
    path: "/api/system/openapi.json",
    raw: true,
  },
  "users.list": {
    method: "GET",
    path: "/api/admin/users",
    paginated: true,
  },
  "users.create": {
    method: "POST",
    path: "/api/admin/users",
  },
  "users.get": {
    method: "GET",
    path: "/api/admin/users/:userId",
  },
  "users.update": {
    method: "PATCH",
    path: "/api/admin/users/:userId",
  },
  "users.delete": {
    method: "DELETE",
    path: "/api/admin/users/:userId",
  },
  "users.set-password": {
    method: "POST",
    path: "/api/admin/users/:userId/password",
  },
  "users.sessions": {
    method: "GET",
    path: "/api/admin/users/:userId/sessions",
  },
  "users.end-sessions": {
    method: "DELETE",
    path: "/api/admin/users/:userId/sessions",
  },
};
