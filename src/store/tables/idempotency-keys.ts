import type { JsonObject } from "../../domain/payload/json.ts";
import type { Reader, Tx } from "../database.ts";
import { get, run } from "../sql-tag.ts";

export interface FirstAnswer {
  route: string;
  fingerprint: string;
  answer: JsonObject;
  createdAt: number;
}

interface Row extends Omit<FirstAnswer, "answer"> {
  answer: string;
}

export async function findFirstAnswer(
  db: Reader,
  caller: string,
  key: string,
): Promise<FirstAnswer | null> {
  const row = await get(db)<Row>`SELECT route, fingerprint, answer, created_at AS "createdAt"
     FROM idempotency_keys WHERE caller = ${caller} AND key = ${key}`;
  return row ? { ...row, answer: JSON.parse(row.answer) } : null;
}

/** Returns false and changes nothing if there is a response already. */
export async function insertFirstAnswer(
  tx: Tx,
  caller: string,
  key: string,
  { route, fingerprint, answer }: Omit<FirstAnswer, "createdAt">,
): Promise<boolean> {
  const changes = await run(tx)`INSERT INTO idempotency_keys
       (caller, key, route, fingerprint, answer, created_at)
     VALUES (${caller}, ${key}, ${route}, ${fingerprint}, ${JSON.stringify(answer)}, ${tx.now})
     ON CONFLICT (caller, key) DO NOTHING`;
  return changes > 0;
}

/**
 * Deletes up to `limit` responses that were stored at `before` or earlier, and returns how many.
 */
export function deleteFirstAnswers(tx: Tx, before: number, limit: number): Promise<number> {
  return run(tx)`DELETE FROM idempotency_keys WHERE (caller, key) IN (
     SELECT caller, key FROM idempotency_keys WHERE created_at <= ${before}
     ORDER BY created_at LIMIT ${limit})`;
}
