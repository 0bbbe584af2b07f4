import type { JsonObject } from "../../domain/payload/json.ts";
import type { Reader, Tx } from "../database.ts";

export interface FirstAnswer {
  route: string;
  fingerprint: string;
  answer: JsonObject;
  createdAt: number;
}

interface Row extends Omit<FirstAnswer, "answer"> {
  answer: string;
}

/** Returns the response if it was stored after `after`. */
export async function findFirstAnswer(
  db: Reader,
  caller: string,
  key: string,
  after: number,
): Promise<FirstAnswer | null> {
  const row = await db.get<Row>(
    `SELECT route, fingerprint, answer, created_at AS "createdAt" FROM idempotency_keys
     WHERE caller = ? AND key = ? AND created_at > ?`,
    caller,
    key,
    after,
  );
  return row ? { ...row, answer: JSON.parse(row.answer) } : null;
}

/** Returns false and changes nothing if a response was stored after `after`. */
export async function insertFirstAnswer(
  tx: Tx,
  caller: string,
  key: string,
  { route, fingerprint, answer }: Omit<FirstAnswer, "createdAt">,
  after: number,
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO idempotency_keys (caller, key, route, fingerprint, answer, created_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (caller, key) DO UPDATE SET route = excluded.route,
       fingerprint = excluded.fingerprint, answer = excluded.answer,
       created_at = excluded.created_at
     WHERE idempotency_keys.created_at <= ?`,
    caller,
    key,
    route,
    fingerprint,
    JSON.stringify(answer),
    tx.now,
    after,
  );
  return changes > 0;
}

/** Deletes responses that were stored before `before`, and returns how many. */
export function deleteFirstAnswers(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM idempotency_keys WHERE (caller, key) IN (
       SELECT caller, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
    before,
    limit,
  );
}
