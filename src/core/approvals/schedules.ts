// What schedules need of approvals. A schedule is stored in any case, but runs what needs approval only
// while its content has the digest that was approved. (docs/decisions/0025-approvals.md)

import type { Approval } from "../../domain/approvals/approvals.ts";
import type { AppError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { type PayloadParts, wholePayload } from "../../domain/payload/payload-secrets.ts";
import type { Tx } from "../../store/database.ts";
import { listOpenApprovalsOf } from "../../store/tables/approvals.ts";
import type { Core, Ctx } from "../context.ts";
import { digestOf } from "./digests.ts";
import { approvalRequired, type GateTarget, neededFor, permitFor } from "./gate.ts";
import { endRequestsOf, openRequest, recordBypass } from "./requests.ts";

/** A schedule as its approvers see it. */
export interface ScheduleToApprove {
  /** `sch_…` */
  id: string;
  name: string;
  action: string;
  /** The service of an action; null for a rollout. */
  service: { id: string; code: string } | null;
  /** Everything that decides what runs and when: timing, target, missed, overlap and until. */
  content: JsonObject;
  /** The secrets that `content` has in place of `[REDACTED]`, with their JSON Pointers into it. */
  withheld: string[];
  secrets: PayloadParts["secrets"];
  reason: string | null;
  /** The stored `approved_digest`, or null. */
  approvedDigest: string | null;
}

/** Returns the digest of a schedule's content with its secrets, to compare with `approved_digest`. */
export function scheduleDigest(
  core: Core,
  { id, content, withheld, secrets }: Omit<ScheduleToApprove, "name" | "reason" | "approvedDigest">,
): string {
  return digestOf(core, "schedule", {
    id,
    content: wholePayload({ payload: content, withheld, secrets }),
  });
}

export interface ScheduleGate {
  /** The digest to store as `approved_digest`. */
  approvedDigest: string | null;
  /** The request that the schedule waits for, or null. */
  approval: Approval | null;
}

/**
 * Call in the transaction that creates, changes or resumes a schedule, before its row is written, and
 * store the returned digest in it. `targets` are the services on which it would run now. Open requests
 * for other content become OUTDATED. Throws APPROVAL_REQUIRED if the caller cannot ask, as with `--db`.
 * Call `requireMayBypass(ctx, breakGlass)` before the transaction.
 */
export async function askForSchedule(
  ctx: Ctx,
  tx: Tx,
  schedule: ScheduleToApprove,
  targets: readonly GateTarget[],
  breakGlass: string | undefined,
): Promise<ScheduleGate> {
  const { id, name, action, service, content, withheld, secrets, reason } = schedule;
  const { approvedDigest } = schedule;
  const digest = scheduleDigest(ctx.core, schedule);
  const open = await listOpenApprovalsOf(tx, id);
  const same = open.find((approval) => approval.digest === digest);
  if (same && breakGlass === undefined) return { approvedDigest, approval: same };
  await endRequestsOf(ctx, tx, id, "OUTDATED", "The schedule was changed.");
  if (digest === approvedDigest) return { approvedDigest, approval: null };
  const permit = await permitFor(ctx, tx, await neededFor(tx, targets), breakGlass);
  if (permit.kind === "free") return { approvedDigest, approval: null };
  const draft = {
    kind: "schedule" as const,
    title: `schedule ${name}`,
    action,
    serviceId: service?.id ?? null,
    serviceCode: service?.code ?? null,
    subjectId: id,
    ...{ content, digest, withheld, reason },
    // They are stored with the schedule.
    secrets: secrets.map(() => null),
  };
  if (permit.kind === "bypass") {
    await recordBypass(ctx, tx, draft, permit);
    return { approvedDigest: digest, approval: null };
  }
  return { approvedDigest, approval: await openRequest(ctx, tx, draft, permit) };
}

/** Call in the transaction that deletes a schedule. */
export function withdrawForSchedule(ctx: Ctx, tx: Tx, scheduleId: string): Promise<void> {
  return endRequestsOf(ctx, tx, scheduleId, "WITHDRAWN", "The schedule was deleted.");
}

/**
 * Call in the transaction in which a run of a schedule creates its command or its rollout, with the
 * services on which it runs. Returns APPROVAL_REQUIRED if policies demand approval and the present
 * content is not what was approved; otherwise null. For a rollout, pass it to `createRollout` as
 * `checkRun`.
 */
export async function checkScheduledRun(
  core: Core,
  tx: Tx,
  schedule: ScheduleToApprove,
  targets: readonly GateTarget[],
): Promise<AppError | null> {
  const needed = await neededFor(tx, targets);
  if (needed === null) return null;
  if (schedule.approvedDigest === scheduleDigest(core, schedule)) return null;
  return approvalRequired(needed, "The schedule is not approved as it is now.");
}
