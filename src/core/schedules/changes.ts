// Creates, changes and deletes schedules in a given transaction: that of one call, or that of all
// declared objects.

import { declaredBy, type Origin } from "../../domain/declarations.ts";
import { AppError, found } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type {
  Schedule,
  ScheduleOwner,
  ScheduleRule,
  ScheduleTarget,
} from "../../domain/schedules/schedules.ts";
import {
  missingSecrets,
  wholeTarget,
  withholdTarget,
  withKeptSecrets,
} from "../../domain/schedules/target-secrets.ts";
import { nextDue } from "../../domain/schedules/timing.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  deleteSchedule,
  findSchedule,
  findScheduleByName,
  insertSchedule,
  updateSchedule,
} from "../../store/tables/schedules.ts";
import { listSchemasOfAction } from "../../store/tables/service-actions.ts";
import { findServiceByCode } from "../../store/tables/services.ts";
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
  requireSecrets(rule.target);
  const owner = await ownerOf(ctx, tx);
  const schedule: Schedule = {
    ...ruleOf(rule),
    ...(await partsOf(tx, rule.target)),
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
 * Returns `before` if nothing changes. `[REDACTED]` in place of a stored secret keeps it. Throws the
 * errors of `createScheduleIn`.
 */
export async function updateScheduleIn(
  ctx: Ctx,
  tx: Tx,
  before: Schedule,
  rule: ScheduleRule,
  origin: Origin | null,
  breakGlass?: string,
): Promise<Schedule> {
  tx.concerns();
  const target = withKeptSecrets(rule.target, before);
  const parts = await partsOf(tx, target);
  const after: Schedule = {
    ...before,
    ...undefinedRule,
    ...ruleOf(rule),
    ...parts,
    ...declaredBy(origin, before),
    bound: await boundTarget(tx, target),
  };
  const changes = changesOf(before, after);
  if (Object.keys(changes).length === 0) {
    // What policies demand may have changed.
    await gateSchedule(ctx, tx, before, breakGlass);
    return before;
  }
  await requireFreeName(tx, rule.name, before.id);
  await requireConfirmed(tx, target);
  requireSecrets(target);
  after.version = before.version + 1;
  after.updatedAt = tx.now;
  after.owner = await ownerOf(ctx, tx);
  if (scheduleDigest(ctx.core, before) !== scheduleDigest(ctx.core, after)) {
    after.authors = withAuthor(before.authors, after.owner);
  }
  after.nextAt = nextAtOf(before, after, tx.now);
  await updateSchedule(tx, after);
  if (after.state === "PAUSED") await skipWaitingRuns(ctx, tx, after);
  const facts = { version: after.version, changes };
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

export function requireSecrets(target: ScheduleTarget): void {
  const missing = missingSecrets(target);
  if (missing.length === 0) return;
  const message = `Give the values that are shown as [REDACTED]: ${missing.join(", ")}.`;
  throw new AppError("PAYLOAD_NEEDS_SECRETS", message, { details: { pointers: missing } });
}

/** What any service that declares the action marks as a secret is stored as one. */
export async function partsOf(db: Reader, target: ScheduleTarget) {
  const schemas: JsonObject[] = await listSchemasOfAction(db, target.action, mostSchemas);
  return withholdTarget(target, schemas);
}

/** Services of one kind declare the same schema, so there are few. */
const mostSchemas = 100;

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

/** The targets are shown without their secrets, whose changes are only mentioned. */
function changesOf(before: Schedule, after: Schedule): Record<string, unknown> {
  const fields = [...ruleFields, "declared", "bound"] as const;
  const changed = fields.filter((field) => !isSame(before[field], after[field]));
  const changes = Object.fromEntries(
    changed.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
  );
  const isSecretChanged =
    changed.every((field) => field !== "target") && !hasSameSecrets(before, after);
  return isSecretChanged ? { ...changes, secrets: "changed" } : changes;
}

const ruleFields = [
  ...["name", "description", "state", "cron", "everySeconds", "timezone", "until"],
  ...["target", "missed", "overlap"],
] as (keyof ScheduleRule)[];

function hasSameSecrets(before: Schedule, after: Schedule): boolean {
  return isSame(wholeTarget(before), wholeTarget(after));
}

/** Undefined members do not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return jsonEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
