// Creates, changes and deletes schedules in a given transaction: that of one call, or that of all
// declared objects.

import { declaredBy, type Origin } from "../../domain/declarations.ts";
import { AppError, found } from "../../domain/errors.ts";
import type {
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
  type Withhold,
  withholdMore,
} from "../../domain/schedules/target-secrets.ts";
import { nextDue } from "../../domain/schedules/timing.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import { sameJson } from "../../lib/json/json-equal.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  deleteSchedule,
  findSchedule,
  findScheduleByName,
  insertSchedule,
  updateSchedule,
} from "../../store/tables/schedules.ts";
import { findServiceByCode } from "../../store/tables/services.ts";
import {
  givenAfter,
  giverOf,
  requireGiven,
  trailWithholderOf,
  withholderOf,
} from "../access/secret-givers.ts";
import { findTarget, requireConfirmation } from "../commands/action-targets.ts";
import type { Ctx } from "../context.ts";
import { boundTarget, endScheduleRequests, gateSchedule, scheduleDigest } from "./approval.ts";
import { auditSchedule } from "./audit.ts";
import { ownerOf } from "./owner.ts";
import { skipWaitingRuns } from "./runs.ts";

/**
 * Throws SCHEDULE_NAME_TAKEN, CONFIRMATION_REQUIRED, PAYLOAD_NEEDS_SECRETS, and APPROVAL_REQUIRED if the
 * caller cannot ask for approval. Call `requireMayBypass` before the transaction.
 */
export async function createScheduleIn(
  ctx: Ctx,
  tx: Tx,
  rule: ScheduleRule,
  origin: Origin | null,
  breakGlass?: string,
): Promise<Schedule> {
  tx.concerns();
  await requireFreeName(tx, rule.name, null);
  await requireConfirmed(tx, rule.target);
  const { gives, ...parts } = await editOf(ctx, tx, rule.target, null);
  requireSecrets(parts);
  const by = await giverOf(ctx, tx);
  const owner = await ownerOf(ctx, tx);
  const schedule: Schedule = {
    ...ruleOf(rule),
    ...parts,
    secretsGiven: givenAfter({ ...parts, gives }, null, { by, version: 1 }),
    id: ctx.core.newId("sch"),
    nextAt: rule.state === "ENABLED" ? nextDue(rule, tx.now) : null,
    owner,
    approvedDigest: null,
    approvalId: null,
    authors: withAuthor([], owner),
    bound: await boundTarget(tx, rule.target),
    ...declaredBy(origin),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await insertSchedule(tx, schedule);
  await auditSchedule(ctx, tx, schedule, "schedule.created", factsOf(schedule), origin);
  await gateSchedule(ctx, tx, schedule, breakGlass);
  return schedule;
}

/**
 * Returns `before` if nothing changes. `[REDACTED]` in place of a stored secret keeps it for whoever gave
 * it (`editTarget`). A literal secret is always a change, so that nobody can find out one by guessing.
 * Throws the errors of `createScheduleIn`.
 */
export async function updateScheduleIn(
  ctx: Ctx,
  tx: Tx,
  stored: Schedule,
  rule: ScheduleRule,
  origin: Origin | null,
  breakGlass?: string,
): Promise<Schedule> {
  tx.concerns();
  const [before = stored] = await asShown(tx, [stored]);
  const { gives, ...parts } = await editOf(ctx, tx, rule.target, before);
  const after: Schedule = {
    ...before,
    ...undefinedRule,
    ...ruleOf(rule),
    ...parts,
    ...declaredBy(origin, before),
    bound: await boundTarget(tx, rule.target),
  };
  const changed = changedFields(before, after);
  if (changed.length === 0 && !gives) {
    // What policies demand may have changed.
    await gateSchedule(ctx, tx, before, breakGlass);
    return before;
  }
  await requireFreeName(tx, rule.name, before.id);
  await requireConfirmed(tx, rule.target);
  requireSecrets(parts);
  after.version = before.version + 1;
  const by = await giverOf(ctx, tx);
  after.secretsGiven = givenAfter({ ...parts, gives }, before, { by, version: after.version });
  after.updatedAt = tx.now;
  after.owner = await ownerOf(ctx, tx);
  if (scheduleDigest(ctx.core, before) !== scheduleDigest(ctx.core, after)) {
    after.authors = withAuthor(before.authors, after.owner);
  }
  after.nextAt = nextAtOf(before, after, tx.now);
  await updateSchedule(tx, after);
  if (after.state === "PAUSED") await skipWaitingRuns(ctx, tx, after);
  const changes = await changesOf(tx, changed, before, after);
  const secrets = gives ? { secrets: "changed" } : {};
  const facts = { version: after.version, changes: { ...changes, ...secrets } };
  await auditSchedule(ctx, tx, after, "schedule.updated", facts, origin);
  await gateSchedule(ctx, tx, after, breakGlass);
  return after;
}

export async function deleteScheduleIn(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  origin: Origin | null,
): Promise<void> {
  tx.concerns();
  await endScheduleRequests(ctx, tx, schedule, "The schedule was deleted.");
  await deleteSchedule(tx, schedule.id);
  const facts = { ...factsOf(schedule), version: schedule.version };
  await auditSchedule(ctx, tx, schedule, "schedule.deleted", facts, origin);
}

export async function requireSchedule(db: Reader, id: string): Promise<Schedule> {
  return found(await findSchedule(db, id), "SCHEDULE_NOT_FOUND", `schedule ${id}`);
}

/** Whoever has changed what runs since it was approved cannot approve it. */
export function withAuthor(authors: readonly string[], { id }: ScheduleOwner): string[] {
  return id === null || authors.includes(id) ? [...authors] : [...authors, id];
}

/** A change that does not concern the timing does not skip a run that has just become due. */
function nextAtOf(before: Schedule, after: Schedule, now: number): number | null {
  if (after.state === "PAUSED") return null;
  const isSameTiming = timingFields.every((field) => before[field] === after[field]);
  return isSameTiming && before.state === "ENABLED" ? before.nextAt : nextDue(after, now);
}

const timingFields = ["cron", "everySeconds", "timezone", "until"] as const;

async function requireFreeName(tx: Tx, name: string, ownId: string | null): Promise<void> {
  const other = await findScheduleByName(tx, name);
  if (other === null || other.id === ownId) return;
  const details = { scheduleId: other.id };
  throw new AppError("SCHEDULE_NAME_TAKEN", `There is already a schedule ${name}.`, { details });
}

/** An action that is not declared yet is checked when it runs, and so are those of a rollout. */
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

/** `before` as it is shown. */
export async function editOf(
  ctx: Ctx,
  db: Reader,
  target: ScheduleTarget,
  before: Schedule | null,
): Promise<Edit> {
  const withhold = await withholderOf(db, target.action);
  const isElsewhere =
    before !== null &&
    before.bound !== null &&
    (await boundTarget(db, target))?.agentId !== before.bound.agentId;
  return editTarget(target, before, withhold, await giverOf(ctx, db), isElsewhere);
}

/** Also withholds what was not known to be secret when the schedules were saved. */
export async function asShown(db: Reader, schedules: readonly Schedule[]): Promise<Schedule[]> {
  const byAction = new Map<string, Withhold>();
  const shown: Schedule[] = [];
  for (const schedule of schedules) {
    const { action } = schedule.target;
    const withhold = byAction.get(action) ?? (await withholderOf(db, action));
    byAction.set(action, withhold);
    shown.push({ ...schedule, ...withholdMore(schedule, withhold) });
  }
  return shown;
}

function ruleOf(rule: ScheduleRule): ScheduleRule {
  const { name, description, state, cron, everySeconds, timezone, until } = rule;
  const { target, missed, overlap } = rule;
  return { name, description, state, cron, everySeconds, timezone, until, target, missed, overlap };
}

/** Fields that the new rule does not have must not remain. */
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

type Changeable = keyof ScheduleRule | "declared" | "bound";

function changedFields(before: Schedule, after: Schedule): Changeable[] {
  const fields: Changeable[] = [...ruleFields, "declared", "bound"];
  return fields.filter((field) => !sameJson(before[field], after[field]));
}

/** The targets are shown without their secrets. */
async function changesOf(
  tx: Tx,
  changed: readonly Changeable[],
  before: Schedule,
  after: Schedule,
): Promise<Record<string, unknown>> {
  const [from, to] = [await asAudited(tx, before), await asAudited(tx, after)];
  return Object.fromEntries(
    changed.map((field) => [field, { from: from[field] ?? null, to: to[field] ?? null }]),
  );
}

async function asAudited(tx: Tx, schedule: Schedule): Promise<Schedule> {
  const withhold = await trailWithholderOf(tx, schedule.target.action);
  return { ...schedule, ...withholdMore(schedule, withhold) };
}

const ruleFields = [
  ...["name", "description", "state", "cron", "everySeconds", "timezone", "until"],
  ...["target", "missed", "overlap"],
] as (keyof ScheduleRule)[];
