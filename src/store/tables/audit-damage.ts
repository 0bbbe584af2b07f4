// Stores the first row of the audit trail that does not match the chain, if a server has found one.

import type { InvalidRow } from "../audit/verify-chain.ts";
import type { Reader, Tx } from "../database.ts";
import { deleteSetting, findSetting, writeSetting } from "./settings.ts";

const key = "auditDamage";

/** Returns null if no such row is known. */
export async function findDamagedRow(db: Reader): Promise<InvalidRow | null> {
  return (await findSetting<{ seq: number; reason: string }>(db, key)) ?? null;
}

export function writeDamagedRow(tx: Tx, { seq, reason }: InvalidRow): Promise<void> {
  return writeSetting(tx, key, { seq, reason });
}

export function forgetDamagedRow(tx: Tx): Promise<void> {
  return deleteSetting(tx, key);
}
