// While no server ran, or its storage did not work, no agent could be heard, and the wall clock may have
// been set. The nodes of a cluster tell each other when that was.
// (docs/decisions/0018-time-and-randomness.md)

import { type Absence, findAbsence, writeAbsence } from "../../store/tables/cluster-clock.ts";
import { lastWallClock } from "../../store/tables/retention-clock.ts";
import { moveDeadlines } from "../commands/clock-jumps.ts";
import type { Core } from "../context.ts";
import { noteForOthers } from "../news/changes.ts";

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
    await tellOthers(core, (to) => ({ from, to }));
  }
  await moveDeadlines(core);
}

/**
 * Must be called every second, and before silence decides anything. After an outage of the storage, a
 * node reports it to the others, because the jobs may run at one that has not noticed it.
 */
export async function watchSilence(core: Core): Promise<void> {
  const { db, statusClock } = core;
  statusClock.watch();
  if (statusClock.isInOutage || db.engine === "sqlite") return;
  const { endedOutage } = statusClock;
  if (endedOutage !== null) {
    await tellOthers(core, () => endedOutage);
    statusClock.endedOutage = null;
  }
  if (!statusClock.isAbsenceUnread) return;
  await joinOthers(core);
  statusClock.isAbsenceUnread = false;
}

async function tellOthers(
  { db, statusClock }: Core,
  absenceAt: (now: number) => Absence,
): Promise<void> {
  statusClock.absenceKnownTo = await db.write(async (tx) => {
    const absence = absenceAt(tx.now);
    noteForOthers(tx, "absence");
    await writeAbsence(tx, absence);
    return absence.to;
  });
}

async function joinOthers({ db, now, settings, statusClock }: Core): Promise<void> {
  const absence = await findAbsence(db.read);
  // It can be read again after any change by another process.
  if (absence === null || absence.to === statusClock.absenceKnownTo) return;
  statusClock.absenceKnownTo = absence.to;
  if (now() - absence.to < settings.thresholds.offlineMs) statusClock.noteAbsence(absence.from);
}
