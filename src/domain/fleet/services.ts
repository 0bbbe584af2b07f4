// Services after validation and redaction. The wire format is in api/shapes/reported-service.ts.

import { compareTexts } from "../../lib/compare-texts.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import type { AgentStatus } from "./agents.ts";
import type { ServiceLabels } from "./labels.ts";

export const effectiveStatuses = ["HEALTHY", "UNHEALTHY", "STALE", "OFFLINE", "UNKNOWN"] as const;
export type EffectiveStatus = (typeof effectiveStatuses)[number];

export const dangerLevels = ["LOW", "MEDIUM", "HIGH"] as const;
export type DangerLevel = (typeof dangerLevels)[number];

/** Returns null if there are no actions. */
export function highestDanger(
  actions: readonly (Pick<ActionEntry, "dangerLevel"> | null)[],
): DangerLevel | null {
  const levels = new Set(actions.map((action) => action?.dangerLevel));
  return dangerLevels.findLast((level) => levels.has(level)) ?? null;
}

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

/** A sensitive value must not leave the agent. The server also drops it. */
export function withoutSensitiveValue<
  Entry extends {
    sensitive?: boolean | undefined;
    valuePreview?: Json | undefined;
    defaultValue?: Json | undefined;
  },
>(entry: Entry): Entry {
  if (!entry.sensitive) return entry;
  const { valuePreview: _value, defaultValue: _default, ...kept } = entry;
  return kept as Entry;
}

export const actionNamePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

export interface ActionEntry {
  name: string;
  label: string;
  description: string;
  category?: string | undefined;
  /** The place among the actions of its category. Lower numbers come first. */
  order?: number | undefined;
  /** Whether lists leave the action out. It can still be run by its name. */
  hidden: boolean;
  dangerLevel: DangerLevel;
  requiresConfirmation: boolean;
  timeoutSeconds?: number | undefined;
  inputSchema: JsonObject;
  /** If false, the form is the declared schema with its defaults. */
  prepare: boolean;
}

/** Actions of these categories belong to the rows of a result, or to a result as a whole. */
export const hiddenCategories: readonly (string | undefined)[] = ["row-action", "page-action"];

/**
 * Sorts by category, then by `order`, then as declared. The category with the lowest `order` comes
 * first, and actions without a category come last.
 */
export function sortActions<A extends Pick<ActionEntry, "category" | "order">>(
  actions: readonly A[],
): A[] {
  const placeOf = ({ order = Number.MAX_SAFE_INTEGER }: A) => order;
  const categories = new Map<string, number>();
  for (const action of actions) {
    const { category = "" } = action;
    const lowest = categories.get(category) ?? Number.MAX_SAFE_INTEGER;
    categories.set(category, Math.min(lowest, placeOf(action)));
  }
  const rankOf = ({ category = "" }: A) => categories.get(category) ?? 0;
  return actions.toSorted(
    (a, b) =>
      Number(a.category === undefined) - Number(b.category === undefined) ||
      rankOf(a) - rankOf(b) ||
      compareTexts(a.category ?? "", b.category ?? "") ||
      placeOf(a) - placeOf(b),
  );
}

/** Returns the actions for lists and menus. Older servers do not say which ones are hidden. */
export function listedActions<A extends { hidden?: boolean }>(actions: readonly A[]): A[] {
  return actions.filter(({ hidden }) => hidden !== true);
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

/** Includes the facts about the agent on which the service's status and labels depend. */
export interface Service extends ServiceLabels {
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
  /**
   * When the agent reported that it no longer manages the service; null while it does.
   */
  removedAt: number | null;
  /** When the service was moved to its agent; null once that agent has reported it. */
  movedAt: number | null;
}
