// Stores what the nodes of a cluster must know of each other about the clock.

import type { Reader, Tx } from "../database.ts";
import { findSetting, writeSetting } from "./settings.ts";

/** The time without a server, in Unix milliseconds. */
export type Absence = {
  from: number;
  to: number;
};

/** A clock jump, after which the deadlines of open commands were moved. */
export type MovedJump = {
  byMs: number;
  /** The first time after the jump, in Unix milliseconds. */
  since: number;
};

const absence = "absence";
const jump = "clockJump";

export function findAbsence(db: Reader): Promise<Absence | null> {
  return findSetting(db, absence);
}

export function writeAbsence(tx: Tx, { from, to }: Absence): Promise<void> {
  return writeSetting(tx, absence, { from, to });
}

export function findMovedJump(db: Reader): Promise<MovedJump | null> {
  return findSetting(db, jump);
}

export function writeMovedJump(tx: Tx, { byMs, since }: MovedJump): Promise<void> {
  return writeSetting(tx, jump, { byMs, since });
}
