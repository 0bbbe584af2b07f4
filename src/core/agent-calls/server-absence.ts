// While no server ran, no agent could call, and the wall clock may have been set.

import { findAbsence, writeAbsence } from "../../store/tables/cluster-clock.ts";
import { lastWallClock } from "../../store/tables/retention-clock.ts";
import { moveDeadlines } from "../commands/clock-jumps.ts";
import type { Core } from "../context.ts";

/**
 * Must run before the server accepts calls or writes times. Agents that were alive when the last
 * server stopped count as alive until the offline threshold has passed, so that they keep their
 * codes and services. A node that joins others gives this time only if they do.
 */
export async function noteAbsence(core: Core): Promise<void> {
  const { db, leadership, statusClock } = core;
  if (!(await leadership.seek())) return joinOthers(core);
  const from = await lastWallClock(db.read, core.now());
  if (from !== null && statusClock.noteAbsence(from) && db.engine === "postgresql") {
    await db.write(async (tx) => {
      tx.concerns();
      await writeAbsence(tx, { from, to: tx.now });
    });
  }
  await moveDeadlines(core);
}

async function joinOthers({ db, now, settings, statusClock }: Core): Promise<void> {
  const absence = await findAbsence(db.read);
  if (absence === null || now() - absence.to >= settings.thresholds.offlineMs) return;
  statusClock.noteAbsence(absence.from);
}
