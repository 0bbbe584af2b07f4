// Deletes old rollouts, at the same age as commands.

import type { Tx } from "../../store/database.ts";
import { deleteRolloutParts, listSettledRolloutIds } from "../../store/tables/rollouts/rollouts.ts";
import type { Core } from "../context.ts";
import { inTransactions } from "../short-transactions.ts";

const targetsAtOnce = 500;

/** `before` is in Unix milliseconds. Returns how many rollouts were deleted. */
export async function pruneRollouts(core: Core, before: number): Promise<number> {
  return inTransactions(core, Infinity, async (tx: Tx) => {
    const [id] = await listSettledRolloutIds(tx, before, 1);
    if (id === undefined) return { count: 0, isLast: true };
    return { count: (await deleteRolloutParts(tx, id, targetsAtOnce)) ? 1 : 0, isLast: false };
  });
}
