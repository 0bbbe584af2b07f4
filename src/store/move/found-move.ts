import type { MoveFacts, MoveReport } from "../../domain/storage/moves.ts";
import type { Reader } from "../database.ts";

/** Returns the newest complete move into this database; null if there is none. */
export async function findMove(db: Reader): Promise<MoveReport | null> {
  const row = await db.get<{ seq: number; hash: string; metadata: string }>(
    `SELECT seq, hash, metadata FROM audit_events
     WHERE action = 'database.moved' ORDER BY seq DESC LIMIT 1`,
  );
  if (!row) return null;
  const { seq, hash, metadata } = row;
  return { ...(JSON.parse(metadata) as MoveFacts), auditHead: { seq, hash } };
}
