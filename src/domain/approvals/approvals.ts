// Requests for approval. A digest identifies exactly what is approved. (docs/guides/approvals.md)

import type { User } from "../access/users.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import { type Approvers, isApprover, type Policy } from "./policies.ts";

export const approvalKinds = ["action", "rollout", "schedule"] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

/**
 * `OUTDATED`: what would run has changed since the request. `FAILED`: the request was approved, but
 * the requester may no longer run actions. `BYPASSED`: an owner bypassed approval.
 */
export const approvalStates = [
  "AWAITING_APPROVAL",
  "APPROVED",
  "REJECTED",
  "WITHDRAWN",
  "EXPIRED",
  "OUTDATED",
  "FAILED",
  "BYPASSED",
] as const;
export type ApprovalState = (typeof approvalStates)[number];
export type EndState = Exclude<ApprovalState, "AWAITING_APPROVAL">;

/** What a policy demands. A request stores what policies demanded when it was last checked. */
export interface Requirement {
  policyId: string;
  policyName: string;
  approvals: 1 | 2;
  approvers: Approvers;
}

/**
 * Who asked for the approval. If an API key was used, the user is the one to whom the key belongs.
 */
export interface Requester {
  kind: "user" | "apiKey" | "local";
  /** Null if no user is known. Only a bypass can have no user. */
  userId: string | null;
  keyId: string | null;
  /** The user who created that key, and may therefore have used it; null if there is none. */
  makerId: string | null;
  name: string;
  /** The user's present display name, or null. */
  displayName: string | null;
}

/** Times are Unix milliseconds. */
export interface Approval {
  id: string;
  kind: ApprovalKind;
  state: ApprovalState;
  stateReason: string | null;
  /** A short description of what is to run. */
  title: string;
  action: string;
  /** The service of an action; null for a rollout or a schedule. */
  serviceId: string | null;
  /** Also set for a schedule of an action on one service. */
  serviceCode: string | null;
  /** The rollout or schedule; null for an action. */
  subjectId: string | null;
  /** What runs, with `[REDACTED]` in place of each secret. */
  content: JsonObject;
  /** Identifies the content, including its secrets. */
  digest: string;
  /** JSON Pointers to the secrets in the payload. */
  withheld: string[];
  /** The secrets, in the order of `withheld`; null after the request has ended. */
  secrets: Json[] | null;
  requirements: Requirement[];
  reason: string | null;
  requester: Requester;
  /** The command of an approved action; null if there is none. */
  commandId: string | null;
  createdAt: number;
  expiresAt: number;
  endedAt: number | null;
}

export interface Decision {
  userId: string;
  /** The user's name at the time of the decision. */
  username: string;
  /** The user's present display name, or null. */
  displayName: string | null;
  decision: "APPROVE" | "REJECT";
  comment: string | null;
  decidedAt: number;
}

export function requirementOf({ id, name, approvals, approvers }: Policy): Requirement {
  return { policyId: id, policyName: name, approvals, approvers };
}

type Approver = Pick<User, "id" | "role" | "status">;

/** Returns the users whose approval counts for the requirement, each of them once. */
export function countedApprovers<U extends Approver>(
  { approvers }: Pick<Requirement, "approvers">,
  approvedBy: readonly U[],
  requesterIds: readonly (string | null)[],
): U[] {
  const byId = new Map(approvedBy.map((user) => [user.id, user]));
  return [...byId.values()].filter(
    (user) => !requesterIds.includes(user.id) && isApprover(approvers, user),
  );
}

/** Returns the requirements that these users' approvals do not satisfy. */
export function unmetRequirements(
  requirements: readonly Requirement[],
  approvedBy: readonly Approver[],
  requesterIds: readonly (string | null)[],
): Requirement[] {
  return requirements.filter(
    (requirement) =>
      countedApprovers(requirement, approvedBy, requesterIds).length < requirement.approvals,
  );
}

/**
 * Whether the user may approve or reject. A requester may only withdraw. If policies no longer
 * demand an approval, any other operator may decide.
 */
export function mayDecide(
  requirements: readonly Pick<Requirement, "approvers">[],
  user: Approver,
  requesterIds: readonly (string | null)[],
): boolean {
  if (requesterIds.includes(user.id)) return false;
  const demanded = requirements.length > 0 ? requirements : [{ approvers: anyOperator }];
  return demanded.some(({ approvers }) => isApprover(approvers, user));
}

const anyOperator: Approvers = { role: "operator" };
