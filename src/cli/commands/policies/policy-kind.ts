// An approval policy as users write it in a file or an editor.

import { ruleKind } from "../../rules/rule-kind.ts";

export const policyKind = ruleKind("ApprovalPolicy", {
  noun: "approval-policies",
  one: "policy",
  a: "a policy",
  kept: [],
  explanation: `\
  name, description    for people; the description is optional
  order                policies with lower numbers are checked first; the first that matches counts
  selector             only services whose labels match; optional
  action               only the action with this name; optional
  dangerLevel          only actions of at least this level: LOW, MEDIUM or HIGH; optional
  approvals            how many different users must approve: 1 or 2
  approvers            { role: operator }, { role: owner } or { users: [ann, ben] }
  expiresAfterSeconds  how long a request waits for its approvals before it expires`,
});
