// On whose behalf a schedule runs. A user must still be an operator at the time of each run.

import { mayActAs } from "../../domain/access/principals.ts";
import type { Obstacle, ScheduleOwner } from "../../domain/schedules/schedules.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findUser } from "../../store/tables/access/users.ts";
import { userBehind } from "../access/api-keys.ts";
import { makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";

/**
 * Returns the caller, or the user of the caller's API key. A key that was created locally acts like
 * a local caller.
 */
export async function ownerOf(ctx: Ctx, tx: Tx): Promise<ScheduleOwner> {
  const id = await userBehind(ctx, tx);
  const user = id === null ? null : await findUser(tx, id);
  return user === null
    ? { kind: "local", id: null, name: makerOf(ctx.principal) ?? "" }
    : { kind: "user", id: user.id, name: user.username };
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
