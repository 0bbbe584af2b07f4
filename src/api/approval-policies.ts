import { z } from "zod";
import { approvalExpirySeconds, maxApprovers, policyOrder } from "../domain/limits.ts";
import { listOf } from "./contract/bounded.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  codedIds,
  dangerLevel,
  deletedOf,
  idOf,
  oneLineName,
  orAbsent,
  pageQuery,
  searchQuery,
  selectorText,
  sortQuery,
  timestamp,
  username,
} from "./contract/schemas.ts";
import { approvers, approversWithRole } from "./shapes/approval-schemas.ts";
import { declaredIn } from "./shapes/declared-in.ts";
import { actionName } from "./shapes/reported-service.ts";

const approversInput = z.union(
  [
    approversWithRole,
    namedObject("NamedApproversInput", {
      users: listOf(username, maxApprovers)
        .min(1)
        .describe(
          "The usernames of the approvers. To approve, these users need at least the " +
            "`operator` role.",
        ),
    }),
  ],
  { error: 'must be { "role": "operator" }, { "role": "owner" } or { "users": ["ann"] }' },
);

const rule = {
  name: oneLineName.describe("A name that no other policy has."),
  description: orAbsent(z.string().max(2000)).describe("What the policy is for."),
  order: z
    .int()
    .min(policyOrder.min)
    .max(policyOrder.max)
    .default(policyOrder.default)
    .describe(
      "Policies with lower numbers are checked first. Only the first policy that matches applies.",
    ),
  selector: orAbsent(selectorText).describe(
    "The policy applies only to actions of services whose labels match. By default, it " +
      "applies to actions of all services.",
  ),
  action: orAbsent(actionName).describe("The policy applies only to the action with this name."),
  dangerLevel: orAbsent(dangerLevel).describe(
    "The policy applies only to actions with at least this danger level.",
  ),
  approvals: z
    .union([z.literal(1), z.literal(2)], { error: "must be 1 or 2" })
    .default(1)
    .describe("How many different users must approve."),
  approvers: approversInput.describe("Who can approve."),
  expiresAfterSeconds: z
    .int()
    .min(approvalExpirySeconds.min)
    .max(approvalExpirySeconds.max)
    .default(approvalExpirySeconds.default)
    .describe("How long a request waits for its approvals before it expires."),
};

const newPolicy = named("ApprovalPolicyInput", ruleOf({}));
const changedPolicy = named(
  "UpdateApprovalPolicyRequest",
  ruleOf({
    version: z.int().min(1).describe("The version of the policy that this request replaces."),
  }),
);

export const policyDeclaration = ruleOf({ kind: z.literal("ApprovalPolicy") });

function ruleOf<T extends z.ZodRawShape>(more: T) {
  return z.object({ ...rule, ...more }).superRefine((body, context) => {
    const { approvals, approvers } = body as unknown as {
      approvals: number;
      approvers: { users?: string[] };
    };
    const count = new Set(approvers.users).size;
    if (count === 0 || count >= approvals) return;
    const message = `must have at least ${approvals} users, because ${approvals} must approve`;
    context.addIssue({ code: "custom", path: ["approvers", "users"], message });
  });
}

export const approvalPolicy = namedObject("ApprovalPolicy", {
  id: idOf("pol"),
  name: z.string().describe("A name that no other policy has. Calls accept it in place of the id."),
  description: z
    .string()
    .nullable()
    .describe("What the policy is for. Null if it has no description."),
  order: z.int().describe("Policies with lower numbers are checked first."),
  selector: z
    .string()
    .nullable()
    .describe("The selector of the services to which the policy applies. Null for all services."),
  action: z
    .string()
    .nullable()
    .describe("The only action to which the policy applies. Null for all actions."),
  dangerLevel: dangerLevel
    .nullable()
    .describe("The lowest danger level to which the policy applies. Null for all levels."),
  approvals: z.int().describe("How many different users must approve."),
  approvers: approvers.describe("Who can approve. Deleted users are left out."),
  expiresAfterSeconds: z
    .int()
    .describe("How long a request waits for its approvals before it expires."),
  declaredIn,
  version: z.int().describe("Increases with every change. Send it with an update."),
  createdAt: timestamp,
  updatedAt: timestamp.describe("When the policy was last changed."),
});

const policyDetail = named(
  "ApprovalPolicyDetail",
  approvalPolicy.extend({
    warnings: z
      .array(z.string())
      .describe("Warnings about labels in the selector that agents can change."),
  }),
);

const tested = namedObject("TestedApprovalPolicy", {
  policyId: idOf("pol"),
  name: z.string(),
  order: z.int().describe("Policies with lower numbers are checked first."),
  counts: z.boolean().describe("Whether this policy is the one that applies."),
  reason: z
    .string()
    .nullable()
    .describe(
      "Why the policy does not apply. Null for the policy that applies, and for the policies " +
        "after it.",
    ),
});

const one = {
  params: z.object({ policyId: codedIds.policyId }),
  errors: ["APPROVAL_POLICY_NOT_FOUND"],
} as const;

export const approvalPolicies = defineRoutes({
  "approval-policies.list": {
    method: "GET",
    path: "/api/admin/approval-policies",
    access: "viewer",
    summary: "List approval policies, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["order", "name", "updatedAt", "createdAt"]),
      q: searchQuery,
    }),
    reply: z.array(approvalPolicy),
    paginated: true,
  },
  "approval-policies.create": {
    method: "POST",
    path: "/api/admin/approval-policies",
    access: "owner",
    summary: "Create an approval policy, which takes effect immediately",
    body: newPolicy,
    status: 201,
    idempotent: true,
    reply: policyDetail,
    errors: ["APPROVAL_POLICY_NAME_TAKEN"],
  },
  "approval-policies.test": {
    method: "GET",
    path: "/api/admin/approval-policies/test",
    access: "viewer",
    summary: "Show which policy applies to an action of a service, and why",
    query: z.object({
      serviceId: codedIds.serviceId,
      action: z.string().min(1).max(100),
    }),
    reply: namedObject("ApprovalPolicyTest", {
      policy: approvalPolicy
        .nullable()
        .describe("The policy that applies. Null if the action needs no approval."),
      policies: z.array(tested).describe("All policies, in the order in which they are checked."),
    }),
    errors: ["SERVICE_NOT_FOUND", "ACTION_NOT_FOUND"],
  },
  "approval-policies.get": {
    ...one,
    method: "GET",
    path: "/api/admin/approval-policies/:policyId",
    access: "viewer",
    summary: "Get an approval policy",
    reply: policyDetail,
  },
  "approval-policies.update": {
    ...one,
    method: "PUT",
    path: "/api/admin/approval-policies/:policyId",
    access: "owner",
    summary: "Replace an approval policy if `version` is still its current version",
    description:
      "Omitted fields are reset to their defaults. The changed requirements also apply to open " +
      "requests.",
    body: changedPolicy,
    reply: policyDetail,
    errors: ["APPROVAL_POLICY_NOT_FOUND", "APPROVAL_POLICY_NAME_TAKEN", "VERSION_CONFLICT"],
  },
  "approval-policies.delete": {
    ...one,
    method: "DELETE",
    path: "/api/admin/approval-policies/:policyId",
    access: "owner",
    summary: "Delete an approval policy; open requests still need their approvals",
    reply: named("DeletedApprovalPolicy", deletedOf("pol")),
  },
});
