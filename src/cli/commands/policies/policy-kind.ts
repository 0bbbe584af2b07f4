// An approval policy as users write it in a file or an editor.

import type { RuleKind } from "../../rules/rule-kind.ts";

export const policyKind: RuleKind = {
  noun: "approval-policies",
  one: "policy",
  a: "a policy",
  fields: {
    name: null,
    description: null,
    order: null,
    selector: null,
    action: null,
    dangerLevel: null,
    approvals: null,
    approvers: ["role", "users"],
    expiresAfterSeconds: null,
  },
  readOnly: ["kind", "id", "version", "declaredIn", "createdAt", "updatedAt", "warnings"],
  kept: [],
  explanation: `\
  name, description    for people; the description is optional
  order                policies with lower numbers are compared first; the first that matches counts
  selector             only services whose labels match; optional
  action               only the action with this name; optional
  dangerLevel          only actions of at least this level: LOW, MEDIUM or HIGH; optional
  approvals            how many different users must approve: 1 or 2
  approvers            { role: operator }, { role: owner } or { users: [ann, ben] }
  expiresAfterSeconds  after this time, a request that was not approved expires`,
};
