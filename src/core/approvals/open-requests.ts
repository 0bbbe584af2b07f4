// Limits the number of open requests for approval per requester. They are counted once per
// transaction, because one apply can open a thousand.

import type { Requester } from "../../domain/approvals/approvals.ts";
import { requireRoom } from "../../domain/errors.ts";
import { maxOpenApprovals } from "../../domain/limits.ts";
import type { Tx } from "../../store/database.ts";
import { oncePerTx } from "../../store/once-per-tx.ts";
import { countOpenApprovalsBy } from "../../store/tables/approvals/approvals.ts";

/** The number of open requests of each requester. */
const counts = oncePerTx(async () => new Map<string, Promise<{ open: number }>>());

/** Call before a request is inserted. Throws VALIDATION_FAILED if the requester has too many. */
export async function noteOpened(tx: Tx, requester: Requester): Promise<void> {
  const byRequester = await counts.get(tx);
  const key = keyOf(requester);
  const counting = byRequester.get(key) ?? counted(tx, requester);
  byRequester.set(key, counting);
  const count = await counting;
  const advice = "wait until they are decided, or withdraw some (platformctl approvals withdraw)";
  requireRoom(count.open, maxOpenApprovals, "open requests of this requester", advice);
  count.open++;
}

/** Call after a request has ended. */
export async function noteEnded(tx: Tx, requester: Requester): Promise<void> {
  const byRequester = await counts.get(tx);
  const counting = byRequester.get(keyOf(requester));
  if (counting !== undefined) (await counting).open--;
}

async function counted(tx: Tx, { userId, keyId }: Requester): Promise<{ open: number }> {
  return { open: await countOpenApprovalsBy(tx, userId, keyId) };
}

function keyOf({ userId, keyId }: Requester): string {
  return JSON.stringify([userId, userId === null ? keyId : null]);
}
