// The routes whose input is simple, as data. Written by scripts/write-plain-routes.ts from src/api: do
// not edit.

import type { RouteName } from "../index.ts";
import type { PlainRoute } from "./plain-input.ts";

export const plainRoutes: Partial<Record<RouteName, PlainRoute>> = {
  "agents.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      status: { kind: "words", words: ["ONLINE", "OFFLINE", "DISABLED"] },
      mode: { kind: "text", min: 0, max: 32 },
      tokenState: { kind: "word", words: ["ACTIVE", "REVOKED", "NONE"] },
      q: { kind: "text", min: 1, max: 200 },
    },
  },
  "agents.get": {
    spec: { method: "GET", access: "viewer" },
    params: { agentId: { kind: "text", min: 1, max: 200 } },
  },
  "agents.disable": {
    spec: { method: "POST", access: "operator" },
    params: { agentId: { kind: "text", min: 1, max: 200 } },
  },
  "agents.enable": {
    spec: { method: "POST", access: "operator" },
    params: { agentId: { kind: "text", min: 1, max: 200 } },
  },
  "agents.revoke-token": {
    spec: { method: "POST", access: "operator" },
    params: { agentId: { kind: "text", min: 1, max: 200 } },
  },
  "agents.delete": {
    spec: { method: "DELETE", access: "operator" },
    params: { agentId: { kind: "text", min: 1, max: 200 } },
  },
  "api-keys.list": {
    spec: { method: "GET", access: "operator", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      status: { kind: "words", words: ["ACTIVE", "EXPIRED", "REVOKED"] },
      userId: { kind: "text", min: 1, max: 200 },
      makerId: { kind: "text", min: 1, max: 200 },
    },
  },
  "api-keys.get": {
    spec: { method: "GET", access: "operator" },
    params: { keyId: { kind: "text", min: 1, max: 200 } },
  },
  "api-keys.delete": {
    spec: { method: "DELETE", access: "operator" },
    params: { keyId: { kind: "text", min: 1, max: 200 } },
  },
  "api-keys.revoke": {
    spec: { method: "POST", access: "operator" },
    params: { keyId: { kind: "text", min: 1, max: 200 } },
  },
  "approval-policies.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      q: { kind: "text", min: 1, max: 200 },
    },
  },
  "approval-policies.get": {
    spec: { method: "GET", access: "viewer" },
    params: { policyId: { kind: "text", min: 1, max: 200 } },
  },
  "approval-policies.delete": {
    spec: { method: "DELETE", access: "owner" },
    params: { policyId: { kind: "text", min: 1, max: 200 } },
  },
  "approvals.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      state: {
        kind: "words",
        words: [
          "AWAITING_APPROVAL",
          "APPROVED",
          "REJECTED",
          "WITHDRAWN",
          "EXPIRED",
          "OUTDATED",
          "FAILED",
          "BYPASSED",
        ],
      },
      kind: { kind: "words", words: ["action", "rollout", "schedule"] },
      action: { kind: "text", min: 0, max: 100 },
      subjectId: { kind: "text", min: 1, max: 200 },
    },
  },
  "approvals.get": {
    spec: { method: "GET", access: "viewer" },
    params: { approvalId: { kind: "text", min: 1, max: 200 } },
    query: { wait: { kind: "number", min: 0, max: 60, default: 0 } },
  },
  "approvals.withdraw": {
    spec: { method: "POST", access: "operator" },
    params: { approvalId: { kind: "text", min: 1, max: 200 } },
  },
  "attention.get": { spec: { method: "GET", access: "viewer" } },
  "attention.group": {
    spec: { method: "GET", access: "viewer" },
    params: { groupId: { kind: "text", min: 1, max: 100 } },
  },
  "audit-events.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      action: { kind: "text", min: 0, max: 100 },
      actorType: { kind: "word", words: ["USER", "API_KEY", "AGENT", "SYSTEM", "LOCAL"] },
      actorId: { kind: "text", min: 0, max: 200 },
      targetType: { kind: "text", min: 0, max: 50 },
      targetId: { kind: "text", min: 0, max: 200 },
      result: { kind: "word", words: ["SUCCESS", "FAILURE", "DENIED"] },
      afterSeq: { kind: "number", min: 0, max: 9007199254740991 },
    },
  },
  "auth.me": { spec: { method: "GET", access: "viewer" } },
  "auth.sessions": { spec: { method: "GET", access: "viewer" } },
  "auth.end-session": {
    spec: { method: "DELETE", access: "viewer" },
    params: { sessionId: { kind: "text", min: 1, max: 200 } },
  },
  "auth.end-other-sessions": { spec: { method: "DELETE", access: "viewer" } },
  "auth.logout": { spec: { method: "POST", access: "viewer" } },
  "bus-events.list": {
    spec: { method: "GET", access: "viewer", paginated: true, bus: true },
    query: {
      page: { kind: "number", min: 1, max: 1, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      type: { kind: "text", min: 0, max: 200 },
      source: { kind: "text", min: 1, max: 200 },
      agentId: { kind: "text", min: 1, max: 200 },
      routeId: { kind: "text", min: 1, max: 200 },
    },
  },
  "bus-events.get": {
    spec: { method: "GET", access: "viewer", bus: true },
    params: { eventId: { kind: "text", min: 1, max: 200 } },
  },
  "bus-routes.list": {
    spec: { method: "GET", access: "viewer", paginated: true, bus: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      state: { kind: "words", words: ["DISABLED", "DRY_RUN", "ENABLED"] },
      q: { kind: "text", min: 1, max: 200 },
    },
  },
  "bus-routes.get": {
    spec: { method: "GET", access: "viewer", bus: true },
    params: { routeId: { kind: "text", min: 1, max: 200 } },
  },
  "bus-routes.delete": {
    spec: { method: "DELETE", access: "operator", bus: true },
    params: { routeId: { kind: "text", min: 1, max: 200 } },
  },
  "commands.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      status: { kind: "words", words: ["PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] },
      type: { kind: "words", words: ["ACTION_PREPARE", "ACTION_EXECUTE"] },
      action: { kind: "text", min: 0, max: 100 },
      agentId: { kind: "text", min: 1, max: 200 },
      serviceId: { kind: "text", min: 1, max: 200 },
      eventId: { kind: "text", min: 1, max: 200 },
      routeId: { kind: "text", min: 1, max: 200 },
      rolloutId: { kind: "text", min: 1, max: 200 },
    },
  },
  "commands.get": {
    spec: { method: "GET", access: "viewer" },
    params: { commandId: { kind: "text", min: 1, max: 200 } },
    query: { wait: { kind: "number", min: 0, max: 60, default: 0 } },
  },
  "commands.output": {
    spec: { method: "GET", access: "viewer" },
    params: { commandId: { kind: "text", min: 1, max: 200 } },
    query: {
      after: { kind: "number", min: 0, max: 9007199254740991, default: 0 },
      wait: { kind: "number", min: 0, max: 60, default: 0 },
    },
  },
  "commands.cancel": {
    spec: { method: "POST", access: "operator" },
    params: { commandId: { kind: "text", min: 1, max: 200 } },
  },
  "diagnostics.get": { spec: { method: "GET", access: "viewer" } },
  "metrics.get": { spec: { method: "GET", access: "owner", metrics: true } },
  "nodes.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
    },
  },
  "overview.get": { spec: { method: "GET", access: "viewer" } },
  "overview.health-map": { spec: { method: "GET", access: "viewer" } },
  "registration-tokens.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      status: { kind: "words", words: ["ACTIVE", "USED", "REVOKED", "EXPIRED"] },
    },
  },
  "registration-tokens.get": {
    spec: { method: "GET", access: "viewer" },
    params: { tokenId: { kind: "text", min: 1, max: 200 } },
  },
  "registration-tokens.revoke": {
    spec: { method: "POST", access: "operator" },
    params: { tokenId: { kind: "text", min: 1, max: 200 } },
  },
  "registration-tokens.delete": {
    spec: { method: "DELETE", access: "operator" },
    params: { tokenId: { kind: "text", min: 1, max: 200 } },
  },
  "rollouts.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      state: {
        kind: "words",
        words: ["AWAITING_APPROVAL", "RUNNING", "PAUSED", "SUCCEEDED", "FAILED", "CANCELLED"],
      },
      action: { kind: "text", min: 0, max: 100 },
    },
  },
  "rollouts.get": {
    spec: { method: "GET", access: "viewer" },
    params: { rolloutId: { kind: "text", min: 1, max: 200 } },
  },
  "rollouts.targets": {
    spec: { method: "GET", access: "viewer", paginated: true },
    params: { rolloutId: { kind: "text", min: 1, max: 200 } },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      state: {
        kind: "words",
        words: ["WAITING", "RUNNING", "CHECKING", "SUCCEEDED", "FAILED", "NOT_RUN"],
      },
      service: { kind: "text", min: 0, max: 128 },
      wave: { kind: "number", min: 0, max: 10000, default: 0 },
    },
  },
  "rollouts.pause": {
    spec: { method: "POST", access: "operator" },
    params: { rolloutId: { kind: "text", min: 1, max: 200 } },
  },
  "rollouts.resume": {
    spec: { method: "POST", access: "operator" },
    params: { rolloutId: { kind: "text", min: 1, max: 200 } },
  },
  "saved-views.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      noun: {
        kind: "words",
        words: [
          "agents",
          "api-keys",
          "approval-policies",
          "approvals",
          "audit-events",
          "bus-events",
          "bus-routes",
          "commands",
          "nodes",
          "registration-tokens",
          "rollouts",
          "schedules",
          "services",
          "users",
        ],
      },
      shared: { kind: "word", words: ["true", "false"] },
      q: { kind: "text", min: 1, max: 200 },
    },
  },
  "saved-views.get": {
    spec: { method: "GET", access: "viewer" },
    params: { viewId: { kind: "text", min: 1, max: 200 } },
  },
  "saved-views.delete": {
    spec: { method: "DELETE", access: "viewer" },
    params: { viewId: { kind: "text", min: 1, max: 200 } },
  },
  "schedules.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      state: { kind: "words", words: ["ENABLED", "PAUSED"] },
      action: { kind: "text", min: 0, max: 100 },
      q: { kind: "text", min: 1, max: 200 },
    },
  },
  "schedules.pause-state": { spec: { method: "GET", access: "viewer" } },
  "schedules.resume-all": { spec: { method: "POST", access: "operator" } },
  "schedules.get": {
    spec: { method: "GET", access: "viewer" },
    params: { scheduleId: { kind: "text", min: 1, max: 200 } },
  },
  "schedules.delete": {
    spec: { method: "DELETE", access: "operator" },
    params: { scheduleId: { kind: "text", min: 1, max: 200 } },
  },
  "schedules.pause": {
    spec: { method: "POST", access: "operator" },
    params: { scheduleId: { kind: "text", min: 1, max: 200 } },
  },
  "schedules.runs": {
    spec: { method: "GET", access: "viewer", paginated: true },
    params: { scheduleId: { kind: "text", min: 1, max: 200 } },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      state: {
        kind: "words",
        words: ["WAITING", "STARTING", "RUNNING", "SUCCEEDED", "FAILED", "SKIPPED"],
      },
    },
  },
  "services.list": {
    spec: { method: "GET", access: "viewer", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      status: { kind: "words", words: ["HEALTHY", "UNHEALTHY", "STALE", "OFFLINE", "UNKNOWN"] },
      healthStatus: { kind: "text", min: 0, max: 50 },
      agentId: { kind: "text", min: 1, max: 200 },
      action: { kind: "text", min: 0, max: 100 },
      q: { kind: "text", min: 1, max: 200 },
    },
  },
  "services.get": {
    spec: { method: "GET", access: "viewer" },
    params: { serviceId: { kind: "text", min: 1, max: 200 } },
  },
  "services.history": {
    spec: { method: "GET", access: "viewer" },
    params: { serviceId: { kind: "text", min: 1, max: 200 } },
    query: { days: { kind: "number", min: 1, max: 90, default: 30 } },
  },
  "services.delete": {
    spec: { method: "DELETE", access: "operator" },
    params: { serviceId: { kind: "text", min: 1, max: 200 } },
  },
  "settings.get": { spec: { method: "GET", access: "owner" } },
  "users.list": {
    spec: { method: "GET", access: "owner", paginated: true },
    query: {
      page: { kind: "number", min: 1, max: 1000000, default: 1 },
      pageSize: { kind: "number", min: 1, max: 200, default: 20 },
      role: { kind: "word", words: ["owner", "operator", "viewer"] },
      status: { kind: "words", words: ["ACTIVE", "DISABLED"] },
      q: { kind: "text", min: 1, max: 200 },
    },
  },
  "users.get": {
    spec: { method: "GET", access: "owner" },
    params: { userId: { kind: "text", min: 1, max: 200 } },
  },
  "users.delete": {
    spec: { method: "DELETE", access: "owner" },
    params: { userId: { kind: "text", min: 1, max: 200 } },
  },
  "users.sessions": {
    spec: { method: "GET", access: "owner" },
    params: { userId: { kind: "text", min: 1, max: 200 } },
  },
  "users.end-sessions": {
    spec: { method: "DELETE", access: "owner" },
    params: { userId: { kind: "text", min: 1, max: 200 } },
  },
};
