import type { approvalPolicies as routes } from "../approval-policies.ts";
import type { NounTexts } from "../contract/noun.ts";

export const approvalPolicies = {
  group: "policies",
  one: "approval policy",
  title: "Approval policies",
  summary: "Policies: which actions need somebody else's approval",
  lead: "Policies require approval before actions run. The first policy that matches an action applies. Without policies, nothing needs approval.",
  code: "name",
  about: { cell: "policyRule" },
  columns: [
    { name: "order", of: "order", kind: "number" },
    { name: "name", of: "name", kind: "key" },
    { name: "applies to", of: { cell: "policyRule" } },
    { name: "approvals", of: "approvals", kind: "number" },
    { name: "approvers", of: { cell: "policyApprovers" } },
    { name: "updated", of: "updatedAt", kind: "time" },
    { name: "expires after", of: { cell: "policyExpiry" }, wide: true },
    { name: "id", of: "id", kind: "key", wide: true },
    { name: "declared", of: { cell: "declaredIn" }, wide: true, label: "Declared in" },
    { name: "version", of: "version", kind: "number", wide: true },
    { name: "created", of: "createdAt", kind: "time", wide: true },
    { name: "description", of: "description", wide: true },
  ],
  facts: ["applies to", "approvers"],
  empty: "No policies. Nothing needs approval.",
  emptyPage: "There is no policy yet, so nothing needs approval.",
  pageSort: "order",
  filters: { q: { hint: "Name" } },
  acts: {
    delete: {
      asks: "Delete the policy {title}?",
      happens: [
        "Only the other policies apply to the actions that it covered. Open requests still need their approvals. This cannot be undone.",
      ],
      done: "{title} is deleted.",
      danger: true,
    },
  },
  examples: {
    list: ["policies list --sort order"],
    get: ["policies get production -o yaml > policy.yaml"],
  },
} as const satisfies NounTexts<typeof routes, "approval-policies">;
