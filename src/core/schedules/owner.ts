// On whose behalf a schedule runs. When a run starts, the schedule's owner must still have at least
// the operator role, and so must the user who starts the run, if any.

import { mayActAs, roleOf } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import type {
  Obstacle,
  RunStarter,
  Schedule,
  ScheduleOwner,
  ScheduleRun,
} from "../../domain/schedules/schedules.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import { dayMs } from "../../lib/duration.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findUser } from "../../store/tables/access/users.ts";
import { userBehind } from "../access/api-keys.ts";
import { requesterOf } from "../approvals/gate.ts";
import { principalNow } from "../approvals/requesters.ts";
import { scheduleDigest, targetChanged } from "../approvals/schedules.ts";
import { makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";

/** The longest time for which a run with a bypass can wait. After that, it needs a new bypass. */
const bypassWaitsMs = dayMs;

/**
 * Returns the caller, or the user of the caller's API key. A key that was created locally acts like
 * a local caller. Throws UNAUTHORIZED if the user was just deleted.
 */
export async function ownerOf(ctx: Ctx, tx: Tx): Promise<ScheduleOwner> {
  const id = await userBehind(ctx, tx);
  if (id === null) return { kind: "local", id, name: makerOf(ctx.principal) ?? "" };
  const user = await findUser(tx, id);
  if (user === null) throw new AppError("UNAUTHORIZED", "Your user was just deleted.");
  return { kind: "user", id, name: user.username };
}

export async function starterOf(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  breakGlass: string | undefined,
): Promise<RunStarter> {
  const requester = await requesterOf(ctx, tx);
  if (requester === null) throw new Error("only operators can start a run");
  const { kind, userId, keyId, name } = requester;
  return {
    requester: { kind, userId, keyId, name },
    digest: scheduleDigest(ctx.core, schedule),
    breakGlass: breakGlass === undefined ? null : redactText(breakGlass),
  };
}

/**
 * Returns the context in which a run starts, or why it may not start. A run that somebody started
 * acts for that caller, with the present role, even after the caller's session has ended. `ctx` is
 * the context of the caller or of the job.
 */
export async function starterContext(
  ctx: Ctx,
  db: Reader,
  schedule: Schedule,
  { dueAt, starter }: Pick<ScheduleRun, "dueAt" | "starter">,
): Promise<Ctx | Obstacle> {
  if (starter === null) return ctx;
  const { requester, digest, breakGlass } = starter;
  if (scheduleDigest(ctx.core, schedule) !== digest) {
    return targetChanged(`The schedule was changed after ${requester.name} had started the run.`);
  }
  if (breakGlass !== null && ctx.core.now() - dueAt > bypassWaitsMs) {
    const message = `${requester.name} chose more than a day ago to run this without approval.`;
    return { code: "APPROVAL_REQUIRED", message };
  }
  const principal = await principalNow(db, requester, ctx.core.now());
  if (typeof principal === "string") return { code: "FORBIDDEN", message: principal };
  if (breakGlass !== null && !mayActAs(roleOf(principal), "owner")) {
    const message = `${requester.name} is no longer an owner, and cannot run anything without approval.`;
    return { code: "FORBIDDEN", message };
  }
  return { ...ctx, principal };
}

/** Returns why the owner may not run anything now, or null. */
export async function ownerObstacle(db: Reader, owner: ScheduleOwner): Promise<Obstacle | null> {
  if (owner.id === null) return null;
  const user = await findUser(db, owner.id);
  if (user?.status !== "ACTIVE") {
    const what = user ? "is disabled" : "no longer exists";
    return { code: "OWNER_DISABLED", message: `The schedule's owner ${owner.name} ${what}.` };
  }
  if (mayActAs(user.role, "operator")) return null;
  const message = `The schedule's owner ${user.username} is now a ${user.role}, and cannot run actions.`;
  return { code: "OWNER_ROLE", message };
}
