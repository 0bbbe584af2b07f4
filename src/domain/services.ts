// Managed services as agents report them, after validation and redaction, in the form that the
// database stores. The form on the wire is in api/shapes/reported-service.ts.

import type { AgentStatus } from "./agents.ts";
import type { Json, JsonObject } from "./payload/json.ts";

/** The audit actions about services. */
export const audited = {
  targetType: "service",
  actions: [
    "service.reported",
    "service.moved",
    "service.deleted",
    "service.claim.refused",
    "service.version.changed",
    "service.config.changed",
    "service.actions.changed",
    "service.health.changed",
  ],
} as const;

export const effectiveStatuses = ["HEALTHY", "UNHEALTHY", "STALE", "OFFLINE", "UNKNOWN"] as const;
export type EffectiveStatus = (typeof effectiveStatuses)[number];

export const dangerLevels = ["LOW", "MEDIUM", "HIGH"] as const;
export type DangerLevel = (typeof dangerLevels)[number];

export interface ConfigEntry {
  key: string;
  label?: string | undefined;
  type: string;
  source?: string | undefined;
  editable: boolean;
  sensitive: boolean;
  valuePreview?: Json | undefined;
  defaultValue?: Json | undefined;
  secretRef?: string | undefined;
}

export interface ActionEntry {
  name: string;
  label: string;
  description: string;
  dangerLevel: DangerLevel;
  requiresConfirmation: boolean;
  /** How many seconds the agent has to run the action. */
  timeoutSeconds?: number | undefined;
  inputSchema: JsonObject;
  /** If false, no prepare is needed: the form is the declared schema with its defaults. */
  prepare: boolean;
}

export interface ReportedService {
  code: string;
  name: string;
  version: string;
  description?: string | undefined;
  runtime?: Json | undefined;
  /** The health as the agent wrote it; null if the agent reported none. */
  healthStatus: string | null;
  healthMessage?: string | undefined;
  healthDetails?: Json | undefined;
  configs: ConfigEntry[];
  actions: ActionEntry[];
  manifest?: Json | undefined;
}

/**
 * A service as the database stores it, with the facts about its agent that its status depends on.
 */
export interface Service {
  id: string;
  code: string;
  agentId: string;
  agentCode: string;
  agentStatus: AgentStatus;
  agentHasActiveToken: boolean;
  agentHasStopped: boolean;
  agentLastHeartbeatAt: number | null;
  name: string;
  version: string;
  description: string | null;
  runtime: Json;
  healthStatus: string | null;
  healthMessage: string | null;
  healthDetails: Json;
  healthChangedAt: number | null;
  storedStatus: EffectiveStatus;
  manifest: Json;
  configs: ConfigEntry[];
  createdAt: number;
  updatedAt: number;
  lastReportedAt: number;
}
