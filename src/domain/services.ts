// Services after validation and redaction. The wire format is in api/shapes/reported-service.ts.

import type { AgentStatus } from "./agents.ts";
import type { Json, JsonObject } from "./payload/json.ts";

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
  timeoutSeconds?: number | undefined;
  inputSchema: JsonObject;
  /** If false, the form is the declared schema with its defaults. */
  prepare: boolean;
}

export interface ReportedService {
  code: string;
  name: string;
  version: string;
  description?: string | undefined;
  runtime?: Json | undefined;
  labels: Record<string, string>;
  /** The health in the agent's own words; null if the agent reported none. */
  healthStatus: string | null;
  healthMessage?: string | undefined;
  healthDetails?: Json | undefined;
  configs: ConfigEntry[];
  actions: ActionEntry[];
  manifest?: Json | undefined;
}

/** Includes the facts about its agent on which the service's status depends. */
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
  /** Its own labels. */
  labels: Record<string, string>;
  agentLabels: Record<string, string>;
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
