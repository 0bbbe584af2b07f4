// Stores the last loss of confirmed changes.

import type { DataLoss } from "../../domain/storage/data-loss.ts";
import type { Reader, Tx } from "../database.ts";
import { findSetting, writeSetting } from "./settings.ts";

const key = "dataLoss";

/** Returns null if no loss was ever noticed. */
export async function findDataLoss(db: Reader): Promise<DataLoss | null> {
  return (await findSetting<DataLoss>(db, key)) ?? null;
}

export function writeDataLoss(tx: Tx, loss: DataLoss): Promise<void> {
  return writeSetting(tx, key, { ...loss });
}
