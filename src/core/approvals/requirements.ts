// What policies demand now for the open requests.

import type { Requirement } from "../../domain/approvals/approvals.ts";
import { AppError } from "../../domain/errors.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Reader } from "../../store/database.ts";
import {
  listOpenRequests,
  type OpenRequest,
  setRequirements,
} from "../../store/tables/approvals/approvals.ts";
import { listPresentTargets } from "../../store/tables/rollouts/rollout-targets.ts";
import { findSchedule } from "../../store/tables/schedules/schedules.ts";
import { noteChange } from "../changes/changes.ts";
import { type Ctx, systemContext } from "../context.ts";
import { pagesById } from "../pages-by-id.ts";
import { lookUpTarget } from "../presence/action-targets.ts";
import {
  type ActionOnService,
  demandFor,
  type PoliciesInForce,
  policiesInForce,
  stampOf,
} from "./demands.ts";
import { actionsOf } from "./rollouts.ts";
import { ScheduleDemands } from "./schedule-demands.ts";
import { actionsOfSchedule } from "./schedules.ts";

const atOnce = 100;

/** Returns what policies demand now for an open request. Ignores actions that no longer exist. */
export async function requirementsNow(
  ctx: Ctx,
  db: Reader,
  approval: OpenRequest,
): Promise<readonly Requirement[]> {
  return (await demandFor(db, await actionsFor(ctx, db, approval)))?.requirements ?? [];
}

/**
 * Stores what policies demand now for the open requests, so that lists show the requests to the
 * users who may decide them. Call this after owners have changed policies, or labels on which
 * policies depend. Does not throw, because that change is already committed. No decision depends on
 * the stored copy: each reads the policies again.
 */
export async function refreshRequirements({ core }: Ctx): Promise<void> {
  const ctx = systemContext(core);
  try {
    const inForce = await policiesInForce(core.db.read);
    let judge = new ScheduleDemands(ctx, inForce);
    for await (const approval of openRequests(core.db.read)) {
      await ctx.budget.spend();
      try {
        await refresh(ctx, judge, inForce, approval);
      } catch (err) {
        // The others would fail as well.
        if (err instanceof AppError && err.code === "UNAVAILABLE") throw err;
        // The old judge has cached the failed read, but another attempt may succeed.
        judge = new ScheduleDemands(ctx, inForce);
        core.log.warn({ err, approvalId: approval.id }, "an open request could not be refreshed");
      }
    }
  } catch (err) {
    const fields = core.storage.recordFailure(core, err) ? {} : { err };
    core.log.warn(fields, "the requirements of open requests could not be refreshed");
  }
}

async function* openRequests(db: Reader): AsyncGenerator<OpenRequest, void> {
  const pages = pagesById(
    atOnce,
    (page) => listOpenRequests(db, page),
    ({ id }) => id,
  );
  for await (const page of pages) yield* page;
}

async function refresh(
  ctx: Ctx,
  judge: ScheduleDemands,
  inForce: PoliciesInForce,
  approval: OpenRequest,
): Promise<void> {
  const { db } = ctx.core;
  const { id, kind, subjectId } = approval;
  const schedule = kind === "schedule" ? await findSchedule(db.read, subjectId ?? "") : null;
  const requirements = schedule
    ? ((await judge.judge(schedule.target)).demand?.requirements ?? [])
    : await requirementsNow(ctx, db.read, approval);
  if (jsonEqual(requirements, approval.requirements)) return;
  await db.write(async (tx) => {
    // After a newer change, its own refresh stores what counts then.
    if (stampOf(await policiesInForce(tx)) !== stampOf(inForce)) return;
    noteChange(ctx.core, tx, "approval", id);
    await setRequirements(tx, id, requirements);
  });
}

async function actionsFor(
  ctx: Ctx,
  db: Reader,
  { kind, serviceId, subjectId, action: name }: OpenRequest,
): Promise<readonly ActionOnService[]> {
  if (kind === "action") {
    const { service, action } = await lookUpTarget(db, serviceId ?? "", name);
    return service && action ? [{ serviceId: service.id, action }] : [];
  }
  if (kind === "rollout") return actionsOf(await listPresentTargets(db, subjectId ?? "", name));
  const schedule = await findSchedule(db, subjectId ?? "");
  return schedule === null ? [] : actionsOfSchedule(ctx, db, schedule);
}
