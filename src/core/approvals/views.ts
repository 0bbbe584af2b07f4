// Converts requests for approval to the form of the API.

import type { z } from "zod";
import type { approvalDetail, listedApproval } from "../../api/approvals.ts";
import type { approvalSummary } from "../../api/shapes/approval-schemas.ts";
import type { User } from "../../domain/access/users.ts";
import {
  type Approval,
  countedApprovers,
  mayDecide,
  unmetRequirements,
} from "../../domain/approvals/approvals.ts";
import type { Approvers } from "../../domain/approvals/policies.ts";
import type { Json } from "../../domain/payload/json.ts";
import { requestersIn, type ScheduleTarget } from "../../domain/schedules/schedules.ts";
import { withholdTarget } from "../../domain/schedules/target-secrets.ts";
import { isoTime, isoTimes } from "../../lib/iso-time.ts";
import type { Reader } from "../../store/database.ts";
import { findUser } from "../../store/tables/access/users.ts";
import { listDecisions } from "../../store/tables/approvals/approvals.ts";
import { findRollout } from "../../store/tables/rollouts/rollouts.ts";
import { findSchedule } from "../../store/tables/schedules/schedules.ts";
import { withholderOf } from "../access/secret-givers.ts";
import type { Ctx } from "../context.ts";
import { readingFrom } from "../lookups.ts";
import { shownDigest } from "./digests.ts";
import { approversIn } from "./permits.ts";

type ApprovalSummary = z.output<typeof approvalSummary>;
type ListedApproval = z.output<typeof listedApproval>;
export type ApprovalDetail = z.output<typeof approvalDetail>;

export function toApprovalSummary(approval: Approval): ApprovalSummary {
  const { id, kind, state, stateReason, title, action, serviceId, serviceCode } = approval;
  const { subjectId, commandId, requirements, reason, requester } = approval;
  return {
    id,
    kind,
    state,
    stateReason,
    title,
    action,
    serviceId,
    serviceCode,
    subjectId,
    commandId,
    policies: requirements.map(({ policyId, policyName, approvals }) => {
      return { policyId, policyName, approvals };
    }),
    reason,
    requester,
    ...isoTimes(approval, "createdAt", "expiresAt", "endedAt"),
  };
}

export async function toListedApprovals(
  ctx: Ctx,
  db: Reader,
  approvals: readonly Approval[],
): Promise<ListedApproval[]> {
  const caller = await callingUser(ctx, db);
  const listed: ListedApproval[] = [];
  for (const approval of approvals) {
    const { state, requirements } = approval;
    // Requesters are read only if needed, because most requests in a list have ended.
    const requesters = state === "AWAITING_APPROVAL" ? await requestersOf(db, approval) : null;
    const mayCallerDecide =
      requesters !== null && caller !== null && mayDecide(requirements, caller, requesters);
    listed.push({ ...toApprovalSummary(approval), mayDecide: mayCallerDecide });
  }
  return listed;
}

async function callingUser({ principal }: Ctx, db: Reader): Promise<User | null> {
  return principal.kind === "user" ? findUser(db, principal.userId) : null;
}

export async function toApprovalDetail(
  ctx: Ctx,
  db: Reader,
  approval: Approval,
): Promise<ApprovalDetail> {
  const { requirements, state } = approval;
  const { content, withheld } = await shownContent(db, approval);
  const digest = shownDigest(ctx.core, approval);
  const decisions = await listDecisions(db, approval.id);
  const approvedBy = await approversIn(db, decisions);
  const requesters = await requestersOf(db, approval);
  const caller = await callingUser(ctx, db);
  const views: ApprovalDetail["requirements"] = [];
  for (const { approvers, ...requirement } of requirements) {
    const counted = countedApprovers({ approvers }, approvedBy, requesters);
    views.push({
      ...requirement,
      approvers: await namesOf(db, approvers),
      approvedBy: counted.map(({ username }) => username),
    });
  }
  const mayCallerDecide =
    state === "AWAITING_APPROVAL" && caller !== null && mayDecide(requirements, caller, requesters);
  return {
    ...toApprovalSummary(approval),
    content,
    withheld,
    digest,
    requirements: views,
    decisions: decisions.map(({ decidedAt, ...decision }) => {
      return { ...decision, decidedAt: isoTime(decidedAt) };
    }),
    mayDecide: mayCallerDecide,
    wouldSuffice:
      mayCallerDecide &&
      unmetRequirements(requirements, [...approvedBy, caller], requesters).length === 0,
  };
}

/** Also withholds what was not known to be secret when a schedule was saved. */
async function shownContent(db: Reader, { kind, action, content, withheld }: Approval) {
  if (kind !== "schedule") return { content, withheld };
  const target = content.target as unknown as ScheduleTarget;
  const shown = withholdTarget(target, await withholderOf(readingFrom(db), action));
  return {
    content: { ...content, target: shown.target as unknown as Json },
    withheld: [...withheld, ...shown.withheld.map((pointer) => `/target${pointer}`)],
  };
}

/**
 * Returns the ids of the users who cannot decide the request: the requester, the creator of the
 * requester's API key, the creator of the rollout, the owner of the schedule, and all authors of
 * changes to the schedule since it was last approved. For a rollout, the owner and the authors are
 * those at its creation, because its schedule can be changed or deleted later.
 */
export async function requestersOf(
  db: Reader,
  { kind, subjectId, requester }: Approval,
): Promise<(string | null)[]> {
  const asked = [requester.userId, requester.makerId];
  if (subjectId === null) return asked;
  if (kind === "rollout") {
    const rollout = await findRollout(db, subjectId);
    if (rollout === null) return asked;
    const authors = rollout.plan.authors ?? (await authorsOf(db, rollout.scheduleId));
    return [...asked, rollout.creatorId, ...authors];
  }
  return [...asked, ...(await authorsOf(db, subjectId))];
}

async function authorsOf(db: Reader, scheduleId: string | null): Promise<string[]> {
  const schedule = scheduleId === null ? null : await findSchedule(db, scheduleId);
  return schedule === null ? [] : requestersIn(schedule);
}

/** Replaces the ids of users with their names. Deleted users are left out. */
export async function namesOf(db: Reader, approvers: Approvers): Promise<Approvers> {
  if ("role" in approvers) return approvers;
  const users: string[] = [];
  for (const id of approvers.users) {
    const user = await findUser(db, id);
    if (user) users.push(user.username);
  }
  return { users };
}
