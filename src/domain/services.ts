// Managed services as an agent reports them, after validation and redaction, in the form that is
// stored. The wire's form is in api/shapes/reported-service.ts.

import type { AgentStatus } from "./agents.ts";
import type { Json, JsonObject } from "./payload/json.ts";

/** What the audit trail records of services. */
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
  /** How many seconds the agent has for a run. */
  timeoutSeconds?: number | undefined;
  inputSchema: JsonObject;
  /** If false, the declared schema and defaults are the form, without a prepare. */
  prepare: boolean;
}

export interface ReportedService {
  code: string;
  name: string;
  version: string;
  description?: string | undefined;
  runtime?: Json | undefined;
  /** As the agent wrote it; null if it reported none. */
  healthStatus: string | null;
  healthMessage?: string | undefined;
  healthDetails?: Json | undefined;
  configs: ConfigEntry[];
  actions: ActionEntry[];
  manifest?: Json | undefined;
}

/** A service as it is stored, with the facts of its agent that its status depends on. */
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
