import { z } from "zod";
import { approvalKinds, approvalStates } from "../../domain/approvals/approvals.ts";
import { approverRoles } from "../../domain/approvals/policies.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import { idOf, timestamp } from "../contract/schemas.ts";

export const approvalState = named(
  "ApprovalState",
  z
    .enum(approvalStates)
    .describe(
      "OUTDATED: what would run has changed since the request. FAILED: the request was approved, but the requester may no longer run actions. BYPASSED: an owner proceeded without approval.",
    ),
);
export const approvalKind = named(
  "ApprovalKind",
  z
    .enum(approvalKinds)
    .describe("What needs approval: running an action, a rollout or a schedule."),
);
const approverRole = named("ApproverRole", z.enum(approverRoles));

/** A field in the body of each route that can require approval. */
export const breakGlass = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .optional()
  .describe(
    "The reason to proceed without the approval that a policy requires. Only owners may " +
      "bypass an approval. The audit trail and the overview show the reason.",
  );

export const approversWithRole = namedObject("ApproversWithRole", {
  role: approverRole.describe("Users with at least this role."),
});

export const approvers = named(
  "Approvers",
  z.union([
    approversWithRole,
    namedObject("NamedApprovers", {
      users: z.array(z.string()).describe("The usernames of the approvers."),
    }),
  ]),
);

const requirement = namedObject("ApprovalRequirement", {
  policyId: idOf("pol").describe("The policy that requires the approvals."),
  policyName: z.string(),
  approvals: z.int().describe("How many different users must approve."),
});

const requester = namedObject("ApprovalRequester", {
  kind: named("ApprovalRequesterKind", z.enum(["user", "apiKey", "local"])).describe(
    "Whether a user, an API key or somebody with `--db` made the request.",
  ),
  userId: idOf("usr")
    .nullable()
    .describe("The user who made the request, or the user to whom the API key belongs."),
  keyId: idOf("key").nullable().describe("The API key that made the request, if one did."),
  makerId: idOf("usr")
    .nullable()
    .describe("The user who created the API key. This user cannot decide on the request either."),
  name: z.string().describe("The name of the user, of the API key or of the caller with `--db`."),
  displayName: z.string().nullable().describe("The current display name of the user."),
});

export const approvalSummary = namedObject("ApprovalSummary", {
  id: idOf("apr"),
  kind: approvalKind,
  state: approvalState,
  stateReason: z
    .string()
    .nullable()
    .describe("Why the request was rejected or bypassed, became outdated, or failed."),
  title: z.string().describe("What was requested, such as `tail on log-collector`."),
  action: z.string().describe("The name of the action that would run."),
  serviceId: idOf("svc")
    .nullable()
    .describe("The service on which the action runs. Null for a rollout or schedule."),
  serviceCode: z
    .string()
    .nullable()
    .describe("The code of that service. Null for a rollout or schedule."),
  subjectId: z
    .string()
    .nullable()
    .describe("The id of the rollout or schedule. Null for an action."),
  commandId: idOf("cmd").nullable().describe("The command that runs an approved action."),
  policies: z
    .array(requirement)
    .describe("The requirements of the policies. All of them must be met."),
  reason: z.string().nullable().describe("The reason that the requester gave."),
  requester: requester.describe("Who made the request."),
  createdAt: timestamp.describe("When the request was made."),
  expiresAt: timestamp.describe("When the request expires if it has not ended by then."),
  endedAt: timestamp.nullable().describe("When the request ended. Null before that."),
});
