import { z } from "zod";
import { commandWaitSecondsMax } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  idOf,
  idParam,
  jsonObject,
  pageQuery,
  someOf,
  sortQuery,
  timestamp,
  wholeNumberQuery,
} from "./contract/schemas.ts";
import {
  approvalKind,
  approvalState,
  approvalSummary,
  approvers,
} from "./shapes/approval-schemas.ts";

const requirementState = namedObject("ApprovalRequirementState", {
  policyId: idOf("pol").describe("The policy that requires the approvals."),
  policyName: z.string(),
  approvals: z.int().describe("How many different users must approve."),
  approvers: approvers.describe("Who can approve."),
  approvedBy: z.array(z.string()).describe("The users whose approvals count."),
});

const decision = namedObject("ApprovalDecision", {
  userId: idOf("usr").describe("The user who decided."),
  username: z.string().describe("The user's name at the time of the decision."),
  displayName: z.string().nullable().describe("The current display name of the user."),
  decision: named("ApprovalDecisionKind", z.enum(["APPROVE", "REJECT"])),
  comment: z
    .string()
    .nullable()
    .describe("The comment on an approval, or the reason for a rejection."),
  decidedAt: timestamp.describe("When the user decided."),
});

const mayDecide = z
  .boolean()
  .describe("Whether the caller can approve and reject the request now.");

export const listedApproval = named("Approval", approvalSummary.extend({ mayDecide }));

export const approvalDetail = named(
  "ApprovalDetail",
  approvalSummary.extend({
    content: jsonObject.describe(
      "What would run, with `[REDACTED]` in place of each secret. For an action, this is the " +
        "service, the agent, the declared action and the payload. For a rollout, it is the " +
        "rollout's rules; `GET /api/admin/rollouts/:rolloutId/targets` lists the targets. For " +
        "a schedule, it is the schedule's definition.",
    ),
    withheld: z.array(z.string()).describe("JSON Pointers to the secrets in the payload."),
    digest: z
      .string()
      .describe(
        "Identifies exactly what would run. A call that approves the request must contain " +
          "this digest.",
      ),
    requirements: z
      .array(requirementState)
      .describe("The requirements, with the approvals so far."),
    decisions: z.array(decision).describe("The decisions, oldest first."),
    mayDecide,
    wouldSuffice: z
      .boolean()
      .describe(
        "Whether the caller's approval would be the last one that the request needs. False if the " +
          "caller cannot approve it.",
      ),
  }),
);

const one = {
  params: z.object({ approvalId: idParam.describe("The request's id.") }),
  errors: ["APPROVAL_NOT_FOUND"],
} as const;
const decide = { ...one, method: "POST", access: "operator", reply: approvalDetail } as const;

export const approvals = defineRoutes({
  "approvals.list": {
    method: "GET",
    path: "/api/admin/approvals",
    access: "viewer",
    summary: "List requests for approval, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["title", "action", "createdAt", "expiresAt", "endedAt"]),
      state: someOf(approvalState),
      kind: someOf(approvalKind),
      action: z.string().max(100).optional().describe("Only requests to run this action."),
      subjectId: idParam.optional().describe("Only requests for this rollout or schedule."),
      requesterId: idParam
        .optional()
        .describe("Only requests by this user (an id; owners can also give a username)."),
    }),
    reply: z.array(listedApproval),
    paginated: true,
  },
  "approvals.get": {
    ...one,
    method: "GET",
    path: "/api/admin/approvals/:approvalId",
    access: "viewer",
    summary:
      "Get a request for approval; with `wait`, the server responds only when the request has ended or the time is up",
    query: z.object({
      wait: wholeNumberQuery(0, commandWaitSecondsMax, 0).describe(
        "The maximum number of seconds to wait for the request to end.",
      ),
    }),
    reply: approvalDetail,
  },
  "approvals.approve": {
    ...decide,
    path: "/api/admin/approvals/:approvalId/approve",
    summary: "Approve a request; it takes effect once it has all the approvals that it needs",
    description:
      "The response shows what became of the request. If what would run has changed since " +
      "the request was made, the request becomes OUTDATED and nothing runs. If the agent is " +
      "offline, the approval is not recorded, and the request can be approved later.",
    body: namedObject("ApproveRequest", {
      digest: z
        .string()
        .min(1)
        .max(200)
        .describe("The `digest` of the request that you have read."),
      comment: z.string().max(500).optional().describe("Stored with the approval."),
    }),
    errors: [
      ...["APPROVAL_NOT_FOUND", "APPROVAL_WRONG_STATE", "APPROVAL_DIGEST_MISMATCH"],
      ...["OWN_REQUEST", "NOT_AN_APPROVER", "AGENT_OFFLINE", "AGENT_DISABLED"],
    ] as const,
  },
  "approvals.reject": {
    ...decide,
    path: "/api/admin/approvals/:approvalId/reject",
    summary: "Reject a request, and end it",
    body: namedObject("RejectRequest", {
      reason: z.string().trim().min(1).max(500).describe("Why the request is rejected."),
    }),
    errors: ["APPROVAL_NOT_FOUND", "APPROVAL_WRONG_STATE", "OWN_REQUEST", "NOT_AN_APPROVER"],
  },
  "approvals.withdraw": {
    ...decide,
    path: "/api/admin/approvals/:approvalId/withdraw",
    summary: "Withdraw one of your requests; owners can withdraw any request",
    errors: ["APPROVAL_NOT_FOUND", "APPROVAL_WRONG_STATE"],
  },
});
