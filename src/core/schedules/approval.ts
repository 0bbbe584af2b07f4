// Schedules that need approval do not run before their content is approved. (docs/approvals.md)

import { AppError } from "../../domain/errors.ts";
import type { Schedule } from "../../domain/schedules/schedules.ts";
import { wholeTarget } from "../../domain/schedules/target-secrets.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { approveSchedule } from "../../store/tables/approvals.ts";
import { listCandidates } from "../../store/tables/rollout-candidates.ts";
import {
  findScheduleApprovals,
  type ScheduleApproval,
} from "../../store/tables/schedule-approvals.ts";
import { findAction } from "../../store/tables/service-actions.ts";
import { findServiceByCode } from "../../store/tables/services.ts";
import { digestOf } from "../approvals/digests.ts";
import {
  approvalRequired,
  currentPolicies,
  type GateTarget,
  neededFor,
  permitFor,
} from "../approvals/gate.ts";
import { type Draft, endRequestsOf, openRequest, recordBypass } from "../approvals/requests.ts";
import type { Core, Ctx } from "../context.ts";
import type { Obstacle } from "./owner.ts";

/**
 * Call after a schedule was created, changed or resumed. If a policy requires approval, a request is
 * stored, and the schedule does not run before it is approved. Throws APPROVAL_REQUIRED if the caller
 * cannot ask for it.
 */
export async function gateSchedule(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  breakGlass: string | undefined,
): Promise<void> {
  await endScheduleRequests(ctx, tx, schedule, "The schedule was changed.");
  if (schedule.state === "PAUSED" || isApproved(ctx.core, schedule)) return;
  const needed = await neededNow(ctx, tx, schedule);
  const permit = await permitFor(ctx, tx, needed, breakGlass);
  if (permit.kind === "free") return;
  const draft = draftOf(ctx.core, schedule);
  if (permit.kind === "ask") {
    await openRequest(ctx, tx, draft, permit);
    return;
  }
  await recordBypass(ctx, tx, draft, permit);
  schedule.approvedDigest = draft.digest;
  await approveSchedule(tx, schedule.id, draft.digest);
}

/**
 * For a run that an operator demands. Returns whether the schedule is approved, or an owner does without.
 * Throws APPROVAL_REQUIRED.
 */
export async function permitRun(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  breakGlass: string | undefined,
): Promise<boolean> {
  if (isApproved(ctx.core, schedule)) return true;
  const needed = await neededNow(ctx, tx, schedule);
  const obstacle = await approvalObstacle(ctx, tx, schedule);
  if (needed === null) {
    if (obstacle) throw new AppError("APPROVAL_REQUIRED", obstacle.message);
    return false;
  }
  if (breakGlass === undefined) {
    throw approvalRequired(needed, "The schedule runs when its request is approved.");
  }
  const permit = await permitFor(ctx, tx, needed, breakGlass);
  if (permit.kind === "bypass") await recordBypass(ctx, tx, draftOf(ctx.core, schedule), permit);
  return permit.kind === "bypass";
}

/** Returns why an unapproved schedule may not run, or null. */
export async function approvalObstacle(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
): Promise<Obstacle | null> {
  if (isApproved(ctx.core, schedule)) return null;
  const request = (await findScheduleApprovals(tx, [schedule.id])).get(schedule.id);
  if (request && holdsBack(request)) {
    const how = request.state === "AWAITING_APPROVAL" ? "awaits approval" : "was not approved";
    return { code: "APPROVAL_REQUIRED", message: `The schedule ${how} (${request.approvalId}).` };
  }
  // The services of a rollout are checked when they are chosen.
  if (schedule.target.kind === "rollout") return null;
  const needed = await neededNow(ctx, tx, schedule);
  return needed && approvalRequired(needed, "Save the schedule again to ask for it.");
}

/** What the API shows. */
export function approvalFields(request: ScheduleApproval | undefined) {
  if (!request) return { approvalId: null, approvalState: null };
  const state = request.state === "AWAITING_APPROVAL" ? request.state : ("NOT_APPROVED" as const);
  return {
    approvalId: request.approvalId,
    approvalState: holdsBack(request) ? state : null,
  };
}

/** A request that is OUTDATED no longer counts. */
function holdsBack({ state }: ScheduleApproval): boolean {
  return !["APPROVED", "BYPASSED", "OUTDATED"].includes(state);
}

export function endScheduleRequests(ctx: Ctx, tx: Tx, { id }: Schedule, why: string) {
  return endRequestsOf(ctx, tx, id, "OUTDATED", why);
}

/** Whether exactly this content was approved. */
export function isApproved(core: Core, schedule: Schedule): boolean {
  const { approvedDigest } = schedule;
  return approvedDigest !== null && approvedDigest === scheduleDigest(core, schedule);
}

function scheduleDigest(core: Core, schedule: Schedule): string {
  const content = contentOf({ ...schedule, target: wholeTarget(schedule) });
  // Secrets that are given again are others, even if they are equal. Otherwise, an approval that
  // remains would show that a guess was right.
  const { secretsGiven } = schedule;
  const given = secretsGiven ? { secretsVersion: secretsGiven.version } : {};
  return digestOf(core, "schedule", { ...content, ...given });
}

/** The name and the description do not decide what runs. */
function contentOf(schedule: Pick<Schedule, keyof Schedule>) {
  const { id, cron, everySeconds, timezone, until, target, missed, overlap } = schedule;
  return {
    ...{ scheduleId: id, cron, everySeconds, timezone, until: isoTimeOrNull(until ?? null) },
    ...{ target, missed, overlap },
  };
}

function draftOf(core: Core, schedule: Schedule): Draft {
  const { id, name, target, withheld } = schedule;
  return {
    kind: "schedule",
    title: `${target.action}, by the schedule ${name}`,
    action: target.action,
    serviceId: null,
    serviceCode: target.kind === "action" ? target.service : null,
    subjectId: id,
    content: JSON.parse(JSON.stringify({ name, ...contentOf(schedule) })),
    digest: scheduleDigest(core, schedule),
    withheld: withheld.map((pointer) => `/target${pointer}`),
    // They are stored with the schedule.
    secrets: null,
    reason: target.reason ?? null,
  };
}

/** What policies demand for what would run now; null if they demand nothing. */
export async function neededNow(ctx: Ctx, db: Reader | Tx, schedule: Pick<Schedule, "target">) {
  if ((await currentPolicies(db)).length === 0) return null;
  return neededFor(db, await gateTargetsOf(ctx, db, schedule));
}

const atOnce = 500;

/** What would run now. Services that do not declare the action cannot run it. */
async function gateTargetsOf(
  ctx: Ctx,
  db: Reader,
  { target }: Pick<Schedule, "target">,
): Promise<GateTarget[]> {
  if (target.kind === "action") {
    const service = await findServiceByCode(db, target.service);
    const action = service && (await findAction(db, service.id, target.action));
    return service && action ? [{ serviceId: service.id, action }] : [];
  }
  const { statusClock, settings } = ctx.core;
  const found: GateTarget[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const now = statusClock.now();
    const page = { after, limit: atOnce, now, thresholds: settings.thresholds };
    const candidates = await listCandidates(db, target, target.action, page);
    for (const { service, action } of candidates) {
      if (action) found.push({ serviceId: service.id, action });
    }
    after = candidates.length < atOnce ? null : (candidates.at(-1)?.service.id ?? null);
  }
  return found;
}
