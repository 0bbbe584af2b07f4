// Absences: times in which no agent could be heard, because no server ran or its storage did not
// work. The wall clock may have been set meanwhile. The nodes of a cluster tell each other about
// absences.
// (docs/decisions/0018-time-and-randomness.md)

import {
  type Absence,
  findAbsence,
  findRetentionClock,
  writeAbsence,
} from "../../store/tables/clock.ts";
import { noteForOthers } from "../changes/changes.ts";
import type { Core } from "../context.ts";
import { moveDeadlines } from "./deadlines.ts";

/**
 * Must run before the server accepts calls or writes times. Agents that were alive when the last
 * server stopped count as alive until the offline threshold has passed, so that they keep their
 * codes and services. A node that joins running nodes grants this time only while they still grant
 * it.
 */
export async function noteAbsence(core: Core): Promise<void> {
  const { db, leadership, statusClock } = core;
  if (!(await leadership.acquire())) return joinOthers(core);
  const clock = await findRetentionClock(db.read);
  if (clock && statusClock.noteAbsence(clock.movedAt)) {
    await tellOthers(core, (to) => ({ from: clock.movedAt, to }));
  }
  await moveDeadlines(core);
}

/**
 * Must be called every second, and before any decision that is made because agents are silent.
 * After an outage of its storage, a node reports the outage to the others, because the node that
 * runs the jobs may not have noticed it.
 */
export async function watchSilence(core: Core): Promise<void> {
  const { statusClock } = core;
  statusClock.watch();
  if (statusClock.isInOutage) return;
  const { endedOutage } = statusClock;
  if (endedOutage !== null) {
    await tellOthers(core, () => endedOutage);
    statusClock.endedOutage = null;
  }
  if (!statusClock.isAbsenceUnread) return;
  await joinOthers(core);
  statusClock.isAbsenceUnread = false;
}

async function tellOthers(core: Core, absenceAt: (now: number) => Absence): Promise<void> {
  core.statusClock.absenceKnownTo = await core.db.write(async (tx) => {
    const absence = absenceAt(tx.now);
    noteForOthers(tx, "absence");
    await writeAbsence(tx, absence);
    return absence.to;
  });
}

async function joinOthers({ db, now, settings, statusClock }: Core): Promise<void> {
  const absence = await findAbsence(db.read);
  // The same absence can be read again after any change by another process.
  if (absence === null || absence.to === statusClock.absenceKnownTo) return;
  statusClock.absenceKnownTo = absence.to;
  if (now() - absence.to < settings.thresholds.offlineMs) statusClock.noteAbsence(absence.from);
}
