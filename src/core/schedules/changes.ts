// Creates, changes and deletes schedules in the caller's transaction. The caller changes one
// schedule, or applies many declared objects.

import { declaredBy, type Origin } from "../../domain/declarations.ts";
import { AppError, found } from "../../domain/errors.ts";
import { nextDue, type Timing } from "../../domain/schedules/due-times.ts";
import type {
  BoundTarget,
  Schedule,
  ScheduleOwner,
  ScheduleRule,
  ScheduleTarget,
} from "../../domain/schedules/schedules.ts";
import {
  type Edit,
  editTarget,
  missingSecrets,
  type TargetParts,
  withholdMore,
} from "../../domain/schedules/target-secrets.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findServiceByCode } from "../../store/tables/fleet/services.ts";
import {
  findSchedule,
  findScheduleByName,
  scheduleRows,
} from "../../store/tables/schedules/schedules.ts";
import {
  givenAfter,
  giverOf,
  requireGiven,
  trailWithholderOf,
  withholderOf,
} from "../access/secret-givers.ts";
import type { StampedDemand } from "../approvals/demands.ts";
import { endRequestsOf } from "../approvals/requests.ts";
import { judgeSchedule } from "../approvals/schedule-demands.ts";
import { boundTarget, gateSchedule, isContent } from "../approvals/schedules.ts";
import { changedFields, changesOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { type Lookups, lookupsOf, type Reading } from "../lookups.ts";
import { findTarget, requireConfirmation } from "../presence/action-targets.ts";
import { auditSchedule } from "./audit.ts";
import { skipUnstartedRuns } from "./runs.ts";

/** What `examine` finds before the transaction that saves a schedule. */
export interface Examined {
  /**
   * The stored target, without the values that are now known to be secret; null for a new schedule.
   */
  shown: TargetParts | null;
  edit: Edit;
  /** Who gives the secrets in the target (`giverOf`). */
  giver: string;
  /** The targets as the audit trail shows them. */
  trail: { before: ScheduleTarget | null; after: ScheduleTarget };
  bound: BoundTarget | null;
  judged: StampedDemand;
  /** The first due time after `after`. Some cron expressions take a millisecond to evaluate. */
  due: { after: number; at: number | null };
}

/**
 * `editTarget` decides which secrets of `stored` are kept by `[REDACTED]`. Must not be awaited in a
 * transaction. Throws CONFIRMATION_REQUIRED, TOO_MUCH_WORK.
 */
export async function examine(
  ctx: Ctx,
  rule: ScheduleRule,
  stored: Schedule | null,
): Promise<Examined> {
  const lookups = lookupsOf(ctx);
  const { target } = rule;
  const before = stored && (await asShown(lookups, stored));
  const examined = await examineWith(lookups, rule, before, await judgeSchedule(ctx, target));
  await requireConfirmed(lookups.db, target);
  return examined;
}

/**
 * Like `examine`, but for one of many schedules, and without checks. `before` comes from `asShown`.
 */
export async function examineWith(
  lookups: Lookups,
  rule: ScheduleRule,
  before: Schedule | null,
  judged: StampedDemand,
): Promise<Examined> {
  const { ctx, db } = lookups;
  const shown = before && partsOf(before);
  const bound = await boundTarget(db, rule.target);
  const edit = await editOf(lookups, rule.target, before, bound);
  const now = ctx.core.now();
  return {
    shown,
    edit,
    judged,
    giver: await giverOf(lookups),
    trail: {
      before: shown && (await targetInTrail(lookups, shown)),
      after: await targetInTrail(lookups, edit),
    },
    bound,
    due: { after: now, at: nextDue(rule, now) },
  };
}

function partsOf({ target, withheld, secrets }: TargetParts): TargetParts {
  return { target, withheld, secrets };
}

async function targetInTrail(reading: Reading, parts: TargetParts): Promise<ScheduleTarget> {
  return withholdMore(parts, await trailWithholderOf(reading, parts.target.action)).target;
}

/** Returns the first due time after `now`: the one that `examine` found, unless it has passed. */
function stillDue(timing: Timing, { after, at }: Examined["due"], now: number): number | null {
  return after <= now && (at === null || at > now) ? at : nextDue(timing, now);
}

export interface ScheduleToSave extends Examined {
  owner: ScheduleOwner;
  origin: Origin | null;
  breakGlass: string | undefined;
}

/**
 * The caller has checked that the name is free. Throws PAYLOAD_NEEDS_SECRETS, and APPROVAL_REQUIRED
 * if the caller cannot ask for approval. Call `requireMayBypass` before the transaction.
 */
export async function createScheduleIn(
  ctx: Ctx,
  tx: Tx,
  rule: ScheduleRule,
  { edit, giver, bound, owner, origin, due, ...gating }: ScheduleToSave,
): Promise<Schedule> {
  requireSecrets(edit);
  const { gives: _, ...parts } = edit;
  const given = { by: giver, version: 1 };
  const schedule: Schedule = {
    ...ruleOf(rule),
    ...parts,
    secretsGiven: givenAfter(edit, null, given),
    id: ctx.core.newId("sch"),
    nextAt: rule.state === "ENABLED" ? stillDue(rule, due, tx.now) : null,
    owner,
    approvedDigest: null,
    approvalId: null,
    authors: withAuthor([], owner),
    bound,
    ...declaredBy(origin),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await scheduleRows.insert(tx, schedule);
  await auditSchedule(ctx, tx, schedule, "schedule.created", factsOf(schedule), origin);
  await gateSchedule(ctx, tx, schedule, gating);
  return schedule;
}

/**
 * Returns the stored schedule if nothing changes, not even the owner. Giving a secret always counts
 * as a change, so that nobody can confirm a guess. The caller has checked that `stored` is the
 * version that was examined, and that the name is free. Throws PAYLOAD_NEEDS_SECRETS, and
 * APPROVAL_REQUIRED as `createScheduleIn` does.
 */
export async function updateScheduleIn(
  ctx: Ctx,
  tx: Tx,
  stored: Schedule,
  rule: ScheduleRule,
  { trail, owner, origin, due, breakGlass, judged, ...examined }: ScheduleToSave,
): Promise<Schedule> {
  const { edit } = examined;
  const { gives } = edit;
  const { before, after } = revised(stored, rule, examined);
  Object.assign(after, declaredBy(origin, before), { owner });
  const changed = changedFields(comparedFields, before, after);
  const gating = { breakGlass, judged };
  if (changed.length === 0 && !gives) {
    // What policies demand may have changed.
    await gateSchedule(ctx, tx, before, gating);
    return before;
  }
  requireSecrets(edit);
  after.updatedAt = tx.now;
  if (gives || changed.some(isContent)) after.authors = withAuthor(before.authors, owner);
  after.nextAt = nextAtOf(before, after, () => stillDue(after, due, tx.now));
  await scheduleRows.update(tx, after);
  if (after.state === "PAUSED") await skipUnstartedRuns(ctx, tx, after);
  const from = { ...before, target: trail.before };
  const to = { ...after, target: trail.after };
  const changes = changesOf(changed, from, to);
  const secrets = gives ? { secrets: "changed" } : {};
  const facts = { version: after.version, changes: { ...changes, ...secrets } };
  await auditSchedule(ctx, tx, after, "schedule.updated", facts, origin);
  await gateSchedule(ctx, tx, after, gating);
  return after;
}

/** Returns the stored schedule as it is shown, and with the content that an update gives it. */
export function revised(
  stored: Schedule,
  rule: ScheduleRule,
  { shown, edit, giver, bound }: Pick<Examined, "shown" | "edit" | "giver" | "bound">,
): { before: Schedule; after: Schedule } {
  const before: Schedule = { ...stored, ...shown };
  const { gives: _, ...parts } = edit;
  const version = before.version + 1;
  const secretsGiven = givenAfter(edit, before, { by: giver, version });
  const content = { ...undefinedRule, ...ruleOf(rule), ...parts, secretsGiven, bound };
  return { before, after: { ...before, ...content, version } };
}

export async function deleteScheduleIn(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  origin: Origin | null,
): Promise<void> {
  await endRequestsOf(ctx, tx, schedule.id, "OUTDATED", "The schedule was deleted.");
  await scheduleRows.delete(tx, schedule.id);
  const facts = { ...factsOf(schedule), version: schedule.version };
  await auditSchedule(ctx, tx, schedule, "schedule.deleted", facts, origin);
}

export async function requireSchedule(db: Reader, id: string): Promise<Schedule> {
  return found(await findSchedule(db, id), "SCHEDULE_NOT_FOUND", `schedule ${id}`);
}

/** Authors cannot approve the schedule: they have changed what runs since it was last approved. */
function withAuthor(authors: readonly string[], { id }: ScheduleOwner): string[] {
  return id === null || authors.includes(id) ? [...authors] : [...authors, id];
}

/** A change that does not concern the timing does not skip a run that has just become due. */
function nextAtOf(before: Schedule, after: Schedule, next: () => number | null): number | null {
  if (after.state === "PAUSED") return null;
  const isSameTiming = timingFields.every((field) => before[field] === after[field]);
  return isSameTiming && before.state === "ENABLED" ? before.nextAt : next();
}

const timingFields = ["cron", "everySeconds", "timezone", "until"] as const;

/** Throws SCHEDULE_NAME_TAKEN. */
export async function requireFreeName(tx: Tx, name: string, ownId: string | null): Promise<void> {
  const other = await findScheduleByName(tx, name);
  if (other === null || other.id === ownId) return;
  const details = { scheduleId: other.id };
  throw new AppError("SCHEDULE_NAME_TAKEN", `The schedule ${name} already exists.`, {
    details,
  });
}

/**
 * An action that is not declared yet is checked only when it runs, and so are the actions of a
 * rollout.
 */
export async function requireConfirmed(db: Reader, target: ScheduleTarget): Promise<void> {
  if (target.kind !== "action" || target.confirmation) return;
  const service = await findServiceByCode(db, target.service);
  if (service === null) return;
  const declared = await findTarget(db, service.id, target.action).catch(ignoreMissing);
  if (declared) requireConfirmation(declared.action, false);
}

function ignoreMissing(error: unknown): null {
  if (error instanceof AppError && error.code === "ACTION_NOT_FOUND") return null;
  throw error;
}

export function requireSecrets(parts: TargetParts): void {
  requireGiven(missingSecrets(parts));
}

/**
 * Separates the secrets from the target of a rule, and keeps those of `before` that the caller may
 * keep. `before` comes from `asShown`, and `bound` from `boundTarget`. The schedule must be saved
 * with the same `bound`, so that no other agent gets the secrets.
 */
export async function editOf(
  lookups: Lookups,
  target: ScheduleTarget,
  before: Schedule | null,
  bound: BoundTarget | null,
): Promise<Edit> {
  const withhold = await withholderOf(lookups, target.action);
  const isElsewhere =
    before !== null && before.bound !== null && bound?.agentId !== before.bound.agentId;
  return editTarget(target, before, withhold, await giverOf(lookups), isElsewhere);
}

/** Also withholds what was not known to be secret when the schedule was saved. */
export async function asShown(reading: Reading, schedule: Schedule): Promise<Schedule> {
  const withhold = await withholderOf(reading, schedule.target.action);
  return { ...schedule, ...withholdMore(schedule, withhold) };
}

function ruleOf(rule: ScheduleRule): ScheduleRule {
  const { name, description, state, cron, everySeconds, timezone, until } = rule;
  const { target, missed, overlap } = rule;
  return { name, description, state, cron, everySeconds, timezone, until, target, missed, overlap };
}

/** Removes fields that the old rule has and the new rule lacks. */
const undefinedRule = {
  description: undefined,
  cron: undefined,
  everySeconds: undefined,
  until: undefined,
};

function factsOf(schedule: Schedule) {
  const { target: _, until, ...rule } = ruleOf(schedule);
  const { kind, action } = schedule.target;
  const service = schedule.target.kind === "action" ? { service: schedule.target.service } : {};
  return { ...rule, until: isoTimeOrNull(until ?? null), target: { kind, action, ...service } };
}

const comparedFields = [
  ...(["name", "description", "state", "cron", "everySeconds", "timezone", "until"] as const),
  ...(["target", "missed", "overlap", "declared", "bound", "owner"] as const),
];
