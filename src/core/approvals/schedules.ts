// Schedules that need approval do not run before their content is approved.
// (docs/guides/approvals.md)

import type {
  BoundTarget,
  Obstacle,
  Schedule,
  ScheduleRun,
  ScheduleTarget,
} from "../../domain/schedules/schedules.ts";
import { wholeTarget } from "../../domain/schedules/target-secrets.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { listOpenApprovalsOf } from "../../store/tables/approvals/approvals.ts";
import {
  findScheduleApprovals,
  type ScheduleApproval,
} from "../../store/tables/approvals/schedule-approvals.ts";
import { findAction } from "../../store/tables/fleet/service-actions.ts";
import { findServiceByCode } from "../../store/tables/fleet/services.ts";
import { listCandidates } from "../../store/tables/rollouts/rollout-candidates.ts";
import { approveSchedule } from "../../store/tables/schedules/schedules.ts";
import type { Core, Ctx } from "../context.ts";
import { pagesById } from "../pages-by-id.ts";
import type { ActionTarget } from "../presence/action-targets.ts";
import {
  type ActionOnService,
  approvalRequired,
  currentPolicies,
  type Demand,
  demandFor,
  policiesInForce,
  type StampedDemand,
  stampOf,
} from "./demands.ts";
import { declarationHash, digestOf } from "./digests.ts";
import { askOrBypass, type Bypass, saveAgain } from "./gate.ts";
import {
  approvalNeeded,
  type Basis,
  basisOfRequest,
  isPermit,
  type NeedsApproval,
  neededFor,
  noBasis,
  type Permit,
  permitBypass,
  permitNow,
} from "./permits.ts";
import { type Draft, endRequests, openRequest, recordBypass } from "./requests.ts";
import { targetChange } from "./rollouts.ts";

export interface Gating {
  /** Why an owner bypasses approval; undefined if nobody does. */
  breakGlass: string | undefined;
  /**
   * What policies demand, as `ScheduleDemands` found before the transaction; null if it must be
   * determined in the transaction.
   */
  judged: StampedDemand | null;
}

/**
 * Call after a schedule was created, changed or resumed. If a policy requires approval of its
 * content, a request is stored. An open request for the same content stays open, no matter who
 * saves the schedule again. Throws APPROVAL_REQUIRED if the caller cannot ask for approval.
 */
export async function gateSchedule(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  { breakGlass, judged }: Gating,
): Promise<void> {
  const draft = draftOf(ctx.core, schedule);
  const isNew = schedule.version === 1;
  const open = isNew ? [] : await listOpenApprovalsOf(tx, schedule.id);
  const isPaused = schedule.state === "PAUSED";
  const isAsked = !isPaused && open.some(({ digest }) => digest === draft.digest);
  if (!isAsked) await endRequests(ctx, tx, open, "OUTDATED", "The schedule was changed.");
  if (isPaused) return;
  const hold = await holdOfSchedule(ctx, tx, schedule, judged);
  if (hold === null || (isAsked && breakGlass === undefined)) return;
  const resolution = await askOrBypass(ctx, tx, hold, breakGlass);
  if (resolution.kind === "ask") {
    await openRequest(ctx, tx, draft, resolution);
    return;
  }
  if (isAsked) await endRequests(ctx, tx, open, "OUTDATED", "An owner bypassed approval.");
  const { id: approvalId } = await recordBypass(ctx, tx, draft, resolution);
  await approveSchedule(tx, schedule.id, { digest: draft.digest, approvalId });
}

/**
 * Evaluates the policies again if they have changed since `judged` was found, or the setting that
 * decides which labels they see.
 */
async function holdOfSchedule(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  judged: StampedDemand | null,
): Promise<NeedsApproval | null> {
  const isCurrent = judged?.stamp === stampOf(await policiesInForce(tx));
  const demand = isCurrent ? judged.demand : await demandForSchedule(ctx, tx, schedule);
  if (demand === null) return null;
  return neededFor(demand, await basisOfSchedule(ctx.core, tx, schedule));
}

/** Returns the approval of exactly this content, if any. */
export async function basisOfSchedule(core: Core, db: Reader, schedule: Schedule): Promise<Basis> {
  const { approvedDigest, approvalId } = schedule;
  if (approvedDigest === null || approvedDigest !== scheduleDigest(core, schedule)) return noBasis;
  return basisOfRequest(db, approvalId, core.now());
}

/** The approval of a schedule permits only the runs at its due times. */
export async function basisOfRun(
  core: Core,
  tx: Tx,
  schedule: Schedule,
  { trigger }: Pick<ScheduleRun, "trigger">,
): Promise<Basis> {
  return trigger === "time" ? basisOfSchedule(core, tx, schedule) : noBasis;
}

/**
 * For a run that somebody starts. Throws APPROVAL_REQUIRED if a policy requires approval of its
 * action, because the approval of the schedule covers only its due times. A rollout is not checked
 * here: it asks for approval when it is created.
 */
export async function requireNoApproval(ctx: Ctx, tx: Tx, schedule: Schedule): Promise<void> {
  if (schedule.target.kind === "rollout") return;
  const hold = await approvalNeeded(tx, await actionsOfSchedule(ctx, tx, schedule), noBasis);
  if (hold !== null) throw approvalRequired(hold.demand, runItself);
}

const runItself =
  "To ask for approval, run the action itself: the schedule's approval covers only its due times.";

interface RunPermit {
  permit: Permit;
  /** Record it with `recordBypass`; null if policies demand no more than the basis. */
  bypass: Bypass | null;
}

/** Returns the permit for the action of a schedule, or why there is none. */
export async function permitForRun(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  target: ActionTarget,
  run: Pick<ScheduleRun, "trigger" | "starter">,
): Promise<RunPermit | Obstacle> {
  const basis = await basisOfRun(ctx.core, tx, schedule, run);
  const change = await boundChange(tx, schedule);
  if (change !== null && schedule.withheld.length > 0) {
    return targetChanged(`${change} Save the schedule again, with its secrets.`);
  }
  const permit = await permitNow(tx, target, change === null ? basis : noBasis);
  if (isPermit(permit)) return { permit, bypass: null };
  const breakGlass = run.starter?.breakGlass ?? undefined;
  if (change !== null && (basis.kind !== "none" || breakGlass !== undefined)) {
    return targetChanged(`${change} Save the schedule again to ask for approval.`);
  }
  if (breakGlass !== undefined) {
    const bypass = await askOrBypass(ctx, tx, permit, breakGlass);
    if (bypass.kind === "bypass") return { permit: permitBypass(ctx, tx, target), bypass };
  }
  if (run.trigger === "operator") return approvalRequired(permit.demand, runItself);
  return whyHeld(tx, schedule, approvalRequired(permit.demand, saveAgain));
}

/**
 * Returns what to tell about a run at its due time that policies hold back: the request that holds
 * back the schedule, or `otherwise` if there is none.
 */
export async function whyHeld(tx: Tx, { id }: Schedule, otherwise: Obstacle): Promise<Obstacle> {
  const request = (await findScheduleApprovals(tx, [id])).get(id);
  return request !== undefined && holdsBack(request) ? notApproved(request) : otherwise;
}

/**
 * Returns an obstacle if the schedule's last request was rejected or withdrawn, whatever policies
 * demand now.
 */
export async function refusalOf(tx: Tx, { id }: Schedule): Promise<Obstacle | null> {
  const request = (await findScheduleApprovals(tx, [id])).get(id);
  if (request?.state !== "REJECTED" && request?.state !== "WITHDRAWN") return null;
  return notApproved(request);
}

function notApproved({ approvalId, state }: ScheduleApproval): Obstacle {
  const how = state === "AWAITING_APPROVAL" ? "awaits approval" : "was not approved";
  return { code: "APPROVAL_REQUIRED", message: `The schedule ${how} (${approvalId}).` };
}

export function targetChanged(message: string): Obstacle {
  return { code: "TARGET_CHANGED", message };
}

/**
 * Returns what has changed about the service since the schedule was saved, or null. The approval
 * and the secrets are valid only for the agent and the declaration that the service had then.
 */
export async function boundChange(
  db: Reader,
  { bound, target }: Pick<Schedule, "bound" | "target">,
): Promise<string | null> {
  if (bound === null || target.kind !== "action") return null;
  const service = await findServiceByCode(db, target.service);
  if (service === null) return null;
  return targetChange(bound, service, await findAction(db, service.id, target.action));
}

/** Returns what `boundChange` compares with later. */
export async function boundTarget(db: Reader, target: ScheduleTarget): Promise<BoundTarget | null> {
  if (target.kind !== "action") return null;
  const service = await findServiceByCode(db, target.service);
  if (service === null) return null;
  const action = await findAction(db, service.id, target.action);
  return { agentId: service.agentId, declaration: action && declarationHash(action) };
}

/** Returns the API fields that describe a schedule's approval. */
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

/** Identifies the content, with its secrets. */
export function scheduleDigest(core: Core, schedule: Schedule): string {
  const content = contentOf({ ...schedule, target: wholeTarget(schedule) });
  // Secrets that are given again change the digest, even if they are the same. Otherwise, an
  // approval that stays valid would confirm a guess.
  const { secretsGiven } = schedule;
  const given = secretsGiven ? { secretsVersion: secretsGiven.version } : {};
  return digestOf(core, "schedule", { ...content, ...given });
}

/** Whether the field belongs to the content that is approved. */
export function isContent(field: string): boolean {
  return !["name", "description", "state", "declared", "owner"].includes(field);
}

/** Leaves out the fields that do not decide what runs. */
function contentOf(schedule: Schedule) {
  const { id, cron, everySeconds, timezone, until, target, missed, overlap, bound } = schedule;
  return {
    scheduleId: id,
    cron,
    everySeconds,
    timezone,
    until: isoTimeOrNull(until ?? null),
    target,
    missed,
    overlap,
    // Schedules that older versions saved have no `bound`. Without the field, their approvals stay
    // valid.
    ...(bound === null ? {} : { bound }),
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
    // The secrets are stored with the schedule.
    secrets: null,
    reason: target.reason ?? null,
  };
}

/** Returns what policies would demand if the schedule ran now; null if they demand nothing. */
async function demandForSchedule(
  ctx: Ctx,
  db: Reader,
  schedule: Pick<Schedule, "target">,
): Promise<Demand | null> {
  if ((await currentPolicies(db)).length === 0) return null;
  return demandFor(db, await actionsOfSchedule(ctx, db, schedule));
}

const atOnce = 500;

/** Returns the actions that would run now, without services that do not declare the action. */
export async function actionsOfSchedule(
  ctx: Ctx,
  db: Reader,
  { target }: Pick<Schedule, "target">,
): Promise<ActionOnService[]> {
  if (target.kind === "action") {
    const service = await findServiceByCode(db, target.service);
    const action = service && (await findAction(db, service.id, target.action));
    return service && action ? [{ serviceId: service.id, action }] : [];
  }
  const { statusClock, settings } = ctx.core;
  const found: ActionOnService[] = [];
  const pages = pagesById(
    atOnce,
    (page) => {
      const times = { now: statusClock.now(), thresholds: settings.thresholds };
      return listCandidates(db, target, target.action, { ...page, ...times });
    },
    ({ service }) => service.id,
  );
  for await (const candidates of pages) {
    for (const { service, action } of candidates) {
      if (action) found.push({ serviceId: service.id, action });
    }
  }
  return found;
}
