// Approval policies: which actions need approval, and whose. (docs/guides/approvals.md)

import { mayActAs } from "../access/principals.ts";
import type { User } from "../access/users.ts";
import type { Declared } from "../declarations.ts";
import { isSelected, parseSelector, type Selector } from "../fleet/selectors.ts";
import { type DangerLevel, dangerLevels } from "../fleet/services.ts";

export const approverRoles = ["operator", "owner"] as const;

/** Users with at least this role, or these users, by their ids. */
export type Approvers = { role: (typeof approverRoles)[number] } | { users: string[] };

/** Which actions a policy applies to. An action must meet every condition that is given. */
export interface PolicyScope {
  /** Matched against the labels of a service that count (domain/fleet/labels.ts). */
  selector?: string | undefined;
  /** The name of an action. */
  action?: string | undefined;
  /** Matches this level and the levels above it. */
  dangerLevel?: DangerLevel | undefined;
}

/** The part of a policy that owners write. */
export interface PolicyRule extends PolicyScope {
  name: string;
  description?: string | undefined;
  /**
   * Policies with lower numbers are checked first. Of two with the same number, the older one
   * comes first.
   */
  order: number;
  /** How many different users must approve. */
  approvals: 1 | 2;
  approvers: Approvers;
  expiresAfterSeconds: number;
}

/** Returns only the fields of a rule, in a fixed order. */
export function withApprovers<A>(rule: Omit<PolicyRule, "approvers">, approvers: A) {
  const { name, description, order, selector, action, dangerLevel, approvals } = rule;
  const { expiresAfterSeconds } = rule;
  return {
    name,
    description,
    order,
    selector,
    action,
    dangerLevel,
    approvals,
    approvers,
    expiresAfterSeconds,
  };
}

/** Times are Unix milliseconds. */
export interface Policy extends PolicyRule, Declared {
  id: string;
  /** Increases with each change. Callers send the version that they have seen. */
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** An action of a service, as policies see it. */
export interface PolicySubject {
  action: string;
  dangerLevel: DangerLevel;
  /** The labels of the service that count (domain/fleet/labels.ts). */
  labels: Readonly<Record<string, string>>;
}

/** Returns why the policy does not apply to the action, or null if it does. */
export function whyNotApplied(scope: PolicyScope, subject: PolicySubject): string | null {
  const { selector, action, dangerLevel } = scope;
  if (action !== undefined && action !== subject.action) {
    return `It is for the action ${action}.`;
  }
  if (dangerLevel !== undefined && !isAsDangerous(subject.dangerLevel, dangerLevel)) {
    return `It is for actions with at least the danger level ${dangerLevel}; this one is ${subject.dangerLevel}.`;
  }
  if (selector === undefined || isSelected(parsed(scope, selector), subject.labels)) return null;
  return `The labels of the service do not match ${selector}.`;
}

const parsedSelectors = new WeakMap<PolicyScope, Selector>();

/** Remembers the result, because a policy is compared with thousands of services. */
function parsed(scope: PolicyScope, selector: string): Selector {
  const known = parsedSelectors.get(scope);
  if (known) return known;
  const made = parseSelector(selector);
  parsedSelectors.set(scope, made);
  return made;
}

/** Returns the policy that counts: the first one that applies. `policies` must be sorted. */
export function firstApplying(policies: readonly Policy[], subject: PolicySubject): Policy | null {
  return policies.find((policy) => whyNotApplied(policy, subject) === null) ?? null;
}

function isAsDangerous(level: DangerLevel, least: DangerLevel): boolean {
  return dangerLevels.indexOf(level) >= dangerLevels.indexOf(least);
}

/** Whether this user may approve. Does not check whether the user is the requester. */
export function isApprover(
  approvers: Approvers,
  { id, role, status }: Pick<User, "id" | "role" | "status">,
): boolean {
  if (status !== "ACTIVE" || !mayActAs(role, "operator")) return false;
  return "role" in approvers ? mayActAs(role, approvers.role) : approvers.users.includes(id);
}
