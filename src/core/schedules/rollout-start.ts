// Creates the rollout of a run. The services are chosen outside of a transaction, so the run is
// STARTING meanwhile. The transaction that creates the rollout also ends the state STARTING. If a
// crash comes before that transaction, the rollout is created later, but never twice.

import { AppError } from "../../domain/errors.ts";
import type {
  Obstacle,
  Schedule,
  ScheduledRollout,
  ScheduleRun,
} from "../../domain/schedules/schedules.ts";
import { shownPayloads, wholeTarget } from "../../domain/schedules/target-secrets.ts";
import type { Tx } from "../../store/database.ts";
import {
  findScheduleRun,
  type RunKey,
  startScheduleRun,
} from "../../store/tables/schedules/schedule-runs.ts";
import { findSchedule } from "../../store/tables/schedules/schedules.ts";
import { basisOfRun, targetChanged, whyHeld } from "../approvals/schedules.ts";
import type { Ctx } from "../context.ts";
import { createRollout } from "../rollouts/creation.ts";
import { ownerObstacle, starterContext } from "./owner.ts";
import { isHeld } from "./pausing.ts";
import { failRun, noteStarted } from "./runs.ts";

/**
 * The run has been started elsewhere, or its schedule has changed since it was read, or no run may
 * start.
 */
class NotNow extends Error {}

class Refused extends Error {
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle) {
    super(obstacle.message);
    this.obstacle = obstacle;
  }
}

/**
 * Does nothing if the run is not STARTING. After a temporary error, or if no run may start any
 * more, the run stays STARTING.
 */
export async function startRollout(ctx: Ctx, key: RunKey): Promise<void> {
  const { db } = ctx.core;
  const schedule = await findSchedule(db.read, key.scheduleId);
  const found = await findScheduleRun(db.read, key);
  if (schedule === null || found?.state !== "STARTING") return;
  const { starter } = found;
  const starting =
    schedule.target.kind === "rollout"
      ? await starterContext(ctx, db.read, schedule, found)
      : targetChanged("The schedule was changed before the run had created its rollout.");
  if ("message" in starting) {
    await db.write((tx) => failRun(ctx, tx, schedule, key, "STARTING", starting));
    return;
  }
  const { kind: _, ...request } = wholeTarget(schedule) as ScheduledRollout;
  try {
    const breakGlass = starter?.breakGlass ?? undefined;
    await createRollout(starting, breakGlass === undefined ? request : { ...request, breakGlass }, {
      schedule,
      shown: shownPayloads(schedule),
      async basisOf(tx) {
        await requireMayStart(ctx, tx, schedule, found);
        return basisOfRun(ctx.core, tx, schedule, found);
      },
      async alsoWrite(tx, rolloutId) {
        if (!(await startScheduleRun(tx, key, "STARTING", { rolloutId }))) throw new NotNow();
        await noteStarted(starting, tx, schedule, key, { rolloutId });
      },
    });
  } catch (error) {
    if (error instanceof NotNow) return;
    const obstacle = obstacleIn(error);
    if (obstacle === null) throw error;
    const by = error instanceof Refused ? ctx : starting;
    const isHeldBack = found.trigger === "time" && obstacle.code === "APPROVAL_REQUIRED";
    await db.write(async (tx) => {
      const why = isHeldBack ? await whyHeld(tx, schedule, obstacle) : obstacle;
      await failRun(by, tx, schedule, key, "STARTING", why);
    });
  }
}

/** Returns null for a temporary error. */
function obstacleIn(error: unknown): Obstacle | null {
  if (error instanceof Refused) return error.obstacle;
  return error instanceof AppError && error.code !== "UNAVAILABLE" ? error : null;
}

/** Checks again what may have changed while the services were chosen. */
async function requireMayStart(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  run: ScheduleRun,
): Promise<void> {
  const now = await findSchedule(tx, schedule.id);
  if (now?.version !== schedule.version) throw new NotNow();
  if (await isHeld(tx)) throw new NotNow();
  const starting = await starterContext(ctx, tx, now, run);
  if ("message" in starting) throw new Refused(starting);
  const obstacle = await ownerObstacle(tx, now.owner);
  if (obstacle) throw new Refused(obstacle);
}
