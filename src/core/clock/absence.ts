// Absences: times in which no agent could be heard, because no server ran or its storage did not
// work. The wall clock may have been set meanwhile. The nodes of a cluster tell each other about
// absences.
// (docs/decisions/0018-time-and-randomness.md)

import type { Tx } from "../../store/database.ts";
import { type Absence, findAbsence, writeAbsence } from "../../store/tables/clock.ts";
import { noteForOthers } from "../changes/changes.ts";
import type { Core } from "../context.ts";
import { lookBack } from "./deadlines.ts";

/**
 * Must run before the server accepts calls or writes times. Agents that were alive when the last
 * server stopped count as alive until the offline threshold has passed, so that they keep their
 * codes and services. A node that joins running nodes grants this time only while they still grant
 * it. If several nodes start together, the first one stores the absence, and the others find it.
 */
export async function noteAbsence(core: Core): Promise<void> {
  const absence = await core.db.write(async (tx) => {
    const last = await lookBack(core, tx);
    const gap = last && { from: last.movedAt, to: tx.now };
    if (gap && core.statusClock.isAbsence(gap)) await tellOthers(tx, gap);
    return findAbsence(tx);
  });
  grantTime(core, absence);
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
    await core.db.write((tx) => tellOthers(tx, endedOutage));
    statusClock.absenceKnownTo = endedOutage.to;
    statusClock.endedOutage = null;
  }
  if (!statusClock.isAbsenceUnread) return;
  // Cleared first, because another absence can be stored during the read.
  statusClock.isAbsenceUnread = false;
  try {
    grantTime(core, await findAbsence(core.db.read));
  } catch (error) {
    statusClock.isAbsenceUnread = true;
    throw error;
  }
}

async function tellOthers(tx: Tx, absence: Absence): Promise<void> {
  noteForOthers(tx, "absence");
  await writeAbsence(tx, absence);
}

/** The same absence can be found again after any change by another process. */
function grantTime({ now, settings, statusClock }: Core, absence: Absence | null): void {
  if (absence === null || absence.to === statusClock.absenceKnownTo) return;
  statusClock.absenceKnownTo = absence.to;
  if (now() - absence.to < settings.thresholds.offlineMs) statusClock.noteAbsence(absence.from);
}
