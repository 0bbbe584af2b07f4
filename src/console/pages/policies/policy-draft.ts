// The draft of a policy in its form, and the request that it becomes.

import type { Input, Reply } from "../../client/call.ts";
import { listOf } from "../rollouts/new/rollout-draft.ts";

export type Policy = Reply<"approval-policies.get">;
export type PolicyRequest = Input<"approval-policies.create">["body"];

export interface PolicyDraft {
  name: string;
  description: string;
  order: string;
  selector: string;
  action: string;
  dangerLevel: "" | "LOW" | "MEDIUM" | "HIGH";
  approvals: "1" | "2";
  by: "operator" | "owner" | "users";
  /** Names, separated by commas. */
  users: string;
  hours: string;
}

export const emptyPolicy: PolicyDraft = {
  name: "",
  description: "",
  order: "100",
  selector: "",
  action: "",
  dangerLevel: "",
  approvals: "1",
  by: "operator",
  users: "",
  hours: "24",
};

export function draftOf(policy: Policy): PolicyDraft {
  const { name, description, order, selector, action, dangerLevel, approvers } = policy;
  return {
    name,
    description: description ?? "",
    order: String(order),
    selector: selector ?? "",
    action: action ?? "",
    dangerLevel: dangerLevel ?? "",
    approvals: policy.approvals === 2 ? "2" : "1",
    by: "role" in approvers ? approvers.role : "users",
    users: "users" in approvers ? approvers.users.join(", ") : "",
    hours: String(policy.expiresAfterSeconds / 3_600),
  };
}

/** Returns null if the text is not a whole number. */
export function orderIn({ order }: PolicyDraft): number | null {
  return order.trim() !== "" && Number.isInteger(Number(order)) ? Number(order) : null;
}

/** Returns null if the text is not a number, or if the time is shorter than a second. */
export function hoursIn({ hours }: PolicyDraft): number | null {
  return Number(hours) * 3_600 >= 1 ? Number(hours) : null;
}

/** Returns null if the order or the hours are not valid numbers. */
export function requestOf(draft: PolicyDraft): PolicyRequest | null {
  const [order, hours] = [orderIn(draft), hoursIn(draft)];
  if (order === null || hours === null) return null;
  const { by, users, approvals, dangerLevel } = draft;
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || undefined,
    order,
    selector: draft.selector.trim() || undefined,
    action: draft.action.trim() || undefined,
    dangerLevel: dangerLevel || undefined,
    approvals: approvals === "2" ? 2 : 1,
    approvers: by === "users" ? { users: listOf(users) } : { role: by },
    expiresAfterSeconds: Math.round(hours * 3_600),
  };
}
