// The draft of a rollout in its form, and the request that it becomes.

import type { JsonObject } from "../../../../domain/payload/json.ts";
import type { OfflineRule } from "../../../../domain/rollouts/rollouts.ts";
import type { Input } from "../../../client/call.ts";

export type RolloutRequest = Input<"rollouts.create">["body"];

export const betweens = ["continue", "pause", "wait"] as const;

export interface RolloutDraft {
  selector: string;
  /** Statuses, separated by commas, as in the URL of a list. */
  status: string;
  /** Codes, separated by commas. */
  services: string;
  agents: string;
  isAll: boolean;
  action: string;
  name: string;
  reason: string;
  waves: string;
  /** A selector. */
  canary: string;
  maxParallel: string;
  maxFailures: string;
  between: (typeof betweens)[number];
  waitSeconds: string;
  offline: OfflineRule;
  healthGate: boolean;
  healthTimeoutSeconds: string;
  deadlineMinutes: string;
}

export const emptyDraft: RolloutDraft = {
  selector: "",
  status: "",
  services: "",
  agents: "",
  isAll: false,
  action: "",
  name: "",
  reason: "",
  waves: "1, 10%",
  canary: "",
  maxParallel: "10",
  maxFailures: "0",
  between: "continue",
  waitSeconds: "60",
  offline: "skip",
  healthGate: false,
  healthTimeoutSeconds: "180",
  deadlineMinutes: "",
};

/**
 * Requires `hasNumbers(draft)`. `found` contains the codes of the services that a list found. If it
 * is not null, it replaces any other choice of services.
 */
export function requestOf(
  draft: RolloutDraft,
  payload: JsonObject,
  found: readonly string[] | null,
): RolloutRequest {
  const { between, healthGate } = draft;
  return withoutGaps({
    ...(found ? { services: [...found] } : choiceOf(draft)),
    action: draft.action.trim(),
    payload,
    name: textOf(draft.name),
    reason: textOf(draft.reason),
    waves: listOf(draft.waves),
    canary: textOf(draft.canary),
    maxParallel: Number(draft.maxParallel),
    maxFailures: draft.maxFailures.trim(),
    between: between === "wait" ? Number(draft.waitSeconds) : between,
    offline: draft.offline,
    healthGate,
    healthTimeoutSeconds: healthGate ? Number(draft.healthTimeoutSeconds) : undefined,
    deadlineSeconds: textOf(draft.deadlineMinutes) && Number(draft.deadlineMinutes) * 60,
  }) as RolloutRequest;
}

/** Returns the draft that becomes this request. */
export function draftOf(request: Omit<RolloutRequest, "seed" | "confirmation">): RolloutDraft {
  const { between = emptyDraft.between, selector, services, agents, status, waves } = request;
  const text = (value: string | number | undefined, otherwise = "") => String(value ?? otherwise);
  const seconds = request.deadlineSeconds;
  return {
    selector: selector ?? "",
    isAll: selector === "",
    services: services?.join(", ") ?? "",
    agents: agents?.join(", ") ?? "",
    status: status?.join(",") ?? "",
    action: request.action,
    name: text(request.name),
    reason: text(request.reason),
    waves: waves?.join(", ") ?? "",
    canary: text(request.canary),
    maxParallel: text(request.maxParallel, emptyDraft.maxParallel),
    maxFailures: text(request.maxFailures, emptyDraft.maxFailures),
    between: typeof between === "number" ? "wait" : between,
    waitSeconds: typeof between === "number" ? String(between) : emptyDraft.waitSeconds,
    offline: request.offline ?? emptyDraft.offline,
    healthGate: request.healthGate ?? emptyDraft.healthGate,
    healthTimeoutSeconds: text(request.healthTimeoutSeconds, emptyDraft.healthTimeoutSeconds),
    deadlineMinutes: seconds === undefined ? "" : String(Math.ceil(seconds / 60)),
  };
}

/** If nothing is chosen, all fields are undefined, and the server refuses the request. */
function choiceOf({ selector, status, services, agents, isAll }: RolloutDraft) {
  return {
    selector: textOf(selector) ?? (isAll ? "" : undefined),
    status: textOf(status) && listOf(status),
    services: textOf(services) && listOf(services),
    agents: textOf(agents) && listOf(agents),
  };
}

export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function textOf(text: string): string | undefined {
  return text.trim() || undefined;
}

export function isWholeNumber(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

/** Whether all numbers that the request needs can be read from the draft. */
export function hasNumbers(draft: RolloutDraft): boolean {
  const { between, healthGate, deadlineMinutes } = draft;
  const needed = [
    draft.maxParallel,
    ...(between === "wait" ? [draft.waitSeconds] : []),
    ...(healthGate ? [draft.healthTimeoutSeconds] : []),
    ...(textOf(deadlineMinutes) ? [deadlineMinutes] : []),
  ];
  return needed.every(isWholeNumber);
}

function withoutGaps(object: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
